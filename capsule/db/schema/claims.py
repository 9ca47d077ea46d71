"""The table of claims on work that is to be done once."""

from __future__ import annotations

from sqlalchemy import Column, String, Table

from capsule.db.schema.base import Moment, metadata

claims = Table(
    "claims",
    metadata,
    Column("name", String(64), primary_key=True),
    Column("holder", String(32), nullable=False),
    Column("expires_at", Moment, nullable=False),
)
