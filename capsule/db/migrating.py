"""Migrating the tables to the newest version, and checking that they are complete."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import inspect, text

from capsule.db.faults import CannotOpen
from capsule.db.postgresql import lift_limit
from capsule.db.schema import metadata

if TYPE_CHECKING:
    from sqlalchemy import Connection


MIGRATIONS = Path(__file__).parent / "migrations"

PATIENCE = 60.0
"""Seconds for which a migration waits for another process, which may be migrating, too."""

_LOCK = 1965_0000_0010
"""The number of PostgreSQL's lock that one migrating process at a time holds."""


class CannotMigrate(CannotOpen):
    """The tables cannot be migrated: they are of a revision that no migration here begins with."""


def migrate(connection: Connection, revision: str = "head") -> None:
    """Migrate the tables to `revision`, by default the newest, in a transaction that writes.

    Raises `CannotMigrate` if there is no way from the revision that they are of.
    """
    # Most starts find the tables up to date, and should not have to import Alembic, which is slow.
    from alembic import command  # noqa: PLC0415
    from alembic.config import Config  # noqa: PLC0415

    lift_limit(connection)
    # In SQLite, a transaction that writes is alone anyway.
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:number)"), {"number": _LOCK})
    stored = stored_revision(connection)
    if stored is not None and (sentence := refusal(stored)):
        raise CannotMigrate(sentence)
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, revision)


def refusal(revision: str) -> str | None:
    """Return the sentence that refuses tables of a revision; None if they can be migrated."""
    if revision in _revisions():
        return None
    if revision < newest_revision():
        return (
            f"The database is of revision {revision}, which no release of Oxonaut had: it cannot "
            "be migrated"
        )
    return f"The database is of revision {revision}, from a version that this one does not know"


def newest_revision() -> str:
    """Return the revision of the newest migration."""
    return max(_revisions())


def stored_revision(connection: Connection) -> str | None:
    """Return the revision of the tables; None if there are none."""
    if not inspect(connection).has_table("alembic_version"):
        return None
    return connection.execute(text("SELECT version_num FROM alembic_version")).scalar_one_or_none()


def is_up_to_date(connection: Connection) -> bool:
    """Return whether the tables are of the newest revision, without a lock and without Alembic."""
    return stored_revision(connection) == newest_revision()


def _revisions() -> set[str]:
    """Return the revisions of all migrations: the numbers with which their file names begin."""
    return {path.name.partition("_")[0] for path in MIGRATIONS.glob("versions/[0-9]*.py")}


def require_complete(connection: Connection) -> None:
    """Raise `CannotOpen` if a table or a column is missing, though the tables are up to date."""
    is_sqlite = connection.dialect.name == "sqlite"
    columns = _COLUMNS_IN_SQLITE if is_sqlite else _COLUMNS_IN_POSTGRESQL
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
