"""The terms of a tournament: which game, days a move, seats, when it starts, which bots fill it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from capsule.games.clock import DAYS_PER_MOVE
from capsule.ui.query_terms import TermsRefused, read_choices, write_choices
from engine import VARIANTS
from engine.bots.levels import LEVELS

if TYPE_CHECKING:
    from collections.abc import Mapping


SEATS = tuple(range(3, 13))
"""How many can take part."""

DAYS_UNTIL_START = (1, 3, 7, 14)
"""How many days after its announcement a tournament may start."""

WHEN_FULL, NO_BOTS = "full", "none"


@dataclass(frozen=True)
class TournamentTerms:
    """What a player has chosen.

    `starts` is in how many days it starts with those who are there, None where it starts only when
    every seat is taken; `bots` is the level of the bot that takes the first of the seats that are
    empty then, None where they stay empty. Without a day there is nothing for bots to fill.
    """

    variant: str = "ultimate"
    days: int = 3
    seats: int = 6
    starts: int | None = 7
    rated: bool = True
    bots: str | None = None

    def __post_init__(self) -> None:
        if self.starts is None and self.bots is not None:
            raise TermsRefused("bots fill seats on the day of the start")

    @property
    def query(self) -> str:
        """The terms as they stand in a URL, without those that are as usual.

        >>> TournamentTerms().query, TournamentTerms(variant="tinc", starts=None).query
        ('', 'variant=tinc&starts=full')
        """
        return write_choices(_written(self), _written(TournamentTerms()))


def read(query: str | None) -> TournamentTerms:
    """Return the terms that `TournamentTerms.query` wrote; what is not said is as usual.

    Raises `TermsRefused` where something else is said, or something twice.

    >>> read("seats=4&bots=club").bots
    'club'
    """
    values = _written(TournamentTerms()) | read_choices(query, _VALUES)
    return TournamentTerms(
        variant=values["variant"],
        days=int(values["days"]),
        seats=int(values["seats"]),
        starts=None if values["starts"] == WHEN_FULL else int(values["starts"]),
        rated=values["rated"] == "yes",
        bots=None if values["bots"] == NO_BOTS else values["bots"],
    )


_VALUES: Mapping[str, tuple[str, ...]] = {
    "variant": tuple(VARIANTS),
    "days": tuple(str(days) for days in DAYS_PER_MOVE),
    "seats": tuple(str(seats) for seats in SEATS),
    "starts": (*(str(days) for days in DAYS_UNTIL_START), WHEN_FULL),
    "rated": ("yes", "no"),
    "bots": (*LEVELS, NO_BOTS),
}


def _written(terms: TournamentTerms) -> dict[str, str]:
    return {
        "variant": terms.variant,
        "days": str(terms.days),
        "seats": str(terms.seats),
        "starts": WHEN_FULL if terms.starts is None else str(terms.starts),
        "rated": "yes" if terms.rated else "no",
        "bots": terms.bots or NO_BOTS,
    }
