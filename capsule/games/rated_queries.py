"""Reading rated games: those that changed ratings, and those that two players begin on a day."""

from __future__ import annotations

from collections import Counter
from itertools import permutations
from typing import TYPE_CHECKING, TypeAlias

from sqlalchemy import or_, select

from capsule.db.schema.games import games
from capsule.games.row_queries import GAME, STORED_GAME
from capsule.games.status import GameStatus

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from datetime import datetime

    from sqlalchemy import Connection

    from capsule.games.model import StoredGame


Meeting: TypeAlias = tuple[str, frozenset[int]]
"""The key of a variant and the ids of two players who play it."""


def count_rated_together(
    connection: Connection, meetings: Collection[Meeting], since: datetime
) -> Mapping[Meeting, int]:
    """Return how many games of a variant between two players may count that began since a time.

    They are rated, and nothing has kept them from counting yet.
    """
    if not meetings:
        return {}
    are_players = [
        (games.c.x_player_id == x) & (games.c.o_player_id == o) & (games.c.variant == variant)
        for variant, players in meetings
        for x, o in permutations(players, 2)
    ]
    columns = games.c.variant, games.c.x_player_id, games.c.o_player_id
    statement = select(*columns).where(
        games.c.rated,
        or_(*are_players),
        games.c.started_at >= since,
        games.c.surplus.is_(False),
        games.c.start_ply == 0,
        games.c.takebacks == 0,
        games.c.status != GameStatus.ABORTED,
    )
    found = connection.execute(statement)
    return Counter((variant, frozenset({x, o})) for variant, x, o in found)


def rated_games(connection: Connection, after: int, limit: int) -> Sequence[StoredGame]:
    """Return up to `limit` games that changed ratings, in order, with numbers above `after`."""
    statement = GAME.where(games.c.rating_number > after).order_by(games.c.rating_number)
    return STORED_GAME.fetch_all(connection, statement.limit(limit))
