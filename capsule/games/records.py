"""The record of a game as it stands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capsule.games import queries as game_queries
from engine import Side
from engine.record import Record

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from capsule.games.model import Game


def record_of(connection: Connection, game: Game) -> Record:
    """Return the record of a game, its moves up to where it is looked at; times to the second."""
    stored = game.stored
    points = None
    if stored.x_points is not None and stored.o_points is not None:
        points = (stored.x_points, stored.o_points)
    moves = game_queries.moves_of(connection, stored.id, up_to=game.ply)
    return Record(
        variant=stored.variant,
        id=stored.id,
        x=stored.x_name,
        o=stored.o_name,
        moves=tuple(each.move for each in moves),
        status=stored.status,
        winner=Side(stored.winner) if stored.winner else None,
        points=points,
        created=stored.created_at.replace(microsecond=0),
        ended=stored.ended_at and stored.ended_at.replace(microsecond=0),
    )
