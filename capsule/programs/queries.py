"""The only SQL of this feature: whether a player has played for ratings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import or_, select

from capsule.db.schema.games import games
from capsule.db.schema.ratings import ratings
from capsule.games.status import GameStatus

if TYPE_CHECKING:
    from sqlalchemy import Connection


def has_played_rated(connection: Connection, player_id: int) -> bool:
    """Return whether a player has a rating, or plays a game that will count for one."""
    has_rating = select(ratings.c.id).where(ratings.c.player_id == player_id)
    seats = (games.c.x_player_id, games.c.o_player_id)
    plays = select(games.c.id).where(
        or_(*(seat == player_id for seat in seats)),
        games.c.rated,
        games.c.status == GameStatus.PLAYING,
    )
    return connection.execute(select(or_(has_rating.exists(), plays.exists()))).scalar_one()
