"""Puzzles as a feature, with the export of answers and ratings."""

from collections.abc import Mapping

from capsule.accounts.model import Player
from capsule.context import Transaction
from capsule.feature import Feature
from capsule.puzzles import model, queries
from capsule.puzzles.pages import daily, mistakes, puzzle


def export(transaction: Transaction, player: Player) -> Mapping[str, object]:
    """Return the player's rating and answers; erasure does not change the ratings of puzzles."""
    connection = transaction.connection
    rating = queries.solver_rating(connection, player.id)
    answers = queries.answers_of(connection, player.id)
    return {
        "puzzles.rating": None if rating is None else rating.exported(),
        "puzzles.answers": [_exported(each) for each in answers],
    }


def _exported(answer: model.PuzzleAnswer) -> Mapping[str, object]:
    return {
        "variant": answer.puzzle.variant,
        "number": answer.puzzle.number,
        "had_hint": answer.had_hint,
        "first_answer": answer.move,
        "right": answer.is_right,
        "answered": answer.answered_at and answer.answered_at.isoformat(),
        "solved": answer.solved_at and answer.solved_at.isoformat(),
        "solution_shown": answer.shown_at and answer.shown_at.isoformat(),
        "rating_after": None if answer.counted is None else answer.counted.after.exported(),
    }


FEATURE = Feature((*puzzle.ROUTES, *daily.ROUTES, *mistakes.ROUTES), queries.TABLES, export)
