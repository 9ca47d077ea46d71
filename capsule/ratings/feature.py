"""Ratings as a feature, with their export and erasure."""

from collections.abc import Mapping

import sqlalchemy as sa

from capsule.accounts.model import Player
from capsule.context import AppContext
from capsule.db.schema.ratings import rating_changes, ratings
from capsule.feature import Feature
from capsule.ratings import pages, queries as rating_queries


def export(_context: AppContext, connection: sa.Connection, player: Player) -> Mapping[str, object]:
    """Return the player's ratings, and what each was after every game that counted."""
    return {"ratings": rating_queries.ratings_of_player(connection, player.id)}


FEATURE = Feature(
    pages.ROUTES,
    (ratings, rating_changes),
    export,
    # So that no rating of the player is being recomputed: see `capsule.cli.ratings`.
    erase=lambda _, connection, __: rating_queries.lock_ratings(connection),
)
