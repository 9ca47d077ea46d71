"""Reading all games and their moves, a part at a time, to verify them."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from sqlalchemy import func, select

from capsule.db.schema.games import games, moves
from capsule.games.queries import GAME, MOVE_COLUMNS, move_from, read_games

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sqlalchemy import Connection

    from capsule.games.model import StoredGame, StoredMove


def count_games(connection: Connection) -> int:
    """Return the number of all games."""
    return connection.execute(select(func.count()).select_from(games)).scalar_one()


def ids_after(connection: Connection, game_id: str, limit: int) -> Sequence[str]:
    """Return up to `limit` ids of games that follow an id, in their order."""
    statement = select(games.c.id).where(games.c.id > game_id).order_by(games.c.id).limit(limit)
    return connection.execute(statement).scalars().all()


def games_with(connection: Connection, ids: Sequence[str]) -> Sequence[StoredGame]:
    """Return the games with these ids; raises `LookupError` or `ValueError` if one is unreadable.

    A game is unreadable if its variant, its status or a side is none that there is.
    """
    return read_games(connection, GAME.where(games.c.id.in_(ids)).order_by(games.c.id))


def moves_by_game(connection: Connection, ids: Sequence[str]) -> Mapping[str, Sequence[StoredMove]]:
    """Return the moves of the games with these ids, in order; none for a game without moves.

    Raises `ValueError` if the side of a move is unreadable.
    """
    found = defaultdict(list)
    statement = select(moves.c.game_id, *MOVE_COLUMNS).where(moves.c.game_id.in_(ids))
    for row in connection.execute(statement.order_by(moves.c.game_id, moves.c.ply)):
        found[row.game_id].append(move_from(row))
    return found
