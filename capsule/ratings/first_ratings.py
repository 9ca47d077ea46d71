"""With which ratings bots begin, by how each level did against the one below it."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING

from capsule.ratings.model import INITIAL_RATING, lead_for
from engine.bots.levels import LEVELS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

CLUB = "club"
"""The level that begins like a new player, and from which the others' leads are counted."""

ROUNDED_TO = 10
"""First ratings are not known to the point, and do not pretend to be."""


@dataclass(frozen=True)
class Scored:
    """What a level scored in games against the one below it, as ratings count points.

    >>> Scored(9.5, 10).share, Scored(10, 10).share, Scored(0, 3).share
    (0.95, 0.9545454545454546, 0.125)
    """

    points: float
    games: int

    @property
    def is_one_sided(self) -> bool:
        """Whether one side had all of the points, which no lead explains."""
        return self.points in (0, self.games)

    @property
    def share(self) -> float:
        """The share of the points, as if one more game had been drawn where it is one-sided."""
        if self.is_one_sided:
            return (self.points + 0.5) / (self.games + 1)
        return self.points / self.games


def first_ratings(climbed: Sequence[Scored]) -> Mapping[str, int]:
    """Return the ratings of all levels by what each from the second on scored against the last.

    >>> first_ratings([Scored(1, 2), Scored(3, 4), Scored(1, 4), Scored(10, 10)])
    {'novice': 1310, 'casual': 1310, 'club': 1500, 'expert': 1310, 'master': 1840}
    """
    leads = [0.0, *accumulate(lead_for(scored.share) for scored in climbed)]
    club = leads[LEVELS.index(CLUB)]
    return {
        level: INITIAL_RATING + round((lead - club) / ROUNDED_TO) * ROUNDED_TO
        for level, lead in zip(LEVELS, leads, strict=True)
    }
