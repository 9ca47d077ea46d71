"""The table of news."""

from __future__ import annotations

from sqlalchemy import Column, Integer, String, Table

from capsule.db.schema.base import Moment, metadata

news = Table(
    "news",
    metadata,
    Column("number", Integer, primary_key=True),
    Column("text", String(280), nullable=False),
    Column("published_at", Moment, nullable=False),
    # No number is given out twice: addresses have it.
    sqlite_autoincrement=True,
)
"""The operator's announcements; one that is withdrawn is deleted."""
