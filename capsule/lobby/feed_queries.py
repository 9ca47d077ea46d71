"""Reading the moves of many games for feeds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import select

from capsule.db.schema.games import games, moves
from capsule.games.row_queries import STORED_MOVE

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from sqlalchemy import Connection

    from capsule.games.model import StoredMove


def last_moves(
    connection: Connection, game_ids: Iterable[str], limit: int
) -> Mapping[str, Sequence[StoredMove]]:
    """Return the last moves of each game in order, up to `limit` of them.

    Games in which nobody has moved are left out.
    """
    statement = (
        select(*STORED_MOVE.columns, moves.c.game_id)
        .join(games, games.c.id == moves.c.game_id)
        .where(
            games.c.id.in_(tuple(game_ids)),
            moves.c.ply > games.c.ply - limit,
            moves.c.ply > games.c.start_ply,
        )
        .order_by(moves.c.game_id, moves.c.ply)
    )
    found: dict[str, list[StoredMove]] = {}
    for row in connection.execute(statement):
        found.setdefault(row.game_id, []).append(STORED_MOVE.read(row))
    return found
