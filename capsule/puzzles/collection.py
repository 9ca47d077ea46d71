"""Finding puzzles: by game and grade, the next one, and one to practise with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from capsule.puzzles import answers
from capsule.puzzles import queries as puzzle_queries
from capsule.puzzles.model import first_rating
from capsule.ratings.model import INITIAL
from engine import VARIANTS
from engine.puzzles import puzzles_of

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from capsule.accounts.model import Player
    from capsule.context import AppContext
    from capsule.puzzles.model import PuzzleId
    from capsule.ratings.model import Rating
    from engine import Variant
    from engine.puzzles import Puzzle

GRADES = range(1, 6)

BEGIN_WITH = ("ultimate", "numeric")
"""The variants with the puzzle to begin with: the first of them that has puzzles."""

RANGE = 150
"""The greatest difference in rating points between a player and a puzzle for practice."""

FIRST_GRADES = (1, 2)
"""The grades of puzzles for players without a rating."""

_RANDOM_BYTES = 8


@dataclass(frozen=True, slots=True)
class PuzzleGrade:
    """The puzzles of a grade of one variant, and those of them that are solved."""

    grade: int
    puzzles: Sequence[Puzzle]
    solved: Collection[int]


@dataclass(frozen=True, slots=True)
class VariantPuzzles:
    """The puzzles of one variant by grade, the easiest first; there may be none."""

    variant: Variant
    sections: Sequence[PuzzleGrade]

    @property
    def count(self) -> int:
        """The number of puzzles."""
        return sum(len(section.puzzles) for section in self.sections)

    @property
    def solved(self) -> int:
        """The number of solved puzzles."""
        return sum(len(section.solved) for section in self.sections)


def puzzles_by_grade(variant: str, solved: Collection[PuzzleId]) -> VariantPuzzles:
    """Return the puzzles of a variant by grade; `solved` are those that a player has solved."""
    sections = []
    for grade in GRADES:
        puzzles = [puzzle for puzzle in puzzles_of(variant) if puzzle.grade == grade]
        if puzzles:
            ids = {puzzle.number for puzzle in puzzles if answers.id_of(puzzle) in solved}
            sections.append(PuzzleGrade(grade, puzzles, ids))
    return VariantPuzzles(VARIANTS[variant], sections)


def puzzle_to_begin_with() -> Puzzle | None:
    """Return an easy puzzle of a game whose rules are learned at once, None without puzzles."""
    for variant in (*BEGIN_WITH, *VARIANTS):
        found = puzzles_of(variant) if variant in VARIANTS else ()
        if found:
            return min(found, key=lambda puzzle: (puzzle.grade, puzzle.number))
    return None


def next_unsolved(puzzle: Puzzle, solved: Collection[PuzzleId]) -> Puzzle | None:
    """Return the variant's next puzzle by number that is not solved, None if there is no other.

    After the last one comes the first.
    """
    puzzles = puzzles_of(puzzle.variant)
    following = (*puzzles[puzzle.number :], *puzzles[: puzzle.number - 1])
    return next((each for each in following if answers.id_of(each) not in solved), None)


def puzzle_to_practise(
    context: AppContext, player: Player | None, variant: str | None = None
) -> PuzzleId | None:
    """Return a puzzle that a player has not solved, near to their rating; of any variant or of one.

    Those that they have not tried go first. Without a player, it is an easy one. None if there
    is none left.
    """
    puzzles = [
        puzzle
        for each in ((variant,) if variant is not None else VARIANTS)
        for puzzle in puzzles_of(each)
    ]
    if player is None:
        easy = [puzzle for puzzle in puzzles if puzzle.grade in FIRST_GRADES]
        return _any(context, [answers.id_of(puzzle) for puzzle in easy or puzzles])
    with context.database.reading() as connection:
        rating = puzzle_queries.solver_rating(connection, player.id) or INITIAL
        ratings = puzzle_queries.puzzle_ratings_by_id(connection)
        solved = puzzle_queries.solved_puzzles(connection, player.id)
        begun = puzzle_queries.begun_puzzles(connection, player.id)
    distances = {
        answers.id_of(puzzle): abs(_rating(puzzle, ratings) - rating.number)
        for puzzle in puzzles
        if answers.id_of(puzzle) not in solved
    }
    untried = {each: distance for each, distance in distances.items() if each not in begun}
    candidates = untried or distances
    if not candidates:
        return None
    widest = max(RANGE, min(candidates.values()))
    return _any(context, [each for each, distance in candidates.items() if distance <= widest])


def _rating(puzzle: Puzzle, ratings: Mapping[PuzzleId, Rating]) -> int:
    known = ratings.get(answers.id_of(puzzle))
    return (known or first_rating(puzzle.grade)).number


def _any(context: AppContext, ids: Sequence[PuzzleId]) -> PuzzleId | None:
    if not ids:
        return None
    return ids[int.from_bytes(context.random_bytes(_RANDOM_BYTES)) % len(ids)]
