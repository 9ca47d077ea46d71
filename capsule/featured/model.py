"""The game of the week."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from capsule.games.model import StoredGame


WEEK = timedelta(days=7)
"""The time for which the operator's game stays."""

WAIT = timedelta(hours=1)
"""The time after midnight for which the choice waits for analyses that are due."""


@dataclass(frozen=True, slots=True)
class FeaturedGame:
    """A game of the week, with the operator's reason, or else the number of its turning points."""

    stored: StoredGame
    why: str
    turning_points: int


def week_of(moment: datetime) -> date:
    """Return the Monday of a moment's week.

    >>> week_of(datetime(2026, 11, 20, 14, 2, tzinfo=UTC)).isoformat()
    '2026-11-16'
    """
    day = moment.astimezone(UTC).date()
    return day - timedelta(days=day.weekday())


def beginning_of(week: date) -> datetime:
    """Return the moment at which a week begins, given its Monday."""
    return datetime.combine(week, time(), UTC)
