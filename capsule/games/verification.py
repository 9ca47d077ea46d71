"""Verifying that every stored game is what its moves make of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capsule.games import queries as game_queries
from capsule.games import verification_queries as queries
from capsule.games.absent_variant import is_loaded
from capsule.games.status import GameStatus
from capsule.ui.counting import counted
from engine.game import MoveError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from sqlalchemy import Connection

    from capsule.db.database import Database
    from capsule.games.model import StoredGame, StoredMove
    from engine import Position


BATCH_SIZE = 200
"""Games read at a time: in one state of the database each time, so that nothing is held up long."""


def faulty_games(database: Database, verified: Callable[[int], object]) -> Iterator[str]:
    """Yield a sentence for each fault of each game; `verified` receives numbers of games."""
    last = ""
    while True:
        with database.reading() as connection:
            ids = queries.ids_after(connection, last, BATCH_SIZE)
            faults = [*_faults_of_batch(connection, ids)]
        yield from faults
        verified(len(ids))
        if len(ids) < BATCH_SIZE:
            return
        last = ids[-1]


def count_games(database: Database) -> Mapping[str, int]:
    """Return the number of games to verify of each variant, by its key."""
    with database.reading() as connection:
        return queries.count_by_variant(connection)


def _faults_of_batch(connection: Connection, ids: Sequence[str]) -> Iterator[str]:
    try:
        games = game_queries.games_with(connection, ids)
        moves = queries.moves_by_game(connection, ids)
    except (LookupError, ValueError) as error:
        if len(ids) == 1:
            yield f"Game {ids[0]} cannot be read: {error!r}"
            return
        # One of them spoils the batch, so each is read by itself.
        for game_id in ids:
            yield from _faults_of_batch(connection, [game_id])
        return
    for game in games:
        for fault in faults_of(game, moves.get(game.id, [])):
            yield f"Game {game.id} ({game.variant.key}): {fault}"


def faults_of(game: StoredGame, moves: Sequence[StoredMove]) -> Iterator[str]:
    """Yield what does not fit between a game as stored and all its moves.

    The moves must be numbered without gaps, be legal, and be their sides'; whose turn it is, and
    the result, must be what they make. Without the rules of its variant, only the first is known.
    """
    plies = [move.ply for move in moves]
    if plies != [*range(1, game.ply + 1)]:
        moves_due = counted(game.ply, "move")
        yield f"it should have {moves_due}, but has {len(moves)}, or not the right ones"
        return
    if not 0 <= game.start_ply <= game.ply:
        yield f"it should have begun after {counted(game.start_ply, 'move')}, but has {game.ply}"
    if not is_loaded(game.variant):
        return
    position = game.variant.start
    for move in moves:
        if move.side is not position.turn:
            yield f"move {move.ply} is stored as {move.side}'s, but was {position.turn}'s"
        try:
            position = position.play(move.move)
        except MoveError as error:
            yield f"move {move.ply} cannot be replayed: {error}"
            return
    yield from _faults_of_state(game, position)


def _faults_of_state(game: StoredGame, position: Position) -> Iterator[str]:
    if game.turn is not position.turn:
        yield f"{game.turn} is stored as the side to move, but it is {position.turn}"
    is_drawn_by_terms = game.ends_by is not None and game.points == game.variant.draw_points
    if position.outcome is None and game.status is GameStatus.FINISHED and is_drawn_by_terms:
        pass
    elif (position.outcome is not None) is not (game.status is GameStatus.FINISHED):
        by_the_rules = "is over" if position.outcome else "goes on"
        yield f"by the rules it {by_the_rules}, but its status is {game.status}"
    elif position.outcome is not None and (game.winner, game.points) != (
        position.outcome.winner,
        position.outcome.points,
    ):
        yield f"its result is stored as {game.points}, but is {position.outcome.points}"
    if game.is_decided is not (game.points is not None):
        yield f"its status is {game.status}, and its points are {game.points}"
    if game.is_running is not (game.ended_at is None):
        yield f"its status is {game.status}, and its end {game.ended_at}"
    if game.bot_to_move is not (game.is_playing and game.mover.bot is not None):
        yield "whether a bot is to move is stored wrongly"
    if game.turn_counter < game.ply:
        yield f"its turn counter is {game.turn_counter} after {counted(game.ply, 'move')}"
