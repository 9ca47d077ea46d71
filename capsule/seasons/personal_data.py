"""Export and erasure of a player's points in the seasons."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capsule.context import PersonalData
from capsule.seasons import queries as season_queries
from capsule.seasons.model import open_months

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sqlalchemy import Connection

    from capsule.accounts.model import Player
    from capsule.context import AppContext


def export(_context: AppContext, connection: Connection, player: Player) -> Mapping[str, object]:
    """Return the player's points in each month, and the games and positions that may count."""
    return {
        "seasons": {
            "months": [
                {
                    "month": f"{month:%Y-%m}",
                    "points": standing.points,
                    "games": standing.games,
                    "reached": standing.reached_at.isoformat(),
                }
                for month, standing in season_queries.all_standings_of(
                    connection, player.id
                ).items()
            ],
            "events": [
                {
                    "kind": each.kind.value,
                    "source": each.source,
                    "at": each.happened_at.isoformat(),
                    "points": each.points,
                }
                for each in season_queries.all_events_of(connection, player.id)
            ],
            "banned_from": [
                f"{month:%Y-%m}" for month in season_queries.all_bans_of(connection, player.id)
            ],
        }
    }


def erase(context: AppContext, connection: Connection, player: Player) -> None:
    """Take the player off the open tables; frozen ones keep the place, a former player's.

    What others earned against them stays, unless a ban took it away.
    """
    season_queries.lock_seasons(connection)
    for month in open_months(context.clock()):
        season_queries.save_standing(connection, month, player.id, None)
    season_queries.forget_events(connection, player.id)
    season_queries.forget_banned_games(connection, player.id)


PERSONAL_DATA = PersonalData(export, erase)
