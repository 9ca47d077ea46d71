"""The schedule of the positions of the day: the same for everybody, and fixed for ever.

The variants take turns, as long as they have puzzles left. Of each, the puzzles come in an order
that cannot be guessed from their numbers, and each comes once before any comes again. Puzzles that
are added later wait for the day of their edition, so that no day before it changes.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from functools import cache
from hashlib import sha256
from typing import TYPE_CHECKING

from capsule.puzzles.model import PuzzleId

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

ONE_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Edition:
    """The puzzles that take their turn from a day on: of each variant, those up to a number."""

    since: date
    up_to: tuple[tuple[str, int], ...]


EDITIONS: tuple[Edition, ...] = (
    Edition(
        date(2026, 11, 1),
        (("ultimate", 100), ("numeric", 100), ("tinc", 100), ("quantum", 100), ("extreme", 100)),
    ),
)
"""The editions in order: when puzzles are added, another one follows, with a day still to come."""


def first_day() -> date:
    """Return the first day that had a position."""
    return EDITIONS[0].since


def puzzle_on(day: date, editions: tuple[Edition, ...] | None = None) -> PuzzleId | None:
    """Return the puzzle of a day, None if the day is too early or there are no puzzles.

    >>> few = (Edition(date(2026, 11, 1), (("tinc", 2), ("numeric", 1))),)
    >>> [puzzle_on(date(2026, 11, day), few).variant for day in (1, 2, 3)]
    ['tinc', 'numeric', 'tinc']
    """
    editions = EDITIONS if editions is None else editions
    chosen = _until(day.year, editions)
    index = (day - editions[0].since).days
    return chosen[index] if 0 <= index < len(chosen) else None


def midnight_after(now: datetime) -> datetime:
    """Return the midnight in UTC that ends a moment's day.

    >>> midnight_after(datetime(2026, 11, 20, 14, 2, tzinfo=UTC))
    datetime.datetime(2026, 11, 21, 0, 0, tzinfo=datetime.timezone.utc)
    """
    return midnight_of(now.astimezone(UTC).date() + ONE_DAY)


def midnight_of(day: date) -> datetime:
    """Return the midnight in UTC with which a day begins."""
    return datetime.combine(day, time(tzinfo=UTC))


@cache
def _until(year: int, editions: tuple[Edition, ...]) -> Sequence[PuzzleId | None]:
    """Return the puzzles of all days from the first to the end of a year."""
    chosen: list[PuzzleId | None] = []
    waiting = deque(editions)
    turns: deque[str] = deque()
    fresh: dict[str, deque[int]] = {}
    used: dict[str, deque[int]] = {}
    day = editions[0].since
    while day.year <= year:
        while waiting and waiting[0].since <= day:
            for variant, count in waiting.popleft().up_to:
                if variant not in fresh:
                    turns.append(variant)
                    fresh[variant], used[variant] = deque(), deque()
                known = len(fresh[variant]) + len(used[variant])
                fresh[variant].extend(_shuffled(variant, range(known + 1, count + 1)))
        if not any(fresh.values()):
            # All have had their day: from here on they come again, in the same order.
            fresh, used = used, fresh
        chosen.append(_next(turns, fresh, used))
        day += ONE_DAY
    return chosen


def _next(
    turns: deque[str], fresh: Mapping[str, deque[int]], used: Mapping[str, deque[int]]
) -> PuzzleId | None:
    """Return the next puzzle: of the variant whose turn it is, or the next that has one left."""
    for variant in tuple(turns):
        turns.rotate(-1)
        if fresh[variant]:
            number = fresh[variant].popleft()
            used[variant].append(number)
            return PuzzleId(variant, number)
    return None


def _shuffled(variant: str, numbers: range) -> Sequence[int]:
    """Return numbers in an order that is the same in every process and version."""
    return sorted(numbers, key=lambda number: sha256(f"{variant} {number}".encode()).digest())
