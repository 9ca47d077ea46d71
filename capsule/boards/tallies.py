"""Tallies of the moves made in a position, by people and by bots."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class Played:
    """Number of games and total score of a move."""

    times: int = 0
    points: float = 0.0

    def __add__(self, other: Played) -> Played:
        """Return both together."""
        return Played(self.times + other.times, self.points + other.points)

    def taken_back(self) -> Played:
        """Return the tally that undoes this one."""
        return Played(-self.times, -self.points)

    @property
    def percent(self) -> int:
        """The average score, in per cent of a win."""
        return round(100 * self.points / self.times) if self.times else 0


@dataclass(frozen=True, slots=True)
class Tally:
    """The number of times people and bots were to move in a position, or made a move there.

    `x_value` is what best play from then on brings X, None if that is not known.
    """

    people: Played = field(default_factory=Played)
    bots: Played = field(default_factory=Played)
    x_value: float | None = None

    def __add__(self, other: Tally) -> Tally:
        """Return both together."""
        value = other.x_value if self.x_value is None else self.x_value
        return Tally(self.people + other.people, self.bots + other.bots, value)

    def taken_back(self) -> Tally:
        """Return the tally that undoes this one."""
        return Tally(self.people.taken_back(), self.bots.taken_back(), self.x_value)

    @property
    def all(self) -> Played:
        """People and bots together."""
        return self.people + self.bots


Place = tuple[int, str]
"""A position, by its number, and a move made there, "" for the position itself."""


@dataclass(frozen=True, slots=True)
class Explored:
    """The statistics of a position: how often it was reached, and its next moves by name."""

    reached: Tally
    moves: Mapping[str, Tally]
