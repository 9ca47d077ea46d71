"""The seasons as a feature, with the erasure of points."""

import sqlalchemy as sa

from capsule.accounts.model import Player
from capsule.context import AppContext
from capsule.db.schema.ratings import season_bans, season_events, season_standings
from capsule.feature import Feature
from capsule.seasons import pages, queries as season_queries, scoring
from capsule.seasons.model import open_months


def erase(context: AppContext, connection: sa.Connection, player: Player) -> None:
    """Take the player off the open tables, and erase what others earned if a ban took it away."""
    season_queries.lock_seasons(connection)
    for month in open_months(context.clock()):
        season_queries.save_standing(connection, month, player.id, None)
    season_queries.forget_banned_games(connection, player.id)


FEATURE = Feature(
    pages.ROUTES,
    (season_standings, season_events, season_bans),
    erase=erase,
    sweep=((scoring.score_due, "Points of the season could not be given"),),
    on_ban=scoring.exclude,
    on_unban=scoring.reinstate,
)
