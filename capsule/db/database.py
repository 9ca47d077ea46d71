"""Opening the database, migrating its tables, and running transactions."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sqlalchemy import (
    Connection,
    Engine,
    create_engine,
    event,
    insert,
    inspect,
    make_url,
    select,
    text,
)
from sqlalchemy.exc import IntegrityError

from capsule.db.schema import players

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


MIGRATIONS = Path(__file__).parent / "migrations"

KEY_SECRET = "action keys"  # noqa: S105 - the name of a secret, not the secret
"""The name of the secret that signs action keys."""


class CannotMigrate(Exception):
    """The tables cannot be migrated, for example because a newer version has changed them."""


@dataclass(frozen=True)
class Database:
    """The database, ready for use."""

    engine: Engine

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """Yield a connection that sees one state of the database throughout."""
        with self.engine.connect() as connection:
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """Yield a connection whose changes are committed at the end, or rolled back on an error."""
        with (
            self.engine.connect().execution_options(oxonaut_writes=True) as connection,
            connection.begin(),
        ):
            yield connection

    def close(self) -> None:
        """Close every connection."""
        self.engine.dispose()


def open_database(url: str, random_bytes: Callable[[int], bytes]) -> Database:
    """Open the database at an SQLAlchemy `url`, with its tables created or migrated.

    `random_bytes` makes the capsule's secret when the database is first opened. Raises
    `CannotMigrate` if the tables are from a version that this one does not know.
    """
    engine = create_engine(url)
    if make_url(url).get_backend_name() == "sqlite":
        _prepare_sqlite(engine)
    if not _is_up_to_date(engine):
        migrate(engine)
    _make_secret(engine, random_bytes)
    return Database(engine)


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
    with engine.connect().execution_options(oxonaut_writes=True) as connection, connection.begin():
        config.attributes["connection"] = connection
        try:
            command.upgrade(config, revision)
        except CommandError as error:
            raise CannotMigrate(str(error)) from error


def newest_revision() -> str:
    """Return the revision of the newest migration: the number with which its file name begins."""
    return max(path.name for path in MIGRATIONS.glob("versions/[0-9]*.py")).partition("_")[0]


def key_secret(connection: Connection) -> bytes:
    """Return the secret that signs action keys, which all processes share."""
    value: bytes = connection.execute(
        select(players.secrets.c.value).where(players.secrets.c.name == KEY_SECRET)
    ).scalar_one()
    return value


def _is_up_to_date(engine: Engine) -> bool:
    """Tell whether the tables are of the newest revision, without a lock and without Alembic."""
    with engine.connect() as connection:
        if not inspect(connection).has_table("alembic_version"):
            return False
        revisions = connection.execute(text("SELECT version_num FROM alembic_version")).scalars()
        return revisions.all() == [newest_revision()]


def _make_secret(engine: Engine, random_bytes: Callable[[int], bytes]) -> None:
    with engine.connect() as connection:
        known = connection.execute(
            select(players.secrets.c.name).where(players.secrets.c.name == KEY_SECRET)
        ).first()
    if known:
        return
    try:
        with engine.begin() as connection:
            connection.execute(
                insert(players.secrets).values(name=KEY_SECRET, value=random_bytes(32))
            )
    except IntegrityError:
        # Another process that is starting, too, was first: its secret applies.
        return


def _prepare_sqlite(engine: Engine) -> None:
    @event.listens_for(engine, "connect")
    def configure(connection: Any, _record: object) -> None:  # noqa: ANN401 - sqlite3's, untyped
        # Transactions are begun in `begin` below: Python's sqlite3 would begin them too late.
        connection.isolation_level = None
        cursor = connection.cursor()
        cursor.execute("PRAGMA busy_timeout=15000")
        cursor.execute("PRAGMA journal_mode=WAL")
        # A move that has been confirmed must survive a power cut.
        cursor.execute("PRAGMA synchronous=FULL")
        cursor.execute("PRAGMA foreign_keys=ON")
        # Erased players must not be recoverable from the file's free pages.
        cursor.execute("PRAGMA secure_delete=ON")
        cursor.close()

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        # A writer takes the lock at once: a reader that became a writer might have read outdated
        # data.
        writes = connection.get_execution_options().get("oxonaut_writes", False)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")
