"""Responses for pages to return: gemtext, plain text, prompts and redirects."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from capsule.gemini.status import Status
from capsule.gemini.types import Response
from capsule.ui import render
from capsule.ui.language_addresses import WITH_ALL_LANGUAGES, address_in, links_to_languages
from capsule.ui.languages import speech, spoken
from capsule.ui.punctuation import SPACE
from capsule.ui.user_text import quotation
from engine.game import message

if TYPE_CHECKING:
    from capsule.errors import Refused
    from capsule.ui.preferences import Preferences
    from engine import Message


PLAIN = "text/plain; charset=utf-8"


def page(preferences: Preferences, template: str, **context: object) -> Response:
    """Return the page that a template renders from the values, by the reader's preferences.

    Below its title it leads to itself in English, or at its end to other languages.
    """
    text = render.render(template, context | {"preferences": preferences})
    links = "".join(f"=> {address} {label}\n" for address, label in links_to_languages(speech()))
    if speech().page in WITH_ALL_LANGUAGES:
        text = f"{text.rstrip()}\n{links}"
    elif links:
        title, line_break, rest = text.partition("\n")
        is_titled = title.startswith("# ")
        text = f"{title}{line_break}{links}{rest}" if is_titled else f"{links}{text}"
    return Response(Status.SUCCESS, spoken().gemtext, text)


def refusal(
    preferences: Preferences, template: str, error: Refused, back: str, typed: str | None = None
) -> Response:
    """Return the page that says why an action was refused, with a link to the page at `back`.

    The text that somebody `typed` with a key of their own is shown again.
    """
    refused = page(
        preferences, template, reason=error.message, back=back, text=quotation(typed or "")
    )
    return replace(refused, reason=render.translate(error.message))


def text(body: str, kind: str = PLAIN) -> Response:
    """Return a text document, by default plain text; `kind` is its META."""
    return Response(Status.SUCCESS, kind, body)


def prompt(*messages: Message) -> Response:
    """Return a prompt for a line of text that consists of these sentences."""
    texts = [render.translate(each) for each in messages]
    return Response(Status.INPUT, render.meta(render.translate(SPACE).join(texts)))


def prompt_again(reason: Message, ask: Message) -> Response:
    """Return a prompt again, preceded by the reason why the last input was refused.

    If the reason quotes a long text, the reason is cut, but never the prompt.
    """
    question = render.translate(ask)
    explanation = render.translate(message("{reason}.", reason=reason))
    space = render.translate(SPACE)
    room = render.MAX_META_BYTES - len(f"{space}{question}".encode())
    meta = render.meta(f"{render.cut(explanation, room)}{space}{question}")
    return Response(Status.INPUT, meta, reason=explanation)


def sensitive_prompt(prompted: Response) -> Response:
    """Return a prompt again as one whose answer the browser does not show while it is typed."""
    return Response(Status.SENSITIVE_INPUT, prompted.meta)


def slow_down(seconds: int) -> Response:
    """Return the response that asks a visitor to wait this many seconds."""
    return Response(Status.SLOW_DOWN, str(seconds))


def redirect(path: str) -> Response:
    """Return a redirect to another page; `path` must be the capsule's own, never a request's."""
    return Response(Status.REDIRECT, address_in(speech(), path))
