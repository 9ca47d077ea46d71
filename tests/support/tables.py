"""The description of a database's tables, to compare it with another."""

from typing import Any

from sqlalchemy import Connection, Inspector, func, inspect, select

from capsule.db.database import Database
from capsule.db.schema import metadata

Described = dict[str, dict[str, Any]]


def described(connection: Connection) -> Described:
    """Return every table with its columns, keys, constraints and indexes, but without their order.

    Types and defaults are given in the database's own words.
    """
    inspector = inspect(connection)
    tables = [name for name in inspector.get_table_names() if name != "alembic_version"]
    return {table: _described(connection, inspector, table) for table in tables}


def _described(connection: Connection, inspector: Inspector, table: str) -> dict[str, Any]:
    columns = {
        each["name"]: (
            each["type"].compile(connection.dialect),
            "NULL" if each["nullable"] else "NOT NULL",
            each["default"],
        )
        for each in inspector.get_columns(table)
    }
    key = inspector.get_pk_constraint(table)
    references = sorted(
        (
            # SQLAlchemy does not read the names of those that SQLite has added to a table.
            each["name"] if connection.dialect.name != "sqlite" else "",
            each["constrained_columns"],
            each["referred_table"],
            each["referred_columns"],
            each["options"],
        )
        for each in inspector.get_foreign_keys(table)
    )
    indexes = {
        each["name"]: (
            each["column_names"],
            bool(each["unique"]),
            {name: str(value) for name, value in each.get("dialect_options", {}).items()},
        )
        for each in inspector.get_indexes(table)
    }
    return {
        "columns": columns,
        "key": (key["name"], key["constrained_columns"]),
        "references": references,
        "indexes": indexes,
        "unique": {
            each["name"]: each["column_names"] for each in inspector.get_unique_constraints(table)
        },
        "checks": {
            each["name"]: each["sqltext"] for each in inspector.get_check_constraints(table)
        },
        "options": inspector.get_table_options(table),
        "never repeats a number": connection.dialect.name == "sqlite"
        and "AUTOINCREMENT" in _definition(connection, table),
    }


def _definition(connection: Connection, table: str) -> str:
    found = connection.exec_driver_sql(
        "SELECT sql FROM sqlite_master WHERE type = 'table' AND name = ?", (table,)
    )
    return str(found.scalar_one())


def row_counts(database: Database) -> dict[str, int]:
    """Return how many rows each table has, except that of changes."""
    with database.reading() as connection:
        return {
            table.name: connection.execute(select(func.count()).select_from(table)).scalar_one()
            for table in metadata.sorted_tables
            if table.name != "changes"
        }
