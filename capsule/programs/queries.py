"""The only SQL of this feature: rated games, and games without a person."""

import sqlalchemy as sa

from capsule.db.schema.games import games
from capsule.db.schema.players import players
from capsule.db.schema.ratings import ratings
from capsule.games.model import GameStatus


def has_played_rated(connection: sa.Connection, player_id: int) -> bool:
    """Return whether a player has a rating, or plays a game that will count for one."""
    has_rating = sa.select(ratings.c.id).where(ratings.c.player_id == player_id)
    seats = (games.c.x_player_id, games.c.o_player_id)
    plays = sa.select(games.c.id).where(
        sa.or_(*(seat == player_id for seat in seats)),
        games.c.rated,
        games.c.status == GameStatus.PLAYING,
    )
    return connection.execute(sa.select(sa.or_(has_rating.exists(), plays.exists()))).scalar_one()


def unlist_games_without_person(connection: sa.Connection, player_id: int) -> None:
    """Take a program's games off the lists that are or were played without a person."""
    programs = sa.select(players.c.id).where(players.c.program_since.is_not(None))
    for seat, player, bot in (
        (games.c.x_player_id, games.c.o_player_id, games.c.o_bot),
        (games.c.o_player_id, games.c.x_player_id, games.c.x_bot),
    ):
        connection.execute(
            sa.update(games)
            .where(
                seat == player_id, games.c.listed, sa.or_(bot.is_not(None), player.in_(programs))
            )
            .values(listed=False)
        )
