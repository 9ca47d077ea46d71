"""Reading and writing answers to puzzles, and the ratings of players and puzzles."""

from collections.abc import Collection, Mapping, Sequence, Set as AbstractSet
from datetime import date, datetime
from typing import Any

import sqlalchemy as sa

from capsule.accounts.model import Player
from capsule.db.expressions import insertion, save
from capsule.db.mapper import Mapper, Stored
from capsule.db.schema.puzzles import (
    daily_solutions,
    mistake_solutions,
    puzzle_answers,
    puzzle_ratings,
    puzzle_tries,
    solver_ratings,
)
from capsule.puzzles.model import CountedAnswer, PuzzleAnswer, PuzzleId
from capsule.ratings.model import Rating

TABLES = (puzzle_answers, puzzle_tries, daily_solutions, mistake_solutions, solver_ratings)
"""The tables with data of players."""


def _rating_in(table: sa.Table) -> Mapper[Rating]:
    return Mapper(Rating, table, games=table.c.answers, opponents=None)


def _counted(
    before: float | None, mu: float | None, sigma: float | None, puzzle: float | None
) -> CountedAnswer | None:
    if before is None or mu is None or sigma is None or puzzle is None:
        return None
    return CountedAnswer(Rating(before), Rating(mu, sigma), Rating(puzzle))


def _stored_counted(counted: CountedAnswer) -> Sequence[float]:
    return counted.before.mu, counted.after.mu, counted.after.sigma, counted.puzzle.mu


# Statements of pages are built once: building one costs more than executing it.
_RECORD = Mapper(
    PuzzleAnswer,
    puzzle_answers,
    counted=Stored(
        (
            puzzle_answers.c.mu_before,
            puzzle_answers.c.mu,
            puzzle_answers.c.sigma,
            puzzle_answers.c.puzzle_mu,
        ),
        _counted,
        _stored_counted,
    ),
)
_SOLVER_RATING = _rating_in(solver_ratings)
_PUZZLE_RATING = _rating_in(puzzle_ratings)
_ID = Mapper(PuzzleId, puzzle_answers)


def _at(table: sa.Table, *keys: str) -> sa.ColumnElement[bool]:
    return sa.and_(*(table.c[key] == sa.bindparam(key) for key in keys))


_PUZZLE = ("player_id", "variant", "number")
_ANSWER = _RECORD.select.where(_at(puzzle_answers, *_PUZZLE))
_TRIES = sa.select(puzzle_tries.c.move).where(_at(puzzle_tries, *_PUZZLE))
BEGUN = _ID.select.where(_at(puzzle_answers, "player_id"))
"""The puzzles that a player has answered, or for which they have had a hint."""

SOLVED = BEGUN.where(puzzle_answers.c.solved_at.is_not(None))
"""Those that the player has solved."""

SETTLED = BEGUN.where(
    puzzle_answers.c.solved_at.is_not(None) | puzzle_answers.c.shown_at.is_not(None)
)
"""Those whose solution the player has found or been shown."""

_DAYS = sa.select(daily_solutions.c.day).where(_at(daily_solutions, "player_id"))
_SOLVERS = sa.select(sa.func.count()).select_from(
    sa.select(daily_solutions.c.day)
    .where(_at(daily_solutions, "day"))
    .limit(sa.bindparam("limit", type_=sa.Integer))
    .subquery()
)
_SOLVER = _SOLVER_RATING.select.where(_at(solver_ratings, "player_id"))


def answer_of(connection: sa.Connection, player_id: int, puzzle: PuzzleId) -> PuzzleAnswer:
    """Return a player's record on a puzzle, an empty one if nothing is stored."""
    found = _RECORD.fetch_first(connection, _ANSWER, _key_of(player_id, puzzle))
    return PuzzleAnswer(puzzle) if found is None else found


def save_answer(connection: sa.Connection, player_id: int, answer: PuzzleAnswer) -> None:
    """Store a player's record on a puzzle, replacing an earlier one; the player is locked."""
    save(connection, puzzle_answers, {"player_id": player_id, **_RECORD.values(answer)})


def moves_tried(connection: sa.Connection, player_id: int, puzzle: PuzzleId) -> AbstractSet[str]:
    """Return the distinct answers that a player has tried, up to the right one."""
    return set(connection.execute(_TRIES, _key_of(player_id, puzzle)).scalars())


def add_try(connection: sa.Connection, player_id: int, puzzle: PuzzleId, move: str) -> None:
    """Store that a player has tried an answer, unless that is stored already."""
    _add_once(connection, puzzle_tries, **_key_of(player_id, puzzle), move=move)


def ids_of(
    connection: sa.Connection, puzzles: sa.Select[tuple[str, int]], player: Player | None
) -> Collection[PuzzleId]:
    """Return the ids of the `BEGUN`, `SOLVED` or `SETTLED` puzzles of a player, if there is one."""
    if player is None:
        return ()
    return set(_ID.fetch_all(connection, puzzles, {"player_id": player.id}))


def solver_rating(connection: sa.Connection, player_id: int) -> Rating | None:
    """Return a player's rating as a solver of puzzles, None while no answer has counted."""
    return _SOLVER_RATING.fetch_first(connection, _SOLVER, {"player_id": player_id})


def save_solver_rating(
    connection: sa.Connection, player_id: int, rating: Rating, changed_at: datetime
) -> None:
    """Store a player's rating as a solver of puzzles."""
    values = {"changed_at": changed_at, **_SOLVER_RATING.values(rating)}
    save(connection, solver_ratings, {"player_id": player_id, **values})


def puzzle_rating(connection: sa.Connection, puzzle: PuzzleId) -> Rating | None:
    """Lock a puzzle's rating until the transaction ends, and return it.

    None while no answer has counted.
    """
    statement = _PUZZLE_RATING.select.where(
        puzzle_ratings.c.variant == puzzle.variant, puzzle_ratings.c.number == puzzle.number
    )
    return _PUZZLE_RATING.fetch_first(connection, statement.with_for_update())


def puzzle_ratings_by_id(connection: sa.Connection) -> Mapping[PuzzleId, Rating]:
    """Return the ratings of the puzzles for which an answer has counted."""
    statement = _PUZZLE_RATING.select.add_columns(puzzle_ratings.c.variant, puzzle_ratings.c.number)
    return {
        PuzzleId(row.variant, row.number): _PUZZLE_RATING.read(row)
        for row in connection.execute(statement)
    }


def save_puzzle_rating(
    connection: sa.Connection, puzzle: PuzzleId, rating: Rating, changed_at: datetime
) -> None:
    """Store a puzzle's rating after a further answer.

    A row that does not exist cannot be locked, so the first rating is inserted, which raises
    `Conflict` if another transaction was faster.
    """
    values = {"changed_at": changed_at, **_PUZZLE_RATING.values(rating)}
    row = {"variant": puzzle.variant, "number": puzzle.number, **values}
    if rating.games == 1:
        connection.execute(sa.insert(puzzle_ratings), row)
    else:
        save(connection, puzzle_ratings, row)


def days_solved(connection: sa.Connection, player_id: int) -> frozenset[date]:
    """Return the days on which a player has solved the position of the day."""
    return frozenset(connection.execute(_DAYS, {"player_id": player_id}).scalars())


def count_solvers(connection: sa.Connection, day: date, limit: int) -> int:
    """Return how many players have solved the position of a day on that day, up to a limit."""
    return connection.execute(_SOLVERS, {"day": day, "limit": limit}).scalar_one()


def add_day(
    connection: sa.Connection, player_id: int, day: date, solved_at: datetime, *, is_new: bool
) -> None:
    """Store that a player has solved the position of a day, unless that is stored already.

    If the solution `is_new` to the player, a point for the season is due.
    """
    values = {"solved_at": solved_at, "season_due": is_new}
    _add_once(connection, daily_solutions, player_id=player_id, day=day, **values)


def mistakes_solved(connection: sa.Connection, player_id: int) -> Collection[tuple[str, int]]:
    """Return the mistakes for which a player has found a better move, as game ids and plies."""
    rows = connection.execute(
        sa.select(mistake_solutions.c.game_id, mistake_solutions.c.ply).where(
            mistake_solutions.c.player_id == player_id
        )
    )
    return {(row.game_id, row.ply) for row in rows}


def add_mistake_solved(
    connection: sa.Connection, player_id: int, game_id: str, ply: int, solved_at: datetime
) -> None:
    """Store that a player has found a better move than a mistake, unless already stored."""
    key = {"player_id": player_id, "game_id": game_id, "ply": ply}
    _add_once(connection, mistake_solutions, **key, solved_at=solved_at)


def answers_of(connection: sa.Connection, player_id: int) -> Sequence[PuzzleAnswer]:
    """Return a player's records on all puzzles that they have begun."""
    statement = _RECORD.select.where(puzzle_answers.c.player_id == player_id)
    return _RECORD.fetch_all(
        connection, statement.order_by(puzzle_answers.c.variant, puzzle_answers.c.number)
    )


def _key_of(player_id: int, puzzle: PuzzleId) -> Mapping[str, Any]:
    return {"player_id": player_id, "variant": puzzle.variant, "number": puzzle.number}


def _add_once(connection: sa.Connection, table: sa.Table, **row: object) -> None:
    """Store a row, unless there is one with its primary key."""
    connection.execute(insertion(connection, table).on_conflict_do_nothing(), row)
