"""The position of the day: today's and those before, how many have found it, and its feed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from capsule.puzzles import queries as puzzle_queries
from capsule.puzzles import schedule
from capsule.puzzles.lines import line
from capsule.puzzles.model import PuzzleId, longest_streak, streak
from capsule.ui import dates
from capsule.ui.atom import MAX_ENTRIES, Entry, Feed, FeedKind
from engine import VARIANTS
from engine.game import message
from engine.puzzles import puzzle as puzzle_of

if TYPE_CHECKING:
    from datetime import date, datetime

    from sqlalchemy import Connection

    from capsule.accounts.model import Player
    from capsule.context import Transaction
    from capsule.puzzles.lines import Line
    from engine import Message, Variant
    from engine.puzzles import Puzzle

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

    Beyond `MAX_COUNTED` nobody is counted.
    `is_solved` says that the player found it, `streak` and `best_streak` how many days in a row
    they have found them, now and at best. All three are empty for visitors who are no players.
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

    `tries` is the number of different answers up to the right one; None if it is not known. `days`
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
    found = schedule.puzzle_on(day)
    puzzle = None if found is None else puzzle_of(found.variant, found.number)
    return None if puzzle is None else DailyPosition(day, puzzle)


def standing(transaction: Transaction, day: date, player: Player | None) -> DailyStanding:
    """Return the results of a day, with those of a player."""
    connection, today = transaction.connection, transaction.now.date()
    found = puzzle_queries.count_solvers(connection, day, MAX_COUNTED + 1)
    if player is None:
        return DailyStanding(found)
    days = puzzle_queries.days_solved(connection, player.id)
    return DailyStanding(found, day in days, streak(days, today), longest_streak(days))


def own_result(connection: Connection, position: DailyPosition, player: Player | None) -> OwnResult:
    """Return a player's result of a day's position, an empty one without a player."""
    if player is None:
        return OwnResult()
    puzzle = position.puzzle
    puzzle_id = PuzzleId(puzzle.variant, puzzle.number)
    answer = puzzle_queries.answer_of(connection, player.id, puzzle_id)
    tried = puzzle_queries.moves_tried(connection, player.id, puzzle_id)
    days = puzzle_queries.days_solved(connection, player.id)
    # Before release 0.3.0, only the first answers were kept.
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
    """Return the feed of the positions of the last days; each comes at midnight."""
    days = (now.date() - number * schedule.ONE_DAY for number in range(MAX_ENTRIES))
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
    return Entry(position.path, schedule.midnight_of(position.day), title)
