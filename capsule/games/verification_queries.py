"""Reading all games and their moves in batches, to verify them."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from sqlalchemy import func, select

from capsule.db.schema.games import games, moves
from capsule.games.row_queries import STORED_MOVE

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sqlalchemy import Connection

    from capsule.games.model import StoredMove


def count_by_variant(connection: Connection) -> Mapping[str, int]:
    """Return the number of games of each variant that has any."""
    number = func.count().label("number")
    rows = connection.execute(select(games.c.variant, number).group_by(games.c.variant))
    return {row.variant: row.number for row in rows}


def ids_after(connection: Connection, game_id: str, limit: int) -> Sequence[str]:
    """Return up to `limit` ids of games, in ascending order, after `game_id`."""
    statement = select(games.c.id).where(games.c.id > game_id).order_by(games.c.id).limit(limit)
    return connection.execute(statement).scalars().all()


def moves_by_game(connection: Connection, ids: Sequence[str]) -> Mapping[str, Sequence[StoredMove]]:
    """Return the moves of the games with these ids, in order: no moves for any other id.

    Raises `ValueError` if the side of a move is unreadable.
    """
    found = defaultdict(list)
    statement = select(*STORED_MOVE.columns, moves.c.game_id).where(moves.c.game_id.in_(ids))
    for row in connection.execute(statement.order_by(moves.c.game_id, moves.c.ply)):
        found[row.game_id].append(STORED_MOVE.read(row))
    return found
