"""Answering puzzles: the effect of an answer on ratings, and a player's record as a solver.

The first answer of a player to a puzzle is the only one that changes ratings, unless they had a
hint before it. A right answer solves the puzzle, however many came before it, unless the player has
been shown the solution: then it counts as not found.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from capsule.puzzles import queries as puzzle_queries
from capsule.puzzles import schedule
from capsule.puzzles.model import (
    CountedAnswer,
    PuzzleId,
    Solver,
    first_rating,
    longest_streak,
    streak,
)
from capsule.ratings.model import INITIAL, updated

if TYPE_CHECKING:
    from collections.abc import Collection

    from capsule.accounts.model import Player
    from capsule.context import Transaction
    from capsule.puzzles.model import PuzzleAnswer
    from engine.puzzles import Puzzle

SOLVED, FAILED = (1.0, 0.0), (0.0, 1.0)
"""The points of the player and of the puzzle."""


def id_of(puzzle: Puzzle) -> PuzzleId:
    """Return the id under which a puzzle is stored."""
    return PuzzleId(puzzle.variant, puzzle.number)


def answer(transaction: Transaction, player: Player, puzzle: Puzzle, move: str) -> None:
    """Store a player's answer, a legal move, if it is their first or the first right one.

    Until the player knows the solution, it is also stored as tried. If it solves the position of
    the day, the day is stored, too, and whether it was new. To answer twice the same changes
    nothing.
    """
    connection, now = transaction.connection, transaction.now
    is_right = move in puzzle.solutions
    known = puzzle_queries.answer_of(connection, player.id, id_of(puzzle))
    if not known.knows_solution:
        puzzle_queries.add_try(connection, player.id, id_of(puzzle), move)
    made = known
    if known.move is None:
        made = replace(known, move=move, is_right=is_right, answered_at=now)
        if known.may_count:
            made = replace(made, counted=_count(transaction, player, puzzle, is_right=is_right))
    is_found = is_right and not known.is_shown
    if is_found and not known.is_solved:
        made = replace(made, solved_at=now)
    if made != known:
        puzzle_queries.save_answer(connection, player.id, made)
    if is_found and schedule.puzzle_on(now.date()) == id_of(puzzle):
        puzzle_queries.add_day(
            connection, player.id, now.date(), now, is_new=known.is_new_on(now.date())
        )


def record_hint(transaction: Transaction, player: Player, puzzle: Puzzle) -> None:
    """Record that a player asks for a hint, unless they have answered already."""
    known = puzzle_queries.answer_of(transaction.connection, player.id, id_of(puzzle))
    if known.may_count:
        made = replace(known, had_hint=True)
        puzzle_queries.save_answer(transaction.connection, player.id, made)


def record_solution_shown(transaction: Transaction, player: Player, puzzle: Puzzle) -> None:
    """Record that a player gives up and is shown the solution.

    It changes nothing if they have found it, or have neither answered nor had a hint yet.
    """
    known = puzzle_queries.answer_of(transaction.connection, player.id, id_of(puzzle))
    if known.may_give_up:
        made = replace(known, shown_at=transaction.now)
        puzzle_queries.save_answer(transaction.connection, player.id, made)


def answer_of(transaction: Transaction, player: Player, puzzle: Puzzle) -> PuzzleAnswer:
    """Return a player's record on a puzzle."""
    return puzzle_queries.answer_of(transaction.connection, player.id, id_of(puzzle))


def solved_by(transaction: Transaction, player: Player | None) -> Collection[PuzzleId]:
    """Return the puzzles that a player has solved, none without a player."""
    if player is None:
        return ()
    return puzzle_queries.solved_puzzles(transaction.connection, player.id)


def settled_by(transaction: Transaction, player: Player | None) -> Collection[PuzzleId]:
    """Return the puzzles that a player has solved, or been shown the solution of."""
    if player is None:
        return ()
    return puzzle_queries.settled_puzzles(transaction.connection, player.id)


def solver(transaction: Transaction, player: Player) -> Solver:
    """Return a player's record as a solver of puzzles."""
    connection = transaction.connection
    days = puzzle_queries.days_solved(connection, player.id)
    return Solver(
        rating=puzzle_queries.solver_rating(connection, player.id),
        solved=len(puzzle_queries.solved_puzzles(connection, player.id)),
        streak=streak(days, transaction.now.date()),
        best_streak=longest_streak(days),
    )


def _count(
    transaction: Transaction, player: Player, puzzle: Puzzle, *, is_right: bool
) -> CountedAnswer:
    """Change the ratings of a player and of a puzzle by a first answer."""
    connection, now = transaction.connection, transaction.now
    before = puzzle_queries.solver_rating(connection, player.id) or INITIAL
    known = puzzle_queries.puzzle_rating(connection, id_of(puzzle))
    puzzle_before = known or first_rating(puzzle.grade)
    after, puzzle_after = updated(before, puzzle_before, SOLVED if is_right else FAILED)
    puzzle_queries.save_solver_rating(connection, player.id, after, now)
    puzzle_queries.save_puzzle_rating(connection, id_of(puzzle), puzzle_after, now)
    return CountedAnswer(before, after, puzzle_before)
