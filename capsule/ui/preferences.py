"""A reader's preferences for how pages look: those that a player has chosen, or the defaults."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from capsule.languages import time_zones
from engine.style import ASCII, NARROW, UNICODE, Style

NARROW_PLOT = 32
"""The columns of a plot on a narrow screen: Amfora's margins leave 33 of 40."""

SWITCH = {"on": True, "off": False}
"""The values of a setting that is on or off."""


def setting(
    name: str, values: Mapping[str, object] = SWITCH, *, default: object, **also: object
) -> Any:  # noqa: ANN401 - a field of any type
    """Declare a field that players choose by links, by its name and its values in addresses.

    A choice sets other fields, too, as `also` says.
    """
    return field(default=default, metadata={"name": name, "values": values, "also": also})


@dataclass(frozen=True)
class Preferences:
    """A reader's preferences for how every page looks.

    `unicode_boards` draws boards with line-drawing characters instead of ASCII; `rulers` shows
    letters and numbers beside a board; `words_first` puts the position in words before the board.
    `narrow` limits boards and tables to 40 columns, and plots within 32. `time_zone` is a name
    in the IANA database, like "Europe/Vienna".
    """

    unicode_boards: bool = setting("boards", {"ascii": False, "unicode": True}, default=False)
    rulers: bool = setting("rulers", default=True)
    words_first: bool = setting("words", {"first": True, "apart": False}, default=False)
    narrow: bool = setting("narrow", default=False, width_chosen=True)
    time_zone: str = "UTC"

    @property
    def is_in_utc(self) -> bool:
        """Whether the time zone is UTC."""
        return self.time_zone == "UTC"

    @property
    def has_fixed_zone(self) -> bool:
        """Whether the time zone is a fixed offset from UTC, without summer time."""
        return time_zones.is_fixed(self.time_zone)

    @property
    def style(self) -> Style:
        """The style in which boards are drawn."""
        style = UNICODE if self.unicode_boards else ASCII
        if self.rulers and not self.narrow:
            return style
        return replace(style, rulers=self.rulers, columns=self.columns)

    @property
    def columns(self) -> int:
        """The greatest width of boards and tables, in columns of text."""
        return NARROW if self.narrow else ASCII.columns

    @property
    def plot_columns(self) -> int:
        """The greatest width of plots, of which a browser's margins must not hide the end."""
        return NARROW_PLOT if self.narrow else ASCII.columns


DEFAULT_PREFERENCES = Preferences()
"""The preferences of visitors without a certificate and of players who have not chosen any."""
