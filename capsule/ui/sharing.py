"""Texts to paste into a gemlog: narrow enough, with every block closed and the address last."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from capsule.ui import columns as screen
from capsule.ui import responses
from capsule.ui.language_addresses import address_in
from capsule.ui.languages import Speech, spoken
from capsule.ui.narrow_pages import is_wide
from capsule.ui.render import render
from engine.style import ASCII

if TYPE_CHECKING:
    from capsule.gemini.types import Response
    from capsule.ui.preferences import Preferences

COLUMNS = ASCII.columns
"""The greatest width of a line, as in all blocks, unless the address itself is longer."""

TEXT_COLUMNS = 54
"""The same of a line outside blocks: what Amfora shows in a terminal of 80 columns.

Browsers break the lines that are too long for them, and so no line is broken twice there.
"""

NAME = "Oxonaut"
"""The label of the address."""

FORM = r"share(?P<form>\.gmi)?"
"""The end of the pattern of an address that shares something."""

TIE = "\N{NO-BREAK SPACE}"
"""A space at which no line is broken, such as the one between a move's number and the move."""

_FENCE = "```"

_MAX_HEADING = 80
"""The greatest width of a heading, unless a narrow text is asked for: its second line is none."""


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
    preferences: Preferences, template: str, origin: str, path: str, **context: object
) -> str:
    """Return the text that a template renders, with its lines wrapped and the address below.

    The address is that of the page for visitors in the language of the text.
    """
    body = render(template, context | {"preferences": preferences})
    address = f"{origin}{address_in(Speech(spoken()), path)}"
    link = f"=> {address} {NAME}"
    if len(link) > COLUMNS:
        link = f"=> {address}"
    return f"{wrapped(body, min(preferences.columns, TEXT_COLUMNS))}\n\n{link}\n"


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
