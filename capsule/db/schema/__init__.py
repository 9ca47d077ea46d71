"""The tables as they are after the newest migration, grouped by feature."""

from capsule.db.schema import (
    changes,
    games,
    moderation,
    players,
    ratings,
    social,
    timekeeping,
    tournaments,
)
from capsule.db.schema.base import Moment, metadata

__all__ = [
    "Moment",
    "changes",
    "games",
    "metadata",
    "moderation",
    "players",
    "ratings",
    "social",
    "timekeeping",
    "tournaments",
]
