"""The tables as they are after the newest migration, grouped by feature."""

from capsule.db.schema import games, mail, players, puzzles, ratings, social, tournaments
from capsule.db.schema.base import metadata

__all__ = ["games", "mail", "metadata", "players", "puzzles", "ratings", "social", "tournaments"]
