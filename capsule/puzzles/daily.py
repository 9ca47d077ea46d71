"""The position of the day: its schedule, its results and its feed."""

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
from engine import VARIANTS, Message, Variant, message
from engine.puzzles import Puzzle, puzzle as puzzle_of

ONE_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Edition:
    """The puzzles in rotation from a day on: each variant, and the number of its last puzzle."""

    since: date
    up_to: tuple[tuple[str, int], ...]


EDITIONS: tuple[Edition, ...] = (
    Edition(
        date(2026, 11, 1),
        (("ultimate", 100), ("numeric", 100), ("tinc", 100), ("quantum", 100), ("extreme", 100)),
    ),
)
"""The editions in order. To add puzzles, append an edition that begins on a future day."""


def puzzle_on(day: date, editions: tuple[Edition, ...] | None = None) -> PuzzleId | None:
    """Return the puzzle of a day, None if the day is too early or there are no puzzles.

    >>> few = (Edition(date(2026, 11, 1), (("tinc", 2), ("numeric", 1))),)
    >>> [puzzle_on(date(2026, 11, day), few).variant for day in (1, 2, 3)]
    ['tinc', 'numeric', 'tinc']
    """
    editions = EDITIONS if editions is None else editions
    schedule = _schedule(day.year, editions)
    index = (day - editions[0].since).days
    return schedule[index] if 0 <= index < len(schedule) else None


def midnight_after(now: datetime) -> datetime:
    """Return the midnight that ends the day, in UTC, of a time.

    >>> midnight_after(datetime(2026, 11, 20, 14, 2, tzinfo=UTC))
    datetime.datetime(2026, 11, 21, 0, 0, tzinfo=datetime.timezone.utc)
    """
    return midnight_of(now.astimezone(UTC).date() + ONE_DAY)


def midnight_of(day: date) -> datetime:
    """Return the midnight in UTC at which a day begins."""
    return datetime.combine(day, time(tzinfo=UTC))


@cache
def _schedule(year: int, editions: tuple[Edition, ...]) -> Sequence[PuzzleId | None]:
    """Return the puzzle of each day, from the first day to the end of a year."""
    schedule: list[PuzzleId | None] = []
    upcoming = deque(editions)
    rotation: deque[str] = deque()
    unused: dict[str, deque[int]] = {}
    used: dict[str, deque[int]] = {}
    day = editions[0].since
    while day.year <= year:
        while upcoming and upcoming[0].since <= day:
            for variant, count in upcoming.popleft().up_to:
                if variant not in unused:
                    rotation.append(variant)
                    unused[variant], used[variant] = deque(), deque()
                last = len(unused[variant]) + len(used[variant])
                unused[variant].extend(_shuffled(variant, range(last + 1, count + 1)))
        if not any(unused.values()):
            # Every puzzle has been used: they are repeated in the same order.
            unused, used = used, unused
        schedule.append(_next(rotation, unused, used))
        day += ONE_DAY
    return schedule


def _next(
    rotation: deque[str], unused: Mapping[str, deque[int]], used: Mapping[str, deque[int]]
) -> PuzzleId | None:
    """Return the next puzzle, of the next variant in the rotation that has an unused one."""
    for variant in tuple(rotation):
        rotation.rotate(-1)
        if unused[variant]:
            number = unused[variant].popleft()
            used[variant].append(number)
            return PuzzleId(variant, number)
    return None


def _shuffled(variant: str, numbers: range) -> Sequence[int]:
    """Shuffle numbers into an order that is the same in every process and version."""
    return sorted(numbers, key=lambda number: sha256(f"{variant} {number}".encode()).digest())


CACHE_TAG = "daily"
"""The cache tag of pages that count the solvers of a position: see `capsule.db.changes`."""


MAX_COUNTED = 1_000
"""The highest number of solvers that a page shows; above it, the page says "more than"."""


@dataclass(frozen=True, slots=True)
class DailyPosition:
    """The position of a day."""

    day: date
    puzzle: Puzzle

    @property
    def variant(self) -> Variant:
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
        """The solution, as a whole line of moves."""
        return line(self.puzzle.variant, self.puzzle.moves, self.puzzle.line)


@dataclass(frozen=True, slots=True)
class DailyStanding:
    """The results of a day's position: the number of its solvers, and a player's own results.

    `found` is the number of players who solved it that day; counting stops above `MAX_COUNTED`.
    `is_solved` says whether the player solved it. `streak` and `best_streak` are the player's
    current and longest runs of days with the position solved. For visitors who are not players,
    these three keep their defaults.
    """

    found: int
    is_solved: bool = False
    streak: int = 0
    best_streak: int = 0

    @property
    def is_capped(self) -> bool:
        """Whether more players have solved it than are counted."""
        return self.found > MAX_COUNTED

    @property
    def counted(self) -> int:
        """The number of players who have solved it, at most `MAX_COUNTED`."""
        return min(self.found, MAX_COUNTED)


@dataclass(frozen=True, slots=True)
class OwnResult:
    """A player's result of a day's position, for them to share.

    `tries` is the number of distinct answers up to the right one, None if unknown. `days` is the
    length of the player's streak that day, 0 if the player did not solve it that day.
    """

    is_found: bool = False
    tries: int | None = None
    days: int = 0


def position_today(now: datetime) -> DailyPosition | None:
    """Return the position of today's date in UTC, which is the same for every player."""
    return position_on(now.date(), now)


def position_on(day: date, now: datetime) -> DailyPosition | None:
    """Return the position of a day, None for a future day or one before the first edition."""
    if day > now.date():
        return None
    found = puzzle_on(day)
    puzzle = None if found is None else puzzle_of(found.variant, found.number)
    return None if puzzle is None else DailyPosition(day, puzzle)


def standing(transaction: Transaction, day: date, player: Player | None) -> DailyStanding:
    """Return the results of a day, and a player's own results if there is a player."""
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
