"""Migrating the tables to the newest version, and telling whether they are complete."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import inspect, text

from capsule.db.engines import CannotOpen, read_transaction, write_transaction
from capsule.db.schema import metadata

if TYPE_CHECKING:
    from sqlalchemy import Connection, Engine


MIGRATIONS = Path(__file__).parent / "migrations"

PATIENCE = 60.0
"""Seconds for which a migration waits for another process, which may be migrating, too."""

_LOCK = 1965_0000_0010
"""The number of PostgreSQL's lock that one migrating process at a time holds."""


class CannotMigrate(CannotOpen):
    """The tables cannot be migrated, for example because a newer version has changed them."""


def migrate(engine: Engine, revision: str = "head") -> None:
    """Migrate the tables to `revision`, by default the newest.

    Raises `CannotMigrate` if they are from a version that this one does not know.
    """
    # Most starts find the tables up to date, and should not have to import Alembic, which is slow.
    from alembic import command  # noqa: PLC0415
    from alembic.config import Config  # noqa: PLC0415
    from alembic.util import CommandError  # noqa: PLC0415

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    with write_transaction(engine, PATIENCE) as connection:
        _let_nobody_else_migrate(connection)
        _let_moves_be_sorted(connection)
        config.attributes["connection"] = connection
        try:
            command.upgrade(config, revision)
        except CommandError as error:
            raise CannotMigrate(str(error)) from error


def _let_nobody_else_migrate(connection: Connection) -> None:
    # In SQLite, whoever writes is alone anyway.
    if connection.dialect.name == "postgresql":
        connection.execute(text("SET LOCAL statement_timeout = 0"))
        connection.execute(text("SELECT pg_advisory_xact_lock(:number)"), {"number": _LOCK})


def _let_moves_be_sorted(connection: Connection) -> None:
    """Give the moves a column that the fifth migration copies, where it is missing.

    The fourth makes it, but did not yet when it came to some databases. What else these lack, the
    eleventh makes.
    """
    inspector = inspect(connection)
    if not inspector.has_table("alembic_version"):
        return
    revision = connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
    if revision != "0004":
        return
    if "planned" not in {column["name"] for column in inspector.get_columns("moves")}:
        connection.execute(text("ALTER TABLE moves ADD planned BOOLEAN DEFAULT false NOT NULL"))


def newest_revision() -> str:
    """Return the revision of the newest migration: the number with which its file name begins."""
    return max(path.name for path in MIGRATIONS.glob("versions/[0-9]*.py")).partition("_")[0]


def is_up_to_date(engine: Engine) -> bool:
    """Return whether the tables are of the newest revision, without a lock and without Alembic."""
    with read_transaction(engine) as connection:
        if not inspect(connection).has_table("alembic_version"):
            return False
        revisions = connection.execute(text("SELECT version_num FROM alembic_version")).scalars()
        return revisions.all() == [newest_revision()]


def require_complete(engine: Engine) -> None:
    """Raise `CannotOpen` if a table or a column is missing, though the tables are up to date."""
    columns = _COLUMNS_IN_SQLITE if engine.dialect.name == "sqlite" else _COLUMNS_IN_POSTGRESQL
    with read_transaction(engine) as connection:
        known = {(row[0], row[1]) for row in connection.execute(columns)}
    tables = {table for table, _ in known}
    missing = [
        f"the table {table.name}"
        if table.name not in tables
        else f"the column {table.name}.{column.name}"
        for table in metadata.sorted_tables
        for column in table.columns
        if (table.name, column.name) not in known
    ]
    if missing:
        raise CannotOpen(
            f"The database lacks {', '.join(dict.fromkeys(missing))}: something other than Oxonaut "
            "has changed it, so restore a backup"
        )


_COLUMNS_IN_SQLITE = text(
    "SELECT tables.name, columns.name FROM sqlite_master AS tables"
    " JOIN pragma_table_info(tables.name) AS columns WHERE tables.type = 'table'"
)
_COLUMNS_IN_POSTGRESQL = text(
    "SELECT table_name, column_name FROM information_schema.columns"
    " WHERE table_schema = current_schema()"
)
