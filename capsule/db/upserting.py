"""Insertions that say what happens to a row that is there already."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, TypeAlias

from sqlalchemy.dialects import postgresql, sqlite

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from sqlalchemy import Connection, Table


Insert: TypeAlias = postgresql.Insert | sqlite.Insert

_INSERTIONS: Mapping[str, Callable[[Table], Insert]] = {
    "postgresql": postgresql.insert,
    "sqlite": sqlite.insert,
}


def insertion(connection: Connection, table: Table) -> Insert:
    """Return an insertion that has `on_conflict_do_update`, as both databases know it."""
    return _INSERTIONS[connection.dialect.name](table)


def save(connection: Connection, table: Table, row: Mapping[str, Any]) -> None:
    """Store a row, in place of one with the same primary key."""
    connection.execute(_saving(connection.dialect.name, table, tuple(row)), row)


@cache
def _saving(dialect: str, table: Table, names: tuple[str, ...]) -> Insert:
    """Return the statement that stores a row, made once: it costs more than what it does."""
    key = [column.name for column in table.primary_key]
    statement = _INSERTIONS[dialect](table)
    values = {name: statement.excluded[name] for name in names if name not in key}
    return statement.on_conflict_do_update(index_elements=key, set_=values)
