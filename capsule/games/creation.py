"""Setting up a new game: who sits where, on which terms, and how many games anyone may have."""

from __future__ import annotations

import base64
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from capsule.games import queries as game_queries

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from capsule.accounts.model import Player
    from capsule.context import AppContext
    from engine import Variant


@dataclass(frozen=True)
class Seat:
    """Who sits at one side of a board: a player, a bot of a level, or nobody yet."""

    player_id: int | None = None
    bot: str | None = None


NOBODY = Seat()


def set_up(
    context: AppContext,
    connection: Connection,
    variant: Variant,
    seats: tuple[Seat, Seat],
    **columns: Any,  # noqa: ANN401 - columns vary
) -> str:
    """Store a new game with X's and O's seats and other values of its columns; return its id."""
    game_id = new_id(context)
    now = context.clock()
    x, o = seats
    game_queries.add_game(
        connection,
        id=game_id,
        variant=variant.key,
        x_player_id=x.player_id,
        o_player_id=o.player_id,
        x_bot=x.bot,
        o_bot=o.bot,
        bot_to_move=x.bot is not None,
        turn=variant.start.turn.value,
        created_at=now,
        moved_at=now,
        **columns,
    )
    return game_id


def new_id(context: AppContext) -> str:
    """Return an id that nobody can guess: 10 characters of lower-case base32."""
    return base64.b32encode(context.random_bytes(10)).decode().lower()[:10]


def seats_for(context: AppContext, side: str, player: Player, other: Seat) -> tuple[Seat, Seat]:
    """Return X's and O's seats: the player at the side that the terms say, or at a drawn one."""
    is_x = context.random_bytes(1)[0] % 2 == 0 if side == "draw" else side == "x"
    own = Seat(player_id=player.id)
    return (own, other) if is_x else (other, own)
