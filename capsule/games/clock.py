"""Time in correspondence games: days a move, vacations, what lapses.

Everything here is a pure function of stored facts and the time at which it is asked, so that a page
and the periodic sweep cannot differ.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import Enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


DAYS_PER_MOVE = (1, 2, 3, 5, 7, 14)
"""The days that a move may take; a game may also have no limit."""

DEFAULT_DAYS_PER_MOVE = 7

FORFEIT_FACTOR = 2
"""After so many times the days of a move a game ends by itself."""

REMINDER_SHARE = 0.8
"""The part of a move's time after which a player is reminded."""

OFFER_LIFETIME = timedelta(days=7)
"""How long a challenge, and a seat that is open to anyone, waits for somebody."""

MAX_VACATION_DAYS = 20
"""Days of vacation that a player may take in a calendar year."""

DAY = timedelta(days=1)


@dataclass(frozen=True)
class Vacation:
    """A time in which a player's clocks stand still: from `begins` until just before `ends`."""

    begins: datetime
    ends: datetime

    def covers(self, moment: datetime) -> bool:
        """Tell whether the player is away at that moment."""
        return self.begins <= moment < self.ends


class ClockState(Enum):
    """How a player stands with the clock."""

    IN_TIME = "in time"
    CLAIMABLE = "claimable"
    OVER = "over"


@dataclass(frozen=True)
class Clock:
    """The clock of the player to move: started at `began`, with so many `days` for the move.

    `vacations` are that player's, in any order; they do not overlap.
    """

    began: datetime
    days: int
    vacations: Sequence[Vacation] = ()

    @property
    def deadline(self) -> datetime:
        """When the time for the move is up, and the opponent may claim the game."""
        return self.moment_when_used(self.days * DAY)

    @property
    def end(self) -> datetime:
        """When the game ends by itself."""
        return self.moment_when_used(FORFEIT_FACTOR * self.days * DAY)

    @property
    def reminder(self) -> datetime:
        """When the player should be reminded."""
        return self.moment_when_used(REMINDER_SHARE * self.days * DAY)

    def state(self, now: datetime) -> ClockState:
        """Return how the player stands at a time; it only ever gets worse."""
        if now < self.deadline:
            return ClockState.IN_TIME
        return ClockState.CLAIMABLE if now < self.end else ClockState.OVER

    def used(self, now: datetime) -> timedelta:
        """Return the time that has run: since `began`, without the player's vacations."""
        away = sum((overlap(each, self.began, now) for each in self.vacations), start=timedelta(0))
        return max(now - self.began, timedelta(0)) - away

    def moment_when_used(self, time: timedelta) -> datetime:
        """Return the first moment at which so much time has run."""
        moment = self.began
        for vacation in sorted(self.vacations, key=lambda each: each.begins):
            if vacation.ends <= moment:
                continue
            runs = max(vacation.begins - moment, timedelta(0))
            if runs >= time:
                break
            time -= runs
            moment = vacation.ends
        return moment + time


def overlap(vacation: Vacation, begins: datetime, ends: datetime) -> timedelta:
    """Return how much of a vacation lies between two moments.

    >>> away = Vacation(datetime(2026, 12, 30, tzinfo=UTC), datetime(2027, 1, 4, tzinfo=UTC))
    >>> overlap(away, datetime(2027, 1, 1, tzinfo=UTC), datetime(2028, 1, 1, tzinfo=UTC)).days
    3
    """
    return max(min(vacation.ends, ends) - max(vacation.begins, begins), timedelta(0))


def current_vacation(vacations: Sequence[Vacation], now: datetime) -> Vacation | None:
    """Return the vacation that a player is on, or None."""
    return next((each for each in vacations if each.covers(now)), None)


def days_to_take(vacations: Sequence[Vacation], now: datetime) -> int:
    """Return the most days of vacation that a player may take from now on.

    A vacation over the turn of the year counts to each year with the days that lie in it.
    """
    fitting = (
        days for days in range(MAX_VACATION_DAYS, 0, -1) if _fits(vacations, now, now + days * DAY)
    )
    return next(fitting, 0)


def vacation_in_year(vacations: Sequence[Vacation], year: int) -> timedelta:
    """Return how much vacation a player has taken in a calendar year of UTC."""
    begins, ends = datetime(year, 1, 1, tzinfo=UTC), datetime(year + 1, 1, 1, tzinfo=UTC)
    return sum((overlap(each, begins, ends) for each in vacations), start=timedelta(0))


def _fits(vacations: Sequence[Vacation], begins: datetime, ends: datetime) -> bool:
    taken = (*vacations, Vacation(begins, ends))
    return not any(overlap(each, begins, ends) for each in vacations) and all(
        vacation_in_year(taken, year) <= MAX_VACATION_DAYS * DAY
        for year in {begins.year, ends.year}
    )
