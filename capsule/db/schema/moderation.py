"""The tables of what players are to each other, as they are after the newest migration.

Ratings, messages and notes, reports and what the operator did, tournaments.
"""

from __future__ import annotations

from sqlalchemy import (
    Column,
    ForeignKey,
    Index,
    Integer,
    String,
    Table,
    Text,
)

from capsule.db.schema.base import Moment, metadata

reports = Table(
    "reports",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("reporter_id", ForeignKey("players.id"), nullable=False, index=True),
    Column("reported_id", ForeignKey("players.id"), nullable=False, index=True),
    Column("game_id", ForeignKey("games.id")),
    Column("text", String(280), nullable=False),
    Column("made_at", Moment, nullable=False),
    Column("closed_at", Moment),
    Index("ix_reports_open", "closed_at", "id"),
    # No number is given out twice: by it the operator closes a report.
    sqlite_autoincrement=True,
)
"""What players told the operator of others."""

operator_actions = Table(
    "operator_actions",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("taken_at", Moment, nullable=False),
    # Such as "ban"; see `capsule.moderation.actions`.
    Column("action", String(24), nullable=False),
    Column("player_id", ForeignKey("players.id"), index=True),
    # The player's name then; it goes, and the detail with it, when the player is erased.
    Column("player_name", String(24)),
    # What it was done to and why, in the operator's words.
    Column("detail", Text, nullable=False),
)
"""The trace of what the operator did."""
