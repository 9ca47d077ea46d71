"""Reading and writing what feeds are made of: private addresses, and the moves of many games."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy import select

from capsule.db.schema.games import games, moves
from capsule.games.queries import MOVE_COLUMNS, StoredMove

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from sqlalchemy import Connection


def last_moves(
    connection: Connection, game_ids: Iterable[str], most: int
) -> Mapping[str, Sequence[StoredMove]]:
    """Return the last moves of each of the games, `most` at most of each, in order."""
    last = (
        select(moves.c.game_id, *MOVE_COLUMNS)
        .join(games, games.c.id == moves.c.game_id)
        .where(games.c.id.in_(tuple(game_ids)), moves.c.ply > games.c.ply - most)
        .order_by(moves.c.game_id, moves.c.ply)
    )
    found: dict[str, list[StoredMove]] = {}
    rows: Sequence[Sequence[Any]] = connection.execute(last).all()
    for game_id, *move in rows:
        found.setdefault(game_id, []).append(StoredMove(*move))
    return found
