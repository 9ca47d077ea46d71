"""The record of a game, for people and programs to keep."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capsule.games import queries as game_queries
from engine.record import Record

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from capsule.games.model import StoredGame


def record_of(connection: Connection, stored: StoredGame) -> Record:
    """Return the record of a game, with all its moves and times in whole seconds."""
    moves = game_queries.moves_of(connection, stored.id, up_to=stored.ply)
    return Record(
        variant=stored.variant.key,
        id=stored.id,
        x=stored.x.recorded_name,
        o=stored.o.recorded_name,
        moves=tuple(each.move for each in moves),
        status=stored.status,
        winner=stored.winner,
        points=stored.points,
        created=stored.created_at.replace(microsecond=0),
        ended=stored.ended_at and stored.ended_at.replace(microsecond=0),
        start=stored.start_ply,
        reason=stored.end_reason,
        ended_by=stored.ended_by,
        challenged=stored.challenged.recorded_name if stored.end_reason else None,
    )
