"""Texts to paste into a gemlog: narrow enough, with every block closed and the links last."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from capsule.ui import columns as screen
from capsule.ui import responses
from capsule.ui.language_addresses import address_in
from capsule.ui.languages import Speech, spoken
from capsule.ui.narrow_pages import is_wide
from capsule.ui.render import render, translate
from engine.game import message
from engine.style import ASCII

if TYPE_CHECKING:
    from collections.abc import Sequence

    from capsule.gemini.types import Response
    from capsule.ui.preferences import Preferences
    from engine import Message, Variant

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
        return is_wide("\n".join(line for line in lines if not line.startswith("=> ")))


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
    body = render(template, context | {"preferences": preferences})
    lines = (_link(f"{origin}{address_in(Speech(spoken()), path)}", label) for path, label in links)
    text = wrapped(body, min(preferences.columns, TEXT_COLUMNS))
    return "\n".join([text, "", *lines, ""])


def links_to_game(variant: Variant) -> Sequence[tuple[str, Message]]:
    """Return the links for people who have never seen a variant."""
    return (
        (f"/rules/{variant.key}", message("The rules of {variant}", variant=variant.name)),
        (f"/try/{variant.key}/", message("Try it without a certificate")),
    )


def _link(address: str, label: Message) -> str:
    link = f"=> {address} {translate(label)}"
    return link if screen.width(link) <= _MAX_LINK else f"=> {address}"


def share_response(preferences: Preferences, form: str | None, share: Share) -> Response:
    """Return the text alone if `form` is ".gmi", else a page with the text in a block."""
    if form is not None:
        return responses.text(share.text, spoken().gemtext)
    return responses.page(preferences, "ui/share.gmi", share=share)


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
