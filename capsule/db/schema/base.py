"""The common parts of the tables: their metadata, and the type of times."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, TypeAlias

from sqlalchemy import DateTime, MetaData, TypeDecorator

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


metadata = MetaData(
    naming_convention={
        "ix": "ix_%(column_0_label)s",
        "uq": "uq_%(table_name)s_%(column_0_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
        "pk": "pk_%(table_name)s",
    }
)
"""The tables, as they are after the newest migration."""
