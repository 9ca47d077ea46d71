"""Time in correspondence games: days per move, vacations, lifetimes of offers.

Everything here is a pure function of stored facts and the current time, so that a page and the
periodic sweep cannot disagree.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import Enum

Vacations = Mapping[int, Sequence["Vacation"]]


DAYS_PER_MOVE = (1, 2, 3, 5, 7, 14)
"""Time limits for a move, in days; a game may also have none."""

DEFAULT_DAYS_PER_MOVE = 7

FORFEIT_FACTOR = 2
"""A game ends automatically after this many times the time limit of a move."""

OFFER_LIFETIME = timedelta(days=7)
"""The lifetime of a challenge, or of a seat open to anyone."""

MAX_VACATION_DAYS = 20
"""Days of vacation that a player may take in a calendar year of UTC."""

DAY = timedelta(days=1)
HOUR = timedelta(hours=1)


@dataclass(frozen=True)
class Vacation:
    """A period in which a player's clocks stand still: from `begins` until just before `ends`."""

    begins: datetime
    ends: datetime

    def covers(self, moment: datetime) -> bool:
        """Return whether the vacation includes that moment."""
        return self.begins <= moment < self.ends


class ClockState(Enum):
    """The state of a player's clock."""

    IN_TIME = "in time"
    CLAIMABLE = "claimable"
    """The time for the move is up: the opponent may claim the game."""

    OVER = "over"
    """The time is up `FORFEIT_FACTOR` times over: the game ends automatically."""


@dataclass(frozen=True)
class Clock:
    """The clock of the player to move: it started at `began` and allows `days` for the move.

    `vacations` are that player's, in any order; they do not overlap.
    """

    began: datetime
    days: int
    vacations: Sequence[Vacation] = ()

    @property
    def deadline(self) -> datetime:
        """The time from which the opponent may claim the game."""
        return self.time_after(self.days * DAY)

    @property
    def end(self) -> datetime:
        """The time at which the game ends by itself."""
        return self.time_after(FORFEIT_FACTOR * self.days * DAY)

    @property
    def quarter(self) -> timedelta:
        """A quarter of the time for the move."""
        return self.days * DAY / 4

    @property
    def quarter_left(self) -> datetime:
        """The time at which the player is reminded that a quarter of the time is left."""
        return self.moment_left(self.quarter)

    def moment_left(self, time: timedelta) -> datetime:
        """Return the moment at which that much of the time for the move is left."""
        return self.time_after(self.days * DAY - time)

    def state(self, now: datetime) -> ClockState:
        """Return the clock's state at a time; it can only get worse."""
        if now < self.deadline:
            return ClockState.IN_TIME
        return ClockState.CLAIMABLE if now < self.end else ClockState.OVER

    def elapsed(self, now: datetime) -> timedelta:
        """Return the time that has run since `began`, without the player's vacations."""
        away = sum((overlap(each, self.began, now) for each in self.vacations), start=timedelta(0))
        return max(now - self.began, timedelta(0)) - away

    def time_after(self, time: timedelta) -> datetime:
        """Return the first moment at which that much time has elapsed on the clock."""
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
    """Return the length of the part of a vacation that lies between two moments.

    >>> away = Vacation(datetime(2026, 12, 30, tzinfo=UTC), datetime(2027, 1, 4, tzinfo=UTC))
    >>> overlap(away, datetime(2027, 1, 1, tzinfo=UTC), datetime(2028, 1, 1, tzinfo=UTC)).days
    3
    """
    return max(min(vacation.ends, ends) - max(vacation.begins, begins), timedelta(0))


def current_vacation(vacations: Sequence[Vacation], now: datetime) -> Vacation | None:
    """Return the vacation that includes `now`, or None."""
    return next((each for each in vacations if each.covers(now)), None)


def days_to_take(vacations: Sequence[Vacation], now: datetime) -> int:
    """Return the greatest number of days of vacation that a player may take from now on.

    A vacation that spans the turn of the year counts towards each year with the days in it.
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
