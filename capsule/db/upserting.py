"""Insertions that say what happens to a row that is there already."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy.dialects import postgresql, sqlite

if TYPE_CHECKING:
    from sqlalchemy import Connection, Table


def insertion(connection: Connection, table: Table) -> postgresql.Insert | sqlite.Insert:
    """Return an insertion that has `on_conflict_do_update`, as both databases know it."""
    is_postgresql = connection.dialect.name == "postgresql"
    return postgresql.insert(table) if is_postgresql else sqlite.insert(table)
