"""The tables, as they are after the newest migration.

Times are aware and in UTC; a side is "X" or "O". A game's moves are its truth: what is kept beside
them (`ply`, `turn` and `moved_at` of a game, `side` of a move) spares a list of them the replay.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from sqlalchemy import (
    DateTime,
    MetaData,
    TypeDecorator,
)

if TYPE_CHECKING:
    from sqlalchemy.engine import Dialect


class Moment(TypeDecorator[datetime]):
    """An aware time, kept as UTC without a zone, since SQLite knows no zones."""

    impl = DateTime
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Return the time as the database keeps it."""
        del dialect
        return value and value.astimezone(UTC).replace(tzinfo=None)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Return the time as the capsule uses it."""
        del dialect
        return value and value.replace(tzinfo=UTC)


metadata = MetaData(
    naming_convention={
        "ix": "ix_%(column_0_label)s",
        "uq": "uq_%(table_name)s_%(column_0_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
        "pk": "pk_%(table_name)s",
    }
)
