"""Reading rated games: those that changed ratings, and those that two players begin on a day."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import func, or_, select

from capsule.db.schema.games import games
from capsule.games.row_queries import GAME, read_games
from capsule.games.status import GameStatus

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from sqlalchemy import Connection

    from capsule.games.model import StoredGame


def count_rated_together(connection: Connection, game: StoredGame, since: datetime) -> int:
    """Return how many games of the two players of a game may count that began at `since` or later.

    They are rated, of the same variant, and nothing has kept them from counting yet.
    """
    x, o = game.x.player_id, game.o.player_id
    pairs = [
        (games.c.x_player_id == first) & (games.c.o_player_id == second)
        for first, second in ((x, o), (o, x))
    ]
    statement = select(func.count()).where(
        games.c.rated,
        or_(*pairs),
        games.c.variant == game.variant.key,
        games.c.started_at >= since,
        games.c.surplus.is_(False),
        games.c.start_ply == 0,
        games.c.takebacks == 0,
        games.c.status != GameStatus.ABORTED,
    )
    return connection.execute(statement).scalar_one()


def rated_games(connection: Connection, after: int, limit: int) -> Sequence[StoredGame]:
    """Return up to `limit` games that changed ratings, in order, with numbers above `after`."""
    statement = GAME.where(games.c.rating_number > after).order_by(games.c.rating_number)
    return read_games(connection, statement.limit(limit))
