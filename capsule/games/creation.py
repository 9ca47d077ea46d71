"""Creating a game from its seats and terms, with an id."""

import base64
from collections.abc import Sequence
from dataclasses import replace

import sqlalchemy as sa

from capsule.context import AppContext
from capsule.games import queries, rated
from capsule.games.model import GameStatus, Seat, StoredGame, StoredMove
from engine import Variant


def new_game(
    context: AppContext, variant: Variant, x: Seat, o: Seat, status: GameStatus
) -> StoredGame:
    """Return a game at its start, with a new id; it is not stored yet."""
    now = context.clock()
    return StoredGame(
        id=new_id(context),
        variant=variant,
        x=x,
        o=o,
        status=status,
        turn=variant.start.turn,
        created_at=now,
        moved_at=now,
    )


def create_game(connection: sa.Connection, game: StoredGame, moves: Sequence[str] = ()) -> str:
    """Store a game from `new_game`, to be played from where `moves` lead, and return its id.

    Its `started_at` is None until two people have taken the seats: it stays None in games that a
    player plays alone or with a bot. Raises the engine's errors if the moves cannot be played.
    """
    position, made = game.variant.start, []
    for ply, move in enumerate(moves, 1):
        made.append(StoredMove(ply, position.turn, move, game.created_at))
        position = position.play(move)
    game = replace(
        game,
        turn=position.turn,
        ply=len(made),
        start_ply=len(made),
        turn_counter=len(made),
        bot_to_move=game.seat(position.turn).bot is not None,
    )
    queries.add_game(connection, rated.as_begun(connection, game))
    queries.add_moves(connection, game.id, made)
    return game.id


def new_id(context: AppContext) -> str:
    """Return an unguessable id: 10 characters of lower-case base32."""
    return base64.b32encode(context.random_bytes(10)).decode().lower()[:10]
