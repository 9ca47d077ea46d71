"""The answers that pages give: a page, text, a question, a way on, or that there is nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capsule.gemini.types import GEMTEXT, Response
from capsule.ui import render
from engine.game import message

if TYPE_CHECKING:
    from capsule.ui.preferences import Preferences
    from engine import Message


PLAIN = "text/plain; charset=utf-8"


def page(preferences: Preferences, template: str, **context: object) -> Response:
    """Return the page that a template makes of the values, as this reader wants it."""
    return Response(20, GEMTEXT, render.render(template, context | {"preferences": preferences}))


def text(body: str, kind: str = PLAIN) -> Response:
    """Return a document that is not gemtext."""
    return Response(20, kind, body)


def prompt(*messages: Message) -> Response:
    """Return the request for a line of text, asked in these sentences."""
    return Response(10, render.meta(" ".join(render.translate(each) for each in messages)))


def prompt_again(reason: Message, ask: Message) -> Response:
    """Return a question once more, after the reason why what was typed will not do.

    A reason that quotes something long is cut, and never the question.
    """
    asked = render.translate(ask)
    told = render.translate(message("{reason}.", reason=reason))
    room = render.MAX_META_BYTES - len(f" {asked}".encode())
    return Response(10, render.meta(f"{render.cut(told, room)} {asked}"))


def sensitive_prompt(asked: Response) -> Response:
    """Return a question whose answer the browser does not show while it is typed."""
    return Response(11, asked.meta)


def redirect(path: str) -> Response:
    """Return the redirect to another page; `path` is made by us, never by a request."""
    return Response(30, path)
