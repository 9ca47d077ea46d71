"""Reading bots' turns and analyses that are due, and storing analyses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import delete, insert, select

from capsule.db.schema.games import analyses, games
from capsule.games.queries import GAME, read_games

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import Connection

    from capsule.games.model import StoredGame


def games_awaiting_bots(
    connection: Connection, limit: int, *, between_bots: bool = False
) -> Sequence[StoredGame]:
    """Return up to `limit` games in which a bot is to move, those waiting longest first.

    They are games with a person, or games between bots if `between_bots`.
    """
    is_between_bots = games.c.x_bot.is_not(None) & games.c.o_bot.is_not(None)
    condition = is_between_bots if between_bots else ~is_between_bots
    statement = GAME.where(games.c.bot_to_move, condition)
    return read_games(connection, statement.order_by(games.c.moved_at, games.c.id).limit(limit))


def next_analysis_due(connection: Connection) -> StoredGame | None:
    """Return the game whose analysis has been due for longest, or None."""
    statement = GAME.where(games.c.analysis_due).order_by(games.c.ended_at, games.c.id).limit(1)
    return next(iter(read_games(connection, statement)), None)


def save_analysis(connection: Connection, game_id: str, content: str) -> None:
    """Store the analysis of a game, replacing any previous one."""
    connection.execute(delete(analyses).where(analyses.c.game_id == game_id))
    connection.execute(insert(analyses).values(game_id=game_id, content=content))


def analysis_of(connection: Connection, game_id: str) -> str | None:
    """Return the stored analysis of a game, None if there is none."""
    return connection.execute(
        select(analyses.c.content).where(analyses.c.game_id == game_id)
    ).scalar_one_or_none()
