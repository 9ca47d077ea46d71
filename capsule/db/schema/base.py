"""The common parts of the tables: their metadata, and the types of times and of words."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, TypeAlias

from sqlalchemy import DateTime, MetaData, String, TypeDecorator

if TYPE_CHECKING:
    from typing import Any

    from sqlalchemy import Row
    from sqlalchemy.engine import Dialect


AnyRow: TypeAlias = "Row[*tuple[Any, ...]]"
"""A row of any columns, which are read by name."""


class Moment(TypeDecorator[datetime]):
    """An aware time, stored as UTC without a zone, since SQLite knows no zones."""

    impl = DateTime
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Return the time as the database stores it."""
        del dialect
        return value and value.astimezone(UTC).replace(tzinfo=None)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Return the time as the capsule uses it."""
        del dialect
        return value and value.replace(tzinfo=UTC)


class Words(TypeDecorator[tuple[str, ...]]):
    """A few words without spaces, stored in one column."""

    impl = String
    cache_ok = True

    def process_bind_param(self, value: tuple[str, ...] | None, dialect: Dialect) -> str | None:
        """Return the words as the database stores them."""
        del dialect
        return None if value is None else " ".join(value)

    def process_result_value(self, value: str | None, dialect: Dialect) -> tuple[str, ...] | None:
        """Return the words as the capsule uses them."""
        del dialect
        return None if value is None else tuple(value.split())


metadata = MetaData(
    naming_convention={
        "ix": "ix_%(column_0_label)s",
        "uq": "uq_%(table_name)s_%(column_0_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
        "pk": "pk_%(table_name)s",
    }
)
"""The tables, as they are after the newest migration."""
