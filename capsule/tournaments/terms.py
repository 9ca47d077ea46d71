"""The terms of a tournament: variant, days per move, seats, start, ratings and bots."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from capsule.games.clock import DAYS_PER_MOVE
from capsule.games.eligibility import MAX_BOTS
from capsule.tournaments.model import bots_near
from capsule.ui.paging import TermsRefused, read_choices, write_choices
from engine import VARIANTS
from engine.bots.levels import MAIN_LEVELS

SEAT_COUNTS = tuple(range(3, 13))
"""The numbers of seats that a tournament may have."""

DAYS_UNTIL_START = (1, 3, 7, 14)
"""The days after which a tournament may start."""

AT_ONCE = 0
"""The days until the start of a tournament that starts when it is announced."""

_STARTS: Mapping[str, int | None] = {
    "now": AT_ONCE,
    **{str(days): days for days in DAYS_UNTIL_START},
    "full": None,
}
"""The days until each start, by its word in addresses."""


@dataclass(frozen=True, slots=True)
class TournamentTerms:
    """The terms that a player has chosen.

    `starts_in` is the number of days after which the tournament starts with the players who are
    there; with None, it starts only when every seat is taken. `fill_level` is the level of the bot
    that takes the first of the seats still empty on that day, one of `MAIN_LEVELS`; None if they
    stay empty. Without a day there is nothing for bots to fill, and nobody but bots can take seats
    `AT_ONCE`: if the two do not fit, `TermsRefused` is raised.
    """

    variant: str = "ultimate"
    days_per_move: int = 3
    seat_count: int = 6
    starts_in: int | None = 7
    rated: bool = True
    fill_level: str | None = None

    def __post_init__(self) -> None:
        if self.starts_in is None and self.fill_level is not None:
            raise TermsRefused("bots fill seats on the day of the start")
        if self.starts_at_once and self.fill_level is None:
            raise TermsRefused("nobody but bots is there at once")

    @property
    def seats(self) -> int:
        """The number of its players if all seats are taken: bots alone cannot fill more seats.

        >>> TournamentTerms(seat_count=12, starts_in=AT_ONCE, fill_level="club").seats
        6
        """
        most = 1 + MAX_BOTS if self.starts_at_once else self.seat_count
        return min(self.seat_count, most)

    @property
    def bots(self) -> Sequence[str]:
        """The levels of its bots if they take every seat but the announcer's."""
        return bots_near(self.variant, self.fill_level, self.seats - 1)

    @property
    def starts_at_once(self) -> bool:
        """Whether it starts when it is announced, with its announcer and bots."""
        return self.starts_in == AT_ONCE

    @classmethod
    def parse(cls, query: str | None) -> "TournamentTerms":
        """Return the terms of a query that `TournamentTerms.query` has written.

        Raises `TermsRefused` for any other query.

        >>> TournamentTerms.parse("seats=4&bots=club").fill_level
        'club'
        """
        values = _values()
        choices = read_choices(query, {name: words for name, (_, words) in values.items()})
        return cls(**{values[name][0]: values[name][1][word] for name, word in choices.items()})

    @property
    def query(self) -> str:
        """The terms as the query of an address, which says in any case whether games are rated.

        >>> TournamentTerms().query, TournamentTerms(variant="tinc", starts_in=None).query
        ('rated=yes', 'variant=tinc&starts=full&rated=yes')
        >>> TournamentTerms(starts_in=AT_ONCE, rated=False, fill_level="club").query
        'starts=now&rated=no&bots=club'
        """
        changed = {
            name: next(word for word, value in words.items() if value == getattr(self, field))
            for name, (field, words) in _values().items()
            if name == "rated" or getattr(self, field) != getattr(TournamentTerms(), field)
        }
        return write_choices(changed, {})


def _values() -> Mapping[str, tuple[str, Mapping[str, Any]]]:
    """Return the field of each term, and its values by their words, by its name in addresses."""
    return {
        # Asked each time, since variants can be registered after this module is imported.
        "variant": ("variant", {key: key for key in VARIANTS}),
        "days": ("days_per_move", {str(days): days for days in DAYS_PER_MOVE}),
        "seats": ("seat_count", {str(seats): seats for seats in SEAT_COUNTS}),
        "starts": ("starts_in", _STARTS),
        "rated": ("rated", {"yes": True, "no": False}),
        "bots": ("fill_level", {**{level: level for level in MAIN_LEVELS}, "none": None}),
    }
