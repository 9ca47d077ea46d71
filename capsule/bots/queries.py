"""Reading bots' turns, their answers and the analyses that are due, and storing analyses."""

from collections.abc import Collection, Mapping, Sequence

import sqlalchemy as sa

from capsule.db.schema.games import analyses, games, is_present
from capsule.games.model import StoredGame
from capsule.games.queries import GAME, STORED_GAME
from engine import Side

_OFFERED_TO_BOT = sa.and_(
    # Stated as in the index of such games, which SQLite then uses.
    games.c.draw_offered_by.is_not(None),
    sa.or_(
        (games.c.draw_offered_by == Side.X.value) & games.c.o_bot.is_not(None),
        (games.c.draw_offered_by == Side.O.value) & games.c.x_bot.is_not(None),
    ),
)


def games_awaiting_bots(
    connection: sa.Connection, limit: int, *, between_bots: bool = False
) -> Sequence[StoredGame]:
    """Return up to `limit` games in which a bot is to move, those waiting longest first.

    They are games with a person, or games between bots if `between_bots`.
    """
    is_between_bots = games.c.x_bot.is_not(None) & games.c.o_bot.is_not(None)
    condition = is_between_bots if between_bots else ~is_between_bots
    statement = GAME.where(games.c.bot_to_move, condition, is_present(games.c.variant))
    return STORED_GAME.fetch_all(
        connection, statement.order_by(games.c.moved_at, games.c.id).limit(limit)
    )


def offers_awaiting_bots(connection: sa.Connection, limit: int) -> Sequence[StoredGame]:
    """Return up to `limit` games in which a bot has been offered a draw, and has not answered."""
    statement = GAME.where(_OFFERED_TO_BOT, is_present(games.c.variant))
    return STORED_GAME.fetch_all(
        connection, statement.order_by(games.c.moved_at, games.c.id).limit(limit)
    )


def analyses_due(connection: sa.Connection, limit: int) -> Mapping[str, Collection[int]]:
    """Return the people who played each of up to `limit` games whose analysis is due.

    Those that ended first are at the front. Nothing else of them is read: a game that cannot be
    read must not hide the others.
    """
    statement = (
        sa.select(games.c.id, games.c.x_player_id, games.c.o_player_id)
        .where(games.c.analysis_due, is_present(games.c.variant))
        .order_by(games.c.ended_at, games.c.id)
        .limit(limit)
    )
    return {
        row.id: frozenset({row.x_player_id, row.o_player_id} - {None})
        for row in connection.execute(statement)
    }


def save_analysis(connection: sa.Connection, game_id: str, content: str) -> None:
    """Store the analysis of a game, replacing any previous one."""
    connection.execute(sa.delete(analyses).where(analyses.c.game_id == game_id))
    connection.execute(sa.insert(analyses).values(game_id=game_id, content=content))


def analysis_of(connection: sa.Connection, game_id: str) -> str | None:
    """Return the stored analysis of a game, None if there is none."""
    return connection.execute(
        sa.select(analyses.c.content).where(analyses.c.game_id == game_id)
    ).scalar_one_or_none()


def analyses_of(connection: sa.Connection, game_ids: Collection[str]) -> Mapping[str, str]:
    """Return the stored analyses of these games, of those that have one, by the game's id."""
    rows = connection.execute(sa.select(analyses).where(analyses.c.game_id.in_(game_ids)))
    return {row.game_id: row.content for row in rows}
