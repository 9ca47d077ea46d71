"""The position of the day: today's and those before, how many have found it, and its feed."""

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from functools import cache
from hashlib import sha256

import sqlalchemy as sa

from capsule.accounts.model import Player
from capsule.context import Transaction
from capsule.languages import dates
from capsule.puzzles import queries
from capsule.puzzles.model import Line, PuzzleId, id_of, line, longest_streak, streak
from capsule.ui.atom import MAX_ENTRIES, Entry, Feed, FeedKind
from engine import VARIANTS, Message, Variant
from engine.game import message
from engine.puzzles import Puzzle, puzzle as puzzle_of

ONE_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Edition:
    """The puzzles in rotation from a day on: of each variant, those up to a number."""

    since: date
    up_to: tuple[tuple[str, int], ...]


EDITIONS: tuple[Edition, ...] = (
    Edition(
        date(2026, 11, 1),
        (("ultimate", 100), ("numeric", 100), ("tinc", 100), ("quantum", 100), ("extreme", 100)),
    ),
)
"""The editions in order: when puzzles are added, another one follows, with a day still to come."""


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


CACHE_TAG = "daily"
"""The cache tag of pages that show how many have solved a position: see `capsule.db.changes`."""


MAX_COUNTED = 1_000
"""The highest number of solvers that a page shows; beyond it, it says "more than"."""


@dataclass(frozen=True, slots=True)
class DailyPosition:
    """The position of a day."""

    day: date
    puzzle: Puzzle

    @property
    def variant(self) -> Variant:
        """The variant of the position."""
        return VARIANTS[self.puzzle.variant]

    @property
    def date(self) -> Message:
        """The day in words."""
        return dates.in_words(self.day)

    @property
    def path(self) -> str:
        """The permanent address of its page."""
        return f"/daily/{self.day.isoformat()}"

    @property
    def solution(self) -> Line:
        """The whole line."""
        return line(self.puzzle.variant, self.puzzle.moves, self.puzzle.line)


@dataclass(frozen=True, slots=True)
class DailyStanding:
    """The results of a day: how many `found` its position that day, and a player's own days.

    Counting stops beyond `MAX_COUNTED`.
    `is_solved` says that the player found it, `streak` and `best_streak` how many days in a row
    they have found them, now and at best. All three are empty for visitors who are not players.
    """

    found: int
    is_solved: bool = False
    streak: int = 0
    best_streak: int = 0

    @property
    def is_capped(self) -> bool:
        """Whether more have found it than are counted."""
        return self.found > MAX_COUNTED

    @property
    def counted(self) -> int:
        """The number of players who have found it, at most `MAX_COUNTED`."""
        return min(self.found, MAX_COUNTED)


@dataclass(frozen=True, slots=True)
class OwnResult:
    """A player's result of a day's position, for them to share.

    `tries` is the number of different answers up to the right one, None if unknown. `days`
    is the number of days in a row that ended that day, 0 if the player did not find it that day.
    """

    is_found: bool = False
    tries: int | None = None
    days: int = 0


def position_today(now: datetime) -> DailyPosition | None:
    """Return the position of the current day in UTC, which is the same for everybody."""
    return position_on(now.date(), now)


def position_on(day: date, now: datetime) -> DailyPosition | None:
    """Return the position of a day, None for a day that is still to come or too long ago."""
    if day > now.date():
        return None
    found = puzzle_on(day)
    puzzle = None if found is None else puzzle_of(found.variant, found.number)
    return None if puzzle is None else DailyPosition(day, puzzle)


def standing(transaction: Transaction, day: date, player: Player | None) -> DailyStanding:
    """Return the results of a day, with those of a player."""
    connection, today = transaction.connection, transaction.now.date()
    found = queries.count_solvers(connection, day, MAX_COUNTED + 1)
    if player is None:
        return DailyStanding(found)
    days = queries.days_solved(connection, player.id)
    return DailyStanding(found, day in days, streak(days, today), longest_streak(days))


def own_result(
    connection: sa.Connection, position: DailyPosition, player: Player | None
) -> OwnResult:
    """Return a player's result of a day's position, an empty one without a player."""
    if player is None:
        return OwnResult()
    puzzle = position.puzzle
    answer = queries.answer_of(connection, player.id, id_of(puzzle))
    tried = queries.moves_tried(connection, player.id, id_of(puzzle))
    days = queries.days_solved(connection, player.id)
    # Before release 0.3.0, only first answers were stored.
    is_known = not (answer.is_solved and tried.isdisjoint(puzzle.solutions))
    return OwnResult(
        answer.is_solved,
        len(tried) if is_known else None,
        streak(days, position.day) if position.day in days else 0,
    )


def is_of_today(puzzle: Puzzle, now: datetime) -> bool:
    """Return whether a puzzle is the position of the day."""
    position = position_today(now)
    return position is not None and position.puzzle == puzzle


def feed(now: datetime) -> Feed:
    """Return the feed of the positions of the last days; each is published at midnight."""
    days = (now.date() - number * ONE_DAY for number in range(MAX_ENTRIES))
    positions = (position_on(day, now) for day in days)
    return Feed(
        FeedKind.DAILY,
        path="/daily/feed",
        home="/daily/",
        title=message("Oxonaut: the position of the day"),
        entries=[_entry(position) for position in positions if position is not None],
    )


def _entry(position: DailyPosition) -> Entry:
    title = message(
        "{variant}, {side} to move, grade {grade}",
        variant=position.variant.name,
        side=position.puzzle.side_name(position.puzzle.side),
        grade=position.puzzle.grade,
    )
    return Entry(position.path, midnight_of(position.day), title)
