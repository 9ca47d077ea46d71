"""The tables of what players are to each other, as they are after the newest migration.

Ratings, messages and notes, reports and what the operator did, tournaments.
"""

from __future__ import annotations

from sqlalchemy import (
    Boolean,
    Column,
    ForeignKey,
    Index,
    Integer,
    String,
    Table,
    true,
)

from capsule.db.schema.base import Moment, metadata

tournaments = Table(
    "tournaments",
    metadata,
    Column("id", String(10), primary_key=True),
    Column("variant", String(16), nullable=False),
    Column("title", String(60), nullable=False),
    Column("announced_by", ForeignKey("players.id"), nullable=False, index=True),
    Column("days_a_move", Integer, nullable=False),
    Column("rated", Boolean, nullable=False),
    # How many can take part: 3 to 12.
    Column("seats", Integer, nullable=False),
    # The level of the bots that take the seats left empty; None where nobody takes them.
    Column("fill_level", String(16)),
    # When it starts with those who are there; None where it starts only when it is full.
    Column("starts_at", Moment),
    # announced, playing, finished, cancelled
    Column("status", String(16), nullable=False),
    # Raised by whatever changes it, so that the page it was changed from cannot act twice.
    Column("changes", Integer, nullable=False, default=0, server_default="0"),
    Column("created_at", Moment, nullable=False),
    Column("started_at", Moment),
    Column("ended_at", Moment),
    Index("ix_tournaments_status", "status", "created_at", "id"),
    Index("ix_tournaments_announced", "created_at", "id"),
    Index("ix_tournaments_variant", "variant", "created_at", "id"),
)

tournament_seats = Table(
    "tournament_seats",
    metadata,
    Column("tournament_id", ForeignKey("tournaments.id"), primary_key=True),
    # 1 and so on, in the order of the crosstable.
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("player_id", ForeignKey("players.id"), index=True),
    Column("bot", String(16)),
    Column("taken_at", Moment, nullable=False),
    # When the player gave up the tournament, and whether the games played until then count.
    Column("left_at", Moment),
    Column("results_count", Boolean, nullable=False, default=True, server_default=true()),
    # Nobody plays against themselves.
    Index("ix_tournament_seats_one_player", "tournament_id", "player_id", unique=True),
    Index("ix_tournament_seats_one_bot", "tournament_id", "bot", unique=True),
)
"""Who takes part in a tournament."""
