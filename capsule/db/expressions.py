"""Expressions and statements that both databases understand."""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, TypeAlias

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.functions import FunctionElement


class seconds_of(FunctionElement[int]):  # noqa: N801 - written like SQLAlchemy's own functions
    """The whole seconds from 1970 in UTC to a time; its argument is a `Moment`."""

    type = sa.BigInteger()
    inherit_cache = True


@compiles(seconds_of, "sqlite")
def _on_sqlite(element: seconds_of, compiler: SQLCompiler, **options: Any) -> str:  # noqa: ANN401
    return f"CAST(strftime('%s', {compiler.process(element.clauses, **options)}) AS INTEGER)"


@compiles(seconds_of, "postgresql")
def _on_postgresql(element: seconds_of, compiler: SQLCompiler, **options: Any) -> str:  # noqa: ANN401
    moment = compiler.process(element.clauses, **options)
    return f"CAST(floor(extract(epoch FROM {moment})) AS BIGINT)"


def exists(connection: sa.Connection, *conditions: sa.ColumnElement[bool]) -> bool:
    """Return whether a table has a row of which these conditions hold."""
    return connection.execute(sa.select(sa.exists().where(*conditions))).scalar_one()


Insert: TypeAlias = postgresql.Insert | sqlite.Insert

_INSERTIONS: Mapping[str, Callable[[sa.Table], Insert]] = {
    "postgresql": postgresql.insert,
    "sqlite": sqlite.insert,
}


def insertion(connection: sa.Connection | sa.Engine, table: sa.Table) -> Insert:
    """Return an insertion that has `on_conflict_do_update`, as both databases know it."""
    return _INSERTIONS[connection.dialect.name](table)


def save(connection: sa.Connection, table: sa.Table, row: Mapping[str, Any]) -> None:
    """Store a row, in place of one with the same primary key."""
    connection.execute(_saving(connection.dialect.name, table, tuple(row)), row)


@cache
def _saving(dialect: str, table: sa.Table, names: tuple[str, ...]) -> Insert:
    """Return the statement that stores a row, made once: it costs more than what it does."""
    key = [column.name for column in table.primary_key]
    statement = _INSERTIONS[dialect](table)
    values = {name: statement.excluded[name] for name in names if name not in key}
    return statement.on_conflict_do_update(index_elements=key, set_=values)
