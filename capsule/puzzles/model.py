"""Players and puzzles: answers, ratings, and the days that were solved."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import lru_cache

from capsule.errors import Refused
from capsule.ratings.model import POINTS_PER_MU, Rating, format_change
from capsule.ui.boards import linked_moves
from engine import VARIANTS, Message, MoveError, Position, Style, Variant, View, in_context
from engine.puzzles import Puzzle

MIDDLE_GRADE = 3
"""The grade whose puzzles begin with the rating of a new player."""

POINTS_PER_GRADE = 200
"""Rating points between one grade and the next."""

FORGOTTEN_AFTER = timedelta(days=365)
"""The time after which a solved puzzle is new to its solver again."""

FIRST_SIGMA = 200 / (2 * POINTS_PER_MU)
"""The standard deviation of a puzzle's first rating: within 200 points, one grade."""


@dataclass(frozen=True, slots=True, order=True)
class PuzzleId:
    """The id of a puzzle: its variant's key, and its number among the variant's puzzles."""

    variant: str
    number: int


def id_of(puzzle: Puzzle) -> PuzzleId:
    """Return the id under which a puzzle is stored."""
    return PuzzleId(puzzle.variant, puzzle.number)


@dataclass(frozen=True, slots=True)
class CountedAnswer:
    """The effect of the first answer to a puzzle on the player's rating.

    Of the player's rating `before` it and of the `puzzle`'s then, the numbers alone are stored.
    """

    before: Rating
    after: Rating
    puzzle: Rating

    @property
    def change(self) -> str:
        """The difference that it made to the number shown, with a sign."""
        return format_change(self.before, self.after)


@dataclass(frozen=True, slots=True)
class PuzzleAnswer:
    """A player's record on a puzzle that they have begun.

    `move` is their first answer, None while they have only had a hint; `is_right` says whether it
    solved the puzzle. `had_hint` says that they asked for a hint before it, so that it did not
    count. `solved_at` is when they first solved it, by whichever answer, and `counted` what the
    first answer did to the ratings, if it counted. `shown_at` is when the solution was shown to
    them before they had found it: from then on it counts as not found.
    """

    puzzle: PuzzleId
    had_hint: bool = False
    move: str | None = None
    is_right: bool | None = None
    answered_at: datetime | None = None
    solved_at: datetime | None = None
    shown_at: datetime | None = None
    counted: CountedAnswer | None = None

    @property
    def is_solved(self) -> bool:
        """Whether the player has solved it."""
        return self.solved_at is not None

    @property
    def knows_solution(self) -> bool:
        """Whether the player has found the solution or been shown it."""
        return self.is_solved or self.shown_at is not None

    @property
    def may_give_up(self) -> bool:
        """Whether the player may give it up: after an answer or a hint, before they know it."""
        return not (self.knows_solution or self.may_count)

    @property
    def may_count(self) -> bool:
        """Whether the next answer counts for the ratings: the first one, without a hint."""
        return self.move is None and not self.had_hint

    def is_new_on(self, day: date) -> bool:
        """Return whether the solution is new to the player on a day, or was found long before.

        Positions of the day come again after more than a year.
        """
        solved = self.solved_at and self.solved_at.date()
        return solved is None or solved == day or day - solved > FORGOTTEN_AFTER


def first_rating(grade: int) -> Rating:
    """Return the rating with which a puzzle of a grade, from 1 to 5, begins.

    >>> [first_rating(grade).text for grade in (1, 3, 5)]
    ['1100 ± 200', '1500 ± 200', '1900 ± 200']
    """
    points = POINTS_PER_GRADE * (grade - MIDDLE_GRADE)
    return Rating(Rating().mu + points / POINTS_PER_MU, FIRST_SIGMA)


def streak(days: Collection[date], today: date) -> int:
    """Return the number of consecutive days among `days` that end today or yesterday.

    >>> streak({date(2026, 11, 20), date(2026, 11, 21)}, today=date(2026, 11, 22))
    2
    >>> streak({date(2026, 11, 20)}, today=date(2026, 11, 22))
    0
    """
    day = today if today in days else today - timedelta(days=1)
    count = 0
    while day in days:
        count += 1
        day -= timedelta(days=1)
    return count


def longest_streak(days: Collection[date]) -> int:
    """Return the largest number of consecutive days among `days`.

    >>> longest_streak({date(2026, 11, day) for day in (1, 2, 3, 7, 8)})
    3
    """
    following = (day for day in days if day + timedelta(days=1) not in days)
    return max((streak(days, last) for last in following), default=0)


KEPT_POSITIONS = 500
"""The number of positions that are cached instead of being replayed."""


@dataclass(frozen=True, slots=True)
class Line:
    """Moves from a position on: `before` are those that led to it, `moves` those of the line.

    `positions` are the one before the first move of the line and those after each of them.
    """

    variant: Variant
    before: tuple[str, ...]
    moves: tuple[str, ...]
    positions: tuple[Position, ...]

    @property
    def position(self) -> Position:
        """The position at the end."""
        return self.positions[-1]

    @property
    def played(self) -> tuple[str, ...]:
        """All moves from the start of the game."""
        return (*self.before, *self.moves)

    @property
    def ply(self) -> int:
        """The number of moves that led to the position at the end."""
        return len(self.before) + len(self.moves)

    @property
    def latest(self) -> Sequence[str]:
        """The cells that the last move has marked."""
        if self.moves:
            return self.positions[-2].marked_by(self.moves[-1])
        if self.before:
            return _replayed(self.variant, self.before[:-1]).marked_by(self.before[-1])
        return ()

    def parse(self, typed: str) -> str:
        """Return the move that was typed for the position at the end.

        Raises `Refused` if it is not legal.
        """
        try:
            return self.position.parse(typed)
        except MoveError as error:
            raise Refused(error.message) from error

    @property
    def move_links(self) -> Sequence[str]:
        """The moves at the end that are linked: all of them, if there are few."""
        return linked_moves(self.position)

    def up_to_reply(self) -> "Line":
        """Return the line up to the first move of the other side; all of it if there is none."""
        side = self.positions[0].turn
        moves = zip(self.positions, self.moves, strict=False)
        count = next((n for n, (before, _) in enumerate(moves, 1) if before.turn is not side), None)
        if count is None:
            return self
        return Line(self.variant, self.before, self.moves[:count], self.positions[: count + 1])

    def view(self, style: Style, around: str | None = None) -> View:
        """Return the board at the end, as a page shows it."""
        return self.position.view(around, style, self.latest)

    @property
    def narration(self) -> Message:
        """The moves of the line, each with the side that plays it: "X e5, O d4"."""
        moves = (
            in_context(
                "a move in a list",
                "{side} {move}",
                side=self.variant.side_name(before.turn),
                move=move,
            )
            for before, move in zip(self.positions, self.moves, strict=False)
        )
        return Message("{moves}", {"moves": tuple(moves)})


def line(variant: str, before: Sequence[str], moves: Sequence[str] = ()) -> Line:
    """Return the line of `moves` after those `before` them; raises the engine's errors."""
    played = VARIANTS[variant]
    positions = [_replayed(played, tuple(before))]
    for move in moves:
        positions.append(positions[-1].play(move))
    return Line(played, tuple(before), tuple(moves), tuple(positions))


@lru_cache(KEPT_POSITIONS)
def _replayed(variant: Variant, moves: tuple[str, ...]) -> Position:
    return variant.replay(moves)
