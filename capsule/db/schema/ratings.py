"""The tables of ratings, as they are after the newest migration."""

from __future__ import annotations

from sqlalchemy import (
    CheckConstraint,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    String,
    Table,
)

from capsule.db.schema.base import Moment, metadata
from capsule.db.schema.personal import owner

ratings = Table(
    "ratings",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("variant", String(16), nullable=False),
    # Whose it is: a player's, or that of the bot of a level.
    owner("ratings", nullable=True),
    Column("bot", String(16)),
    # The mean and the standard deviation of the skill, as openskill defines them.
    Column("mu", Float, nullable=False),
    Column("sigma", Float, nullable=False),
    Column("games", Integer, nullable=False),
    # How many different opponents it has met, up to those that it needs; None where it needs none.
    Column("opponents", Integer),
    Column("changed_at", Moment, nullable=False),
    CheckConstraint("(player_id IS NULL) <> (bot IS NULL)", name="ck_ratings_one_holder"),
    Index("ix_ratings_player", "player_id", "variant", unique=True),
    Index("ix_ratings_bot", "bot", "variant", unique=True),
    # Ranks are counted in this index alone: it has every column that counting needs.
    Index(
        "ix_ratings_ladder",
        *("variant", "mu", "id", "sigma", "games", "opponents", "changed_at", "player_id"),
    ),
)
"""The current rating of each player and bot in each variant."""

first_ratings = Table(
    "first_ratings",
    metadata,
    Column("variant", String(16), primary_key=True),
    Column("bot", String(16), primary_key=True),
    Column("mu", Float, nullable=False),
    Column("sigma", Float, nullable=False),
)
"""The ratings with which bots have begun, or will because the operator has measured them.

Those of bots that have played for a rating stay: all later ratings follow from them and the games.
"""

former_bots = Table(
    "former_bots",
    metadata,
    Column("variant", String(16), primary_key=True),
    Column("bot", String(16), primary_key=True),
    # The number of the last game that could count for it, as in the games' `rating_number`.
    Column("last_number", Integer, primary_key=True, autoincrement=False),
    Column("mu", Float, nullable=False),
    Column("sigma", Float, nullable=False),
)
"""The bots that others of their levels have replaced, with the ratings with which they began.

A level whose strength changes begins a new rating: the migration that comes with the change adds a
row here for each bot that has one, and deletes its current and its first rating.
"""

rating_changes = Table(
    "rating_changes",
    metadata,
    Column("game_id", ForeignKey("games.id"), primary_key=True),
    Column("side", String(1), primary_key=True),
    Column("variant", String(16), nullable=False),
    owner("ratings", nullable=True),
    Column("bot", String(16)),
    # The game's `rating_number`, by which a history is sorted.
    Column("number", Integer, nullable=False),
    Column("mu", Float, nullable=False),
    Column("sigma", Float, nullable=False),
    # As in the ratings; also None for games from before it was counted.
    Column("opponents", Integer),
    Index("ix_rating_changes_player", "player_id", "variant", "number", "mu", "sigma"),
    Index("ix_rating_changes_bot", "bot", "variant", "number", "mu", "sigma"),
)
"""The rating of each side after each game that counted."""

counters = Table(
    "counters",
    metadata,
    Column("name", String(16), primary_key=True),
    Column("value", Integer, nullable=False),
)
"""Counters that give out numbers one by one: a transaction that raises one makes others wait."""
