"""The table of the newest time seen."""

from __future__ import annotations

from sqlalchemy import Boolean, Column, Float, Integer, String, Table

from capsule.db.schema.base import Moment, metadata

clock = Table(
    "clock",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("seen_at", Moment, nullable=False),
    # The start of the machine that saw it, and the seconds for which it had run then.
    Column("boot", String(36), nullable=False),
    Column("seconds", Float, nullable=False),
    # Whether a clock has been found ahead since.
    Column("was_ahead", Boolean, nullable=False),
    # The time of the last event before the upgrade from release 0.1.0; None if there was none.
    Column("upgraded_at", Moment),
)
"""The newest time that a trusted clock has shown, and that of the upgrade, in one row."""
