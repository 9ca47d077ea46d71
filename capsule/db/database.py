"""The database: one interface to open it, read and write, for SQLite and PostgreSQL."""

import logging
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from threading import Lock
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine.interfaces import DBAPIConnection, Dialect

from capsule.db import backup, faults, files, migrating, postgresql, schema, storage_health
from capsule.errors import require_worker

KEY_SECRET = "action keys"  # noqa: S105 - the name of a secret, not the secret
"""The name of the secret that signs action keys."""

PATIENCE = 3.0
"""The default seconds for which a transaction waits for others' locks."""

CHECKPOINT_PATIENCE = 1.0
"""Seconds for which a checkpoint waits for readers; meanwhile no transaction can write."""

_WRITES = "oxonaut_writes"
"""The execution option of a connection that says whether its transaction writes."""

_log = logging.getLogger(__name__)

_MOMENT = 0.1
"""Seconds of waiting for this process's lock that are not deducted from SQLite's wait."""


@contextmanager
def named_faults(*, is_writing: bool = False) -> Iterator[None]:
    """Raise a driver's error as the `DatabaseFault` that it means; other errors pass unchanged.

    With `is_writing`, a fault may be that nothing can be stored. The driver's error is its cause.
    """
    try:
        yield
    except (sa.exc.DBAPIError, sa.exc.TimeoutError) as error:
        fault = faults.fault_of(error, is_writing=is_writing)
        if fault is None:
            raise
        raise fault from error


@dataclass(frozen=True)
class Database:
    """The database, returned by `open_database`.

    A failure of the database, as opposed to a bug, is raised as a
    `capsule.db.faults.DatabaseFault`:
    `DatabaseBusy`, `DatabaseUnavailable` or, from `writing`, `Conflict` if another transaction was
    faster. Nothing is stored then, unless it is a `CommitOutcomeUnknown`. `storage` records when
    writes begin to fail, and when they succeed again.

    `writing_lock` serialises the writers of this process for SQLite, whose own lock they would poll
    without any order, so that some might starve; None for PostgreSQL.
    """

    engine: sa.Engine
    writing_lock: "Lock | None" = None
    file: backup.OpenedFile | None = None
    storage: storage_health.StorageHealth = field(default_factory=storage_health.StorageHealth)

    @contextmanager
    def reading(self) -> Iterator[sa.Connection]:
        """Yield a connection that reads from one snapshot of the database, and stores nothing.

        It never waits for writers. Raises `WouldBlock` for PostgreSQL on a thread that must not
        block.
        """
        self._require_worker()
        with named_faults(), self.engine.connect() as connection:
            if connection.dialect.name == "postgresql":
                connection.execution_options(
                    isolation_level="REPEATABLE READ", postgresql_readonly=True
                )
            yield connection

    @contextmanager
    def writing(self, patience: float = PATIENCE) -> Iterator[sa.Connection]:
        """Yield a connection whose changes are committed at the end, or rolled back on an error.

        Waits for up to `patience` seconds for others' locks. In PostgreSQL each statement sees what
        other transactions have committed before it: rows on which a decision depends must be locked
        (`SELECT … FOR …`) as they are read. In SQLite no other transaction writes meanwhile.

        To prevent deadlocks, all transactions lock rows in this order: a player, cups, tournaments,
        games, daily solutions, ratings of puzzles, the counter of rated games, and that of seasons.
        Rows of one table are locked in the order of their keys. A transaction that ends several
        games locks them all before it ends the first, since each end locks the counters. Rows are
        locked `FOR NO KEY UPDATE`, which does not block transactions that only store references to
        them. Raises `WouldBlock` as `reading` does.
        """
        self._require_worker()
        is_committing = has_changed = False
        try:
            with named_faults(is_writing=True), self._writing_turn(patience) as patience_left:
                options = {_WRITES: True, postgresql.PATIENCE: patience_left}
                with (
                    self.engine.connect().execution_options(**options) as connection,
                    connection.begin(),
                ):
                    # Only a commit that stores something proves that an outage is over.
                    is_outage = self.storage.outage is not None
                    before = _changes(connection) if is_outage else None
                    yield connection
                    has_changed = is_outage and _changes(connection) != before
                    is_committing = True
        except faults.CannotStore as error:
            self.storage.failed(error)
            raise
        except faults.DatabaseUnavailable as error:
            is_postgresql = self.engine.dialect.name == "postgresql"
            if is_committing and is_postgresql and not faults.was_answered(error):
                raise faults.CommitOutcomeUnknown(*error.args) from error
            raise
        if has_changed:
            self.storage.succeeded()

    @contextmanager
    def erasing(self) -> Iterator[sa.Connection]:
        """Yield a connection as `writing` does, for a transaction that erases personal data.

        Afterwards a checkpoint clears the data from the disk. If a long reading of an older
        snapshot prevents that, the next `checkpoint` does it.
        """
        with self.writing() as connection:
            yield connection
        self.checkpoint()

    def checkpoint(self) -> bool:
        """Empty SQLite's write-ahead log into the database file; return whether that succeeded.

        Deleted data are overwritten in the file (`secure_delete`), but remain in the log until it
        is emptied. That fails while a transaction reads an older snapshot. In PostgreSQL this is up
        to the administrator: see `capsule/OPERATING.md`.
        """
        if self.engine.dialect.name != "sqlite":
            return True
        try:
            with closing(self.engine.raw_connection()) as pooled:
                driver: sqlite3.Connection = pooled.driver_connection  # type: ignore[assignment]
                try:
                    return backup.empty_log(driver, CHECKPOINT_PATIENCE)
                finally:
                    driver.execute(backup.busy_timeout(PATIENCE))
        except (sqlite3.Error, sa.exc.SQLAlchemyError, faults.DatabaseFault):
            return False

    def close(self) -> None:
        """Close every connection."""
        self.engine.dispose()

    def _require_worker(self) -> None:
        if self.engine.dialect.name == "postgresql":
            require_worker()

    @contextmanager
    def _writing_turn(self, patience: float) -> Iterator[float]:
        """Wait for the lock of this process's writers; yield the seconds left of `patience`."""
        if self.writing_lock is None:
            yield patience
            return
        started = time.monotonic()
        if not self.writing_lock.acquire(timeout=patience):
            raise faults.DatabaseBusy("Others write to the database for too long")
        try:
            waited = time.monotonic() - started
            yield patience if waited < _MOMENT else max(0, patience - waited)
        finally:
            self.writing_lock.release()


def open_database(
    url: str, patience: float = 0, opened: backup.OpenedFile | None = None
) -> Database:
    """Open the database at an SQLAlchemy `url`, whose tables must be those of this version.

    The database's file is made readable by its owner alone. The capsule waits up to `patience`
    seconds for a server that is unavailable, as while it starts, but not for one that refuses only
    this capsule, as for a wrong password. `opened` is the file that the capsule opened before, if
    any.

    Raises:
        CannotOpen: The URL's kind of database is not supported, there is no such file, or the
            tables are of another version or incomplete.
        DatabaseFault: The database cannot be reached, is locked, or is not in the `opened` file.
    """
    database = connect(url, opened=opened)
    file = files.file_of(database.engine.url)
    if opened is not None:
        # SQLite would create the file anew if it had been removed.
        opened.require_in_place()
    if file is not None and not (file.exists() and file.stat().st_size):
        # SQLite would create an empty database.
        raise faults.CannotOpen(f"There is no database {file}")
    try:
        wait_until_up(database, patience)
        with database.reading() as connection:
            migrating.require_newest(connection)
            migrating.require_complete(connection)
    except BaseException:
        database.close()
        raise
    if file is not None:
        files.make_private(file)
    return database


def wait_until_up(database: Database, patience: float) -> None:
    """Wait for PostgreSQL to accept connections, for up to `patience` seconds.

    Raises `DatabaseUnavailable` after that time, or at once if the server accepts connections but
    refuses this one.
    """
    if database.engine.dialect.name == "sqlite":
        return
    until = time.monotonic() + patience
    is_waiting = False
    while True:
        # Checked before the attempt: a server that was still starting may refuse it and be up just
        # afterwards, which would look like a refusal of this capsule.
        is_up = postgresql.is_up(database.engine)
        try:
            with database.reading():
                return
        except faults.DatabaseUnavailable as error:
            if is_up or time.monotonic() >= until:
                database.close()
                raise
            if not is_waiting:
                _log.warning("Waiting for the database: %s", error)
                is_waiting = True
        time.sleep(postgresql.RETRY_SECONDS)
        # Dropping the pool lets the next attempt report its own failure, not this one.
        database.close()


def connect(
    url: str,
    application: str = postgresql.APPLICATION,
    opened: backup.OpenedFile | None = None,
    *,
    logs_ahead: bool = False,
) -> Database:
    """Return the database at an SQLAlchemy `url`, without checking it or connecting to it.

    PostgreSQL shows `application` as the name of the connections. `opened` is the file that the
    capsule opened before, if any. With `logs_ahead`, the first connection switches SQLite to a
    write-ahead log, which changes the file. Raises `CannotOpen` if the kind of database is not
    supported.
    """
    try:
        parsed = sa.make_url(url)
    except sa.exc.ArgumentError as error:
        # SQLAlchemy's message would quote the URL, which may contain a password.
        raise faults.CannotOpen(
            "The database is not named by a URL that SQLAlchemy knows"
        ) from error
    if parsed.get_backend_name() == "sqlite":
        return Database(_sqlite(parsed, opened, logs_ahead=logs_ahead), Lock(), opened)
    if parsed.drivername in {"postgresql", "postgresql+psycopg"}:
        url_with_driver = parsed.set(drivername="postgresql+psycopg")
        return Database(postgresql.postgresql_engine(url_with_driver, PATIENCE, application))
    raise faults.CannotOpen(
        f"{parsed.drivername} is not supported: use sqlite or postgresql+psycopg"
    )


def key_secret(connection: sa.Connection) -> bytes:
    """Return the secret that signs action keys, which all processes share."""
    value: bytes = connection.execute(
        sa.select(schema.players.secrets.c.value).where(schema.players.secrets.c.name == KEY_SECRET)
    ).scalar_one()
    return value


def _changes(connection: sa.Connection) -> int | None:
    """Return a number that changes when the transaction changes something."""
    if connection.dialect.name == "postgresql":
        number: int | None = connection.scalar(sa.select(sa.func.txid_current_if_assigned()))
        return number
    driver: sqlite3.Connection = connection.connection.driver_connection  # type: ignore[assignment]
    return driver.total_changes


def _sqlite(url: sa.URL, opened: backup.OpenedFile | None, *, logs_ahead: bool) -> sa.Engine:
    """Return an engine for SQLite, which connects and writes only while `opened` is in place."""
    engine = sa.create_engine(url)
    file = files.file_of(url)

    @sa.event.listens_for(engine, "do_connect")
    def open_file(
        dialect: Dialect, _record: object, arguments: tuple[Any, ...], named: dict[str, Any]
    ) -> DBAPIConnection:
        # SQLite would create a missing file.
        _require_in_place(opened)
        with files.named_if_unopenable(file):
            connection = dialect.connect(*arguments, **named)
        try:
            # Checked again, since the file may have been replaced just before SQLite opened it.
            _require_in_place(opened)
        except faults.DatabaseDisplaced:
            connection.close()
            raise
        return connection

    @sa.event.listens_for(engine, "connect")
    def configure(connection: Any, _record: object) -> None:  # noqa: ANN401 - sqlite3's, untyped
        # Transactions are begun in `begin` below: Python's sqlite3 would begin them too late.
        connection.isolation_level = None
        cursor = connection.cursor()
        cursor.execute(backup.busy_timeout(PATIENCE))
        with files.named_if_unopenable(file):
            # The first statement that reads opens the log.
            cursor.execute("PRAGMA journal_mode=WAL" if logs_ahead else "PRAGMA schema_version")
        # A move that has been confirmed must survive a power cut.
        cursor.execute("PRAGMA synchronous=FULL")
        cursor.execute("PRAGMA foreign_keys=ON")
        # Erased players must not be recoverable from the file's free pages.
        cursor.execute("PRAGMA secure_delete=ON")
        cursor.close()

    @sa.event.listens_for(engine, "begin")
    def begin(connection: sa.Connection) -> None:
        # On the driver's cursor: for such a statement SQLAlchemy takes longer than SQLite.
        cursor = connection.connection.cursor()
        options = connection.get_execution_options()
        if not options.get(_WRITES, False):
            cursor.execute("BEGIN")
            return
        patience = options.get(postgresql.PATIENCE, PATIENCE)
        if patience != PATIENCE:
            cursor.execute(backup.busy_timeout(patience))
        try:
            # A writer takes the lock at once: a reader that became a writer might have read
            # outdated data.
            cursor.execute("BEGIN IMMEDIATE")
        except sqlite3.Error as error:
            raise sa.exc.OperationalError("BEGIN IMMEDIATE", None, error) from error
        finally:
            if patience != PATIENCE:
                cursor.execute(backup.busy_timeout(PATIENCE))
        # Checked under the lock: a copy of a displaced database waits until no writer holds it.
        _require_in_place(opened)

    return engine


def _require_in_place(opened: backup.OpenedFile | None) -> None:
    if opened is not None:
        opened.require_in_place()
