"""Reading the games that await bots and the analyses that are due, and storing analyses."""

from collections.abc import Collection, Mapping, Sequence

import sqlalchemy as sa

from capsule.db.expressions import save
from capsule.db.schema.games import analyses, games, is_present
from capsule.games.model import StoredGame
from capsule.games.queries import GAME, STORED_GAME
from engine import Side

_BETWEEN_BOTS = games.c.x_bot.is_not(None) & games.c.o_bot.is_not(None)
_AWAITING_BOTS = (
    games.c.bot_to_move & ~_BETWEEN_BOTS,
    games.c.bot_to_move & _BETWEEN_BOTS,
    # Stated as in the index of such games, which SQLite then uses.
    games.c.draw_offered_by.is_not(None)
    & (
        (games.c.draw_offered_by == Side.X.value) & games.c.o_bot.is_not(None)
        | (games.c.draw_offered_by == Side.O.value) & games.c.x_bot.is_not(None)
    ),
)


def games_awaiting_bots(connection: sa.Connection, limit: int) -> Sequence[StoredGame]:
    """Return games with a person and between bots in which a bot is to move, then draw offers.

    There are up to `limit` games of each of these three kinds, those that have waited longest
    first.
    """
    return [
        game
        for awaits_bot in _AWAITING_BOTS
        for game in STORED_GAME.fetch_all(
            connection,
            GAME.where(awaits_bot, is_present(games.c.variant))
            .order_by(games.c.moved_at, games.c.id)
            .limit(limit),
        )
    ]


def analyses_due(connection: sa.Connection, limit: int) -> Mapping[str, Collection[int]]:
    """Return the people who played each of up to `limit` games whose analysis is due.

    Games that ended first come first. Nothing else of them is read: an unreadable game must not
    hide the others.
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
    """Store the analysis of a game, in place of any earlier one."""
    save(connection, analyses, {"game_id": game_id, "content": content})


def analyses_of(connection: sa.Connection, game_ids: Collection[str]) -> Mapping[str, str]:
    """Return the stored analyses of games, by the ids of those that have one."""
    rows = connection.execute(sa.select(analyses).where(analyses.c.game_id.in_(game_ids)))
    return {row.game_id: row.content for row in rows}
