"""The tables as they are after the newest migration, grouped by feature."""

from capsule.db.schema import (
    absences,
    changes,
    claims,
    cups,
    everyone,
    explorer,
    featured,
    games,
    moderation,
    news,
    players,
    puzzles,
    ratings,
    seasons,
    social,
    timekeeping,
    tournaments,
)
from capsule.db.schema.base import Moment, metadata

__all__ = [
    "Moment",
    "absences",
    "changes",
    "claims",
    "cups",
    "everyone",
    "explorer",
    "featured",
    "games",
    "metadata",
    "moderation",
    "news",
    "players",
    "puzzles",
    "ratings",
    "seasons",
    "social",
    "timekeeping",
    "tournaments",
]
