"""Creating a game from its seats and terms, with an id."""

from __future__ import annotations

import base64
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from capsule.games import queries as game_queries
from capsule.games import rated
from capsule.games.model import Seat, StoredGame, StoredMove

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from sqlalchemy import Connection

    from capsule.context import AppContext
    from capsule.games.status import GameStatus
    from engine import Variant


@dataclass(frozen=True, slots=True)
class NewGame:
    """A game about to be created; its fields are those of `StoredGame`.

    `started_at` stays None until two people have taken the seats, and so for ever in games that a
    player plays alone or with a bot. `moves` lead to the position from which it is to be played.
    """

    variant: Variant
    x: Seat
    o: Seat
    status: GameStatus
    rated: bool
    listed: bool = False
    lists_when_joined: bool = False
    days_per_move: int | None = None
    started_at: datetime | None = None
    challenged_player_id: int | None = None
    previous_id: str | None = None
    tournament_id: str | None = None
    moves: Sequence[str] = ()


def create_game(context: AppContext, connection: Connection, new: NewGame) -> str:
    """Store a new game and return its id.

    Raises the engine's errors if it is to begin from a position that its moves do not lead to.
    """
    now = context.clock()
    position, made = new.variant.start, []
    for ply, move in enumerate(new.moves, 1):
        made.append(StoredMove(ply, position.turn, move, now))
        position = position.play(move)
    game = StoredGame(
        id=new_id(context),
        variant=new.variant,
        x=new.x,
        o=new.o,
        status=new.status,
        turn=position.turn,
        created_at=now,
        moved_at=now,
        started_at=new.started_at,
        ply=len(made),
        start_ply=len(made),
        turn_counter=len(made),
        listed=new.listed,
        lists_when_joined=new.lists_when_joined,
        days_per_move=new.days_per_move,
        rated=new.rated,
        challenged_player_id=new.challenged_player_id,
        previous_id=new.previous_id,
        tournament_id=new.tournament_id,
    )
    bot_to_move = game.mover.bot is not None
    game = rated.as_begun(connection, replace(game, bot_to_move=bot_to_move))
    game_queries.add_game(connection, game)
    game_queries.add_moves(connection, game.id, made)
    return game.id


def new_id(context: AppContext) -> str:
    """Return an id that nobody can guess: 10 characters of lower-case base32."""
    return base64.b32encode(context.random_bytes(10)).decode().lower()[:10]
