"""The first ratings of bots, from the score of each level against the one below it.

`measured/` has the ladder of each variant, as `oxonaut arena VARIANT --ladder --json` prints it: a
bot begins with its figure there. What it begins with is stored with its first rated game, and stays
when its ladder is measured again, since all its later ratings follow from it.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import accumulate
from pathlib import Path
from typing import Any

from capsule.ratings.model import INITIAL, INITIAL_RATING, POINTS_PER_MU, Holder, Rating, lead_for
from engine.bots.registry import ladders, levels_of

CLUB = "club"
"""The level that begins like a new player, and from which the others' leads are counted."""

UNCERTAINTY = 200
"""Two standard deviations of each: what levels are worth against people is not measured."""

_HOUSE = tuple(sorted(Path(__file__).with_name("measured").glob("*.json")))

ROUNDED_TO = 10
"""First ratings are not known to the point, and do not pretend to be."""


@dataclass(frozen=True)
class Scored:
    """The score of a level in games against the one below it, as ratings count points.

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
        """The share of the points, as if one more game had been drawn if it is one-sided."""
        if self.is_one_sided:
            return (self.points + 0.5) / (self.games + 1)
        return self.points / self.games


def first_ratings(levels: Sequence[str], climbed: Sequence[Scored]) -> Mapping[str, int]:
    """Return the ratings of levels by what each from the second on scored against the one below.

    >>> first_ratings(["novice", "club", "master"], [Scored(1, 4), Scored(10, 10)])
    {'novice': 1690, 'club': 1500, 'master': 2040}
    """
    leads = [0.0, *accumulate(lead_for(scored.share) for scored in climbed)]
    club = leads[levels.index(CLUB)]
    return {
        level: INITIAL_RATING + round((lead - club) / ROUNDED_TO) * ROUNDED_TO
        for level, lead in zip(levels, leads, strict=True)
    }


class NotALadder(ValueError):
    """A text is not a ladder that gives all levels ratings; it says why."""


@dataclass(frozen=True)
class MeasuredLadder:
    """The result of a measured ladder: the first rating of each level of a variant.

    `mean_plies` is the mean length of its games, None if the ladder does not say.
    """

    variant: str
    ratings: Mapping[Holder, Rating]
    mean_plies: float | None = None


def read_ladder(text: str) -> MeasuredLadder:
    """Return the ladder that `oxonaut arena VARIANT --ladder --json` has printed.

    Raises `NotALadder`.
    """
    try:
        data = json.loads(text)
        variant, numbers = str(data["variant"]), data["ratings"]
        plies = _mean_plies(data.get("matches", ()))
    except (ValueError, TypeError, KeyError) as error:
        raise NotALadder("this is not what a ladder prints with --json") from error
    if numbers is None:
        raise NotALadder("this ladder was stopped before every level had played")
    try:
        levels = levels_of(variant)
    except ValueError as error:
        raise NotALadder(f"there is no variant {variant} here") from error
    if not isinstance(numbers, dict) or numbers.keys() != levels.keys():
        raise NotALadder(f"this ladder does not rate {', '.join(levels)}, and no others")
    if not all(type(number) is int for number in numbers.values()):
        raise NotALadder("this ladder has ratings that are not whole numbers")
    return MeasuredLadder(
        variant,
        {Holder(variant, None, level): _begun_at(number) for level, number in numbers.items()},
        plies,
    )


def _mean_plies(matches: Sequence[Mapping[str, Any]]) -> float | None:
    games = sum(match["games"] for match in matches)
    plies = sum(match["thinking"][bot]["moves"] for match in matches for bot in "ab")
    return plies / games if games else None


def _begun_at(number: int) -> Rating:
    return Rating(
        INITIAL.mu + (number - INITIAL_RATING) / POINTS_PER_MU, UNCERTAINTY / 2 / POINTS_PER_MU
    )


def measured() -> Mapping[Holder, Rating]:
    """Return the ratings with which bots begin: by the capsule's ladders and those of plug-ins."""
    return _rated((*_HOUSE, *ladders()))


def mean_plies() -> Mapping[str, float]:
    """Return the mean number of moves of measured games, by the keys of variants."""
    read = _read((*_HOUSE, *ladders()))
    return {each.variant: each.mean_plies for each in read if each.mean_plies is not None}


@cache
def _rated(files: tuple[Path, ...]) -> Mapping[Holder, Rating]:
    return {holder: rating for each in _read(files) for holder, rating in each.ratings.items()}


@cache
def _read(files: tuple[Path, ...]) -> Sequence[MeasuredLadder]:
    return [read_ladder(path.read_text("utf-8")) for path in files]
