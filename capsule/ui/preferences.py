"""How a reader wants pages: what a player has chosen, and what everybody else gets."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from engine.style import ASCII, UNICODE

if TYPE_CHECKING:
    from engine.style import Style


@dataclass(frozen=True)
class Preferences:
    """Someone's wishes for every page.

    `unicode_boards` draws boards with line-drawing characters instead of ASCII; `rulers` are the
    letters and numbers beside a board; `words_first` puts the position in words before the board.
    `time_zone` is a name of the IANA database, as in "Europe/Vienna".
    """

    unicode_boards: bool = False
    rulers: bool = True
    words_first: bool = False
    time_zone: str = "UTC"

    @property
    def is_in_utc(self) -> bool:
        """Whether the time zone is UTC."""
        return self.time_zone == "UTC"

    @property
    def style(self) -> Style:
        """How boards are drawn."""
        style = UNICODE if self.unicode_boards else ASCII
        return style if self.rulers else replace(style, rulers=False)


DEFAULT_PREFERENCES = Preferences()
"""Who comes without a certificate, or has chosen nothing."""
