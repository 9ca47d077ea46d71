"""Migrating the tables to the newest revision, and checking that they are of it, and complete.

A migration that drops something says so by `drops_data = True` beside its `revision`.
"""

from importlib import metadata as importlib_metadata
from pathlib import Path
from typing import TYPE_CHECKING

import sqlalchemy as sa

from capsule.db.faults import CannotOpen
from capsule.db.postgresql import lift_limit
from capsule.db.schema import metadata

if TYPE_CHECKING:
    from alembic.config import Config


REVISIONS = {"0.1.0": "0010", "0.2.0": "0030", "0.3.0": "0046", "0.3.1": "0047", "0.4.0": "0048"}
"""The revision of each release's tables, the oldest release first."""


def version() -> str:
    """Return the version of the capsule; "unknown" if it was not installed."""
    try:
        return importlib_metadata.version("oxonaut")
    except importlib_metadata.PackageNotFoundError:
        return "unknown"


def name_of_copy(newest: str) -> str:
    """Return the name of a copy from before an upgrade to this version, whose tables are `newest`.

    It is the release, or the revision of a version that comes after its release.
    """
    return version() if _is_release(newest) else f"revision-{newest}"


def describe(revision: str, newest: str) -> str:
    """Return the release that has tables of a revision, with the revision, for the operator.

    `newest` is the revision of this version. No revision is before that of the first release.

    >>> describe("0046", "0048")
    'Oxonaut 0.3.0 (revision 0046)'
    >>> describe("0035", "0048")
    'a version between Oxonaut 0.2.0 and 0.3.0 (revision 0035)'
    >>> describe("9999", "0048")
    'a later version of Oxonaut (revision 9999)'
    """
    exact = [release for release, its in REVISIONS.items() if its == revision]
    earlier = [release for release, its in REVISIONS.items() if its < revision]
    later = [release for release, its in REVISIONS.items() if its > revision]
    if revision > newest:
        name = "a later version of Oxonaut"
    elif revision == newest:
        name = f"Oxonaut {version()}" if _is_release(newest) else _after(version())
    elif exact:
        name = f"Oxonaut {' or '.join(exact)}"
    elif later:
        name = f"a version between Oxonaut {earlier[-1]} and {later[0]}"
    else:
        name = _after(earlier[-1])
    return f"{name} (revision {revision})"


def _is_release(newest: str) -> bool:
    """Return whether no release that has the number of this version had other tables."""
    return REVISIONS.get(version(), newest) == newest


def _after(release: str) -> str:
    return f"a version after Oxonaut {release}"


MIGRATIONS = Path(__file__).parent / "migrations"

PATIENCE = 60.0

_LOCK = 1965_0000_0010
"""The number of PostgreSQL's lock that one migrating process at a time holds."""


class CannotMigrate(CannotOpen):
    """The tables cannot be migrated, or not now; the message is a line for the operator."""


def hold_lock(connection: sa.Connection) -> None:
    """Hold the lock for migrations in a transaction that writes, and lift its limit of time."""
    lift_limit(connection)
    # In SQLite, a transaction that writes is alone anyway.
    if connection.dialect.name == "postgresql":
        connection.execute(sa.text("SELECT pg_advisory_xact_lock(:number)"), {"number": _LOCK})


def migrate(connection: sa.Connection, revision: str = "head") -> None:
    """Migrate the tables to `revision`, by default the newest, in a transaction that writes.

    Raises `CannotMigrate` if there is no way from the revision that they are of.
    """
    # Most starts find the tables up to date, and should not have to import Alembic, which is slow.
    from alembic import command  # noqa: PLC0415

    if (stored := stored_revision(connection)) is not None:
        require_known(stored)
    config = _alembic()
    config.attributes["connection"] = connection
    command.upgrade(config, revision)


def drops_data(revision: str) -> bool:
    """Return whether any migration from a revision to the newest drops something."""
    from alembic.script import ScriptDirectory  # noqa: PLC0415 - as above

    scripts = ScriptDirectory.from_config(_alembic())
    return any(
        getattr(script.module, "drops_data", False)
        for script in scripts.walk_revisions(revision, "head")
        if script.revision != revision
    )


def _alembic() -> "Config":
    from alembic.config import Config  # noqa: PLC0415 - as above

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    return config


def require_known(revision: str) -> None:
    """Raise `CannotMigrate` if tables of a revision cannot be migrated."""
    if revision in _revisions():
        return
    if revision < newest_revision():
        raise CannotMigrate(
            f"The database is of revision {revision}, which no release of Oxonaut had: it cannot "
            "be migrated"
        )
    raise CannotMigrate(
        f"The database is of {in_words(revision)}. This is {in_words(newest_revision())}: install "
        "the version that the database is of, or restore a backup"
    )


def require_newest(connection: sa.Connection) -> None:
    """Raise `CannotOpen` if the tables are of another revision than the newest, or if none are."""
    stored = stored_revision(connection)
    if stored is None:
        raise CannotOpen("The database has no tables of a capsule: none has been started on it")
    require_known(stored)
    if stored != newest_revision():
        raise CannotOpen(
            f"The database is of {in_words(stored)}. This is {in_words(newest_revision())}: start "
            "the capsule of this version first (oxonaut serve), which migrates the database"
        )


def in_words(revision: str) -> str:
    """Return the release and the revision of tables, such as "Oxonaut 0.3.0 (revision 0046)"."""
    return describe(revision, newest_revision())


def newest_revision() -> str:
    """Return the revision of the newest migration."""
    return max(_revisions())


def stored_revision(connection: sa.Connection) -> str | None:
    """Return the revision of the tables; None if there are none."""
    if not sa.inspect(connection).has_table("alembic_version"):
        return None
    return connection.execute(
        sa.text("SELECT version_num FROM alembic_version")
    ).scalar_one_or_none()


def _revisions() -> set[str]:
    """Return the revisions of all migrations: the numbers with which their file names begin."""
    return {path.name.partition("_")[0] for path in MIGRATIONS.glob("versions/[0-9]*.py")}


def require_complete(connection: sa.Connection) -> None:
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


_COLUMNS_IN_SQLITE = sa.text(
    "SELECT tables.name, columns.name FROM sqlite_master AS tables"
    " JOIN pragma_table_info(tables.name) AS columns WHERE tables.type = 'table'"
)
_COLUMNS_IN_POSTGRESQL = sa.text(
    "SELECT table_name, column_name FROM information_schema.columns"
    " WHERE table_schema = current_schema()"
)
