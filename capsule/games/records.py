"""The record of a game, for people and programs to keep."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capsule.games import queries as game_queries
from engine.record import Record

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import Connection

    from capsule.games.model import StoredGame, StoredMove


def records_of(connection: Connection, games: Sequence[StoredGame]) -> Sequence[Record]:
    """Return the records of games in their order, with all moves and times in whole seconds."""
    moves = game_queries.moves_of_games(connection, {game.id: (0, game.ply) for game in games})
    return [_record(game, moves[game.id]) for game in games]


def _record(stored: StoredGame, moves: Sequence[StoredMove]) -> Record:
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
