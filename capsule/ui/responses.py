"""Responses for pages to return: gemtext, plain text, prompts and redirects."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from threading import Lock

from capsule.errors import Refused
from capsule.gemini.types import Request, Response, Status, Wait
from capsule.languages.addresses import WITH_ALL_LANGUAGES, address_in, links_to_languages
from capsule.languages.model import PageLanguage, active_language, page_language
from capsule.languages.numbers import SPACE
from capsule.ui import columns as screen, render as ui_render
from capsule.ui.columns import is_wide_drawing
from capsule.ui.preferences import Preferences
from capsule.ui.user_text import quotation
from engine import ASCII, Message, Variant, message

PLAIN = "text/plain; charset=utf-8"


def page(preferences: Preferences, template: str, **context: object) -> Response:
    """Return the page that a template renders from the values, by the reader's preferences.

    Below its title it leads to itself in English, or at its end to other languages.
    """
    text = ui_render.render(template, context | {"preferences": preferences})
    links = "".join(
        f"=> {address} {label}\n" for address, label in links_to_languages(page_language())
    )
    if page_language().page in WITH_ALL_LANGUAGES:
        text = f"{text.rstrip()}\n{links}"
    elif links:
        title, line_break, rest = text.partition("\n")
        is_titled = title.startswith("# ")
        text = f"{title}{line_break}{links}{rest}" if is_titled else f"{links}{text}"
    return Response(Status.SUCCESS, active_language().gemtext, text)


def refusal(
    preferences: Preferences, template: str, error: Refused, back: str, typed: str | None = None
) -> Response:
    """Return the page that says why an action was refused, with a link to the page at `back`.

    The text that a visitor has `typed` with their own key is shown again.
    """
    refused = page(
        preferences, template, reason=error.message, back=back, text=quotation(typed or "")
    )
    return replace(refused, reason=ui_render.translate(error.message))


def text(body: str, kind: str = PLAIN) -> Response:
    """Return a text document, by default plain text; `kind` is its META."""
    return Response(Status.SUCCESS, kind, body)


def prompt(*messages: Message) -> Response:
    """Return a prompt for a line of text that consists of these sentences."""
    texts = [ui_render.translate(each) for each in messages]
    return Response(Status.INPUT, ui_render.meta(ui_render.translate(SPACE).join(texts)))


def prompt_again(reason: Message, ask: Message) -> Response:
    """Return a prompt again, preceded by the reason why the last input was refused.

    If the reason quotes a long text, the reason is cut, but never the prompt.
    """
    question = ui_render.translate(ask)
    explanation = ui_render.translate(message("{reason}.", reason=reason))
    space = ui_render.translate(SPACE)
    room = ui_render.MAX_META_BYTES - len(f"{space}{question}".encode())
    meta = ui_render.meta(f"{ui_render.cut(explanation, room)}{space}{question}")
    return Response(Status.INPUT, meta, reason=explanation)


def sensitive_prompt(prompted: Response) -> Response:
    """Return a prompt again as one whose answer the browser does not show while it is typed."""
    return Response(Status.SENSITIVE_INPUT, prompted.meta)


def slow_down(seconds: int) -> Response:
    """Return the response that asks a visitor to wait this many seconds."""
    return Response(Status.SLOW_DOWN, str(seconds))


def redirect(path: str) -> Response:
    """Return a redirect to another page; `path` must be the capsule's own, never a request's."""
    return Response(Status.REDIRECT, address_in(path))


RETRY_SECONDS = 2
"""Seconds after which a visitor who was turned away may ask again."""


class Busy(Exception):
    """Another expensive request is being answered."""


class ExclusiveAccess:
    """Admits one expensive request at a time in this process."""

    def __init__(self) -> None:
        self._lock = Lock()

    @contextmanager
    def acquire(self) -> Iterator[None]:
        """Take the one place for expensive requests; raises `Busy` if it is taken already."""
        if not self._lock.acquire(blocking=False):
            raise Busy
        try:
            yield
        finally:
            self._lock.release()

    def wait(self, request: Request, make: Callable[[], Response]) -> Wait:
        """Return a wait for an expensive response, which is made where no other page waits."""

        def finish() -> Response:
            with self.acquire():
                return make()

        return Wait(request.address_key, finish, fallback=slow_down(RETRY_SECONDS))


COLUMNS = ASCII.columns
"""The greatest width of a line, as in all blocks, apart from links."""

TEXT_COLUMNS = 54
"""The same of a line outside blocks: what Amfora shows in a terminal of 80 columns.

Browsers break the lines that are too long for them, and so no line is broken twice there.
"""

FORM = r"share(?P<form>\.gmi)?"
"""The end of the pattern of an address that shares something."""

TIE = "\N{NO-BREAK SPACE}"
"""A space at which no line is broken, such as the one between a move's number and the move."""

_FENCE = "```"

_MAX_HEADING = 80
"""The greatest width of a heading, unless a narrow text is asked for: its second line is none."""

_MAX_LINK = 80
"""The greatest width of a link; one that would be longer has no label."""


@dataclass(frozen=True, slots=True)
class Share:
    """A text to paste, the address of its page, and that of the page that it is about.

    `twin` is the address of the same page for its reader alone, "" if there is none.
    """

    text: str
    here: str
    home: str
    twin: str = ""

    @property
    def is_wide(self) -> bool:
        """Whether a narrow screen cuts the text, whose address stays on one line in any case."""
        lines = self.text.splitlines()
        return is_wide_drawing("\n".join(line for line in lines if not line.startswith("=> ")))


def shared_text(
    preferences: Preferences,
    template: str,
    origin: str,
    links: Sequence[tuple[str, Message]],
    **context: object,
) -> str:
    """Return the text that a template renders, with its lines wrapped and the links below.

    These are paths with their labels. They lead to pages in the language of the text.
    """
    body = ui_render.render(template, context | {"preferences": preferences})
    lines = (
        _link(f"{origin}{address_in(path, PageLanguage(active_language()))}", label)
        for path, label in links
    )
    text = wrapped(body, min(preferences.columns, TEXT_COLUMNS))
    return "\n".join([text, "", *lines, ""])


def links_to_game(variant: Variant) -> Sequence[tuple[str, Message]]:
    """Return the links for people who have never seen a variant."""
    return (
        (f"/rules/{variant.key}", message("The rules of {variant}", variant=variant.name)),
        (f"/try/{variant.key}/", message("Try it without a certificate")),
    )


def _link(address: str, label: Message) -> str:
    link = f"=> {address} {ui_render.translate(label)}"
    return link if screen.width(link) <= _MAX_LINK else f"=> {address}"


def share_response(preferences: Preferences, form: str | None, share: Share) -> Response:
    """Return the text alone if `form` is ".gmi", else a page with the text in a block."""
    if form is not None:
        return text(share.text, active_language().gemtext)
    return page(preferences, "ui/share.gmi", share=share)


def wrapped(text: str, columns: int) -> str:
    r"""Return gemtext with its long lines of text broken; blocks stay as they are.

    What `TIE` holds together stays on one line.

    >>> print(wrapped(f"one two 3{TIE}x\n```\nx x x x\n```", 9))
    one two
    3 x
    ```
    x x x x
    ```
    """
    lines: list[str] = []
    in_block = False
    for line in text.splitlines():
        is_fence = line.startswith(_FENCE)
        in_block ^= is_fence
        if in_block or is_fence:
            lines.append(line)
            continue
        is_heading = line.startswith("#") and columns >= TEXT_COLUMNS
        lines += screen.wrapped(line, _MAX_HEADING if is_heading else columns) or [""]
    return "\n".join(lines).replace(TIE, " ")
