"""The table of the clock."""

from __future__ import annotations

from sqlalchemy import Column, Integer, Table

from capsule.db.schema.base import Moment, metadata

clock = Table(
    "clock",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=False),
    # What the clock said when it was seen to have jumped, and what it should have said; both are
    # None while it is trusted.
    Column("noticed_at", Moment),
    Column("expected_at", Moment),
    # What it said when a jump was confirmed last.
    Column("confirmed_at", Moment),
)
"""What the processes tell each other about the system's clock, in one row at most."""
