"""Insertions that say what happens to a row that is there already."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy.dialects import postgresql, sqlite

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sqlalchemy import Connection, Table


def insertion(connection: Connection, table: Table) -> postgresql.Insert | sqlite.Insert:
    """Return an insertion that has `on_conflict_do_update`, as both databases know it."""
    is_postgresql = connection.dialect.name == "postgresql"
    return postgresql.insert(table) if is_postgresql else sqlite.insert(table)


def save(connection: Connection, table: Table, row: Mapping[str, Any]) -> None:
    """Store a row, in place of one with the same primary key."""
    key = [column.name for column in table.primary_key]
    values = {name: value for name, value in row.items() if name not in key}
    statement = insertion(connection, table).values(**row)
    connection.execute(statement.on_conflict_do_update(index_elements=key, set_=values))
