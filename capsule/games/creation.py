"""Creating a game from its seats and terms, with an id."""

from __future__ import annotations

import base64
from dataclasses import dataclass
from typing import TYPE_CHECKING

from capsule.games import queries as game_queries
from capsule.games.model import Seat, StoredGame

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy import Connection

    from capsule.context import AppContext
    from capsule.games.status import GameStatus
    from engine import Variant


@dataclass(frozen=True, slots=True)
class NewGame:
    """A game about to be created; its fields are those of `StoredGame`.

    `started_at` stays None until two people have taken the seats, and so for ever in games that a
    player plays alone or with a bot.
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


def create_game(context: AppContext, connection: Connection, new: NewGame) -> str:
    """Store a new game and return its id."""
    now = context.clock()
    game = StoredGame(
        id=new_id(context),
        variant=new.variant,
        x=new.x,
        o=new.o,
        status=new.status,
        turn=new.variant.start.turn,
        created_at=now,
        moved_at=now,
        started_at=new.started_at,
        bot_to_move=new.x.bot is not None,
        listed=new.listed,
        lists_when_joined=new.lists_when_joined,
        days_per_move=new.days_per_move,
        rated=new.rated,
        challenged_player_id=new.challenged_player_id,
        previous_id=new.previous_id,
        tournament_id=new.tournament_id,
    )
    game_queries.add_game(connection, game)
    return game.id


def new_id(context: AppContext) -> str:
    """Return an id that nobody can guess: 10 characters of lower-case base32."""
    return base64.b32encode(context.random_bytes(10)).decode().lower()[:10]
