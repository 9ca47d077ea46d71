"""SQLAlchemy's engines, set up for what the capsule promises: for SQLite and for PostgreSQL."""

from __future__ import annotations

import time
from contextlib import contextmanager
from threading import Lock
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection, Engine, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError

from capsule.db import outage
from capsule.db.faults import DatabaseBusy, named_faults

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlalchemy import URL


PATIENCE = 3.0
"""Seconds for which a transaction waits for what others hold, by default."""

_CONNECT_SECONDS = 2
"""Seconds for which a connection to PostgreSQL is awaited: the least that its library allows."""

_IDLE_SECONDS = 30
"""Seconds after which PostgreSQL ends a transaction whose capsule has fallen silent."""

_CONNECTIONS, _MORE_CONNECTIONS = 8, 8
"""Connections that a process keeps open to PostgreSQL, and those that it may add for a while."""

_WRITES, _PATIENCE, _TURNS = "oxonaut_writes", "oxonaut_patience", "oxonaut_turns"

_MOMENT = 0.1
"""Seconds of waiting that are not worth telling SQLite of."""


class CannotOpen(Exception):
    """The database cannot be opened; the message is a line for the operator."""


def make_engine(url: str) -> Engine:
    """Return an engine for the database at an SQLAlchemy URL; nothing is connected yet.

    Raises `CannotOpen` if there is no such kind of database here.
    """
    try:
        parsed = make_url(url)
    except ArgumentError as error:
        # The error's own words would quote the URL, which may hold a password.
        raise CannotOpen("The database is not named by a URL that SQLAlchemy knows") from error
    if parsed.get_backend_name() == "sqlite":
        return _sqlite(parsed)
    if parsed.drivername in {"postgresql", "postgresql+psycopg"}:
        return _postgresql(parsed.set(drivername="postgresql+psycopg"))
    raise CannotOpen(f"{parsed.drivername} is not supported: use sqlite or postgresql+psycopg")


@contextmanager
def read_transaction(engine: Engine) -> Iterator[Connection]:
    """Yield a connection that sees one state of the database throughout, and stores nothing."""
    with named_faults(), engine.connect() as connection:
        if connection.dialect.name == "postgresql":
            connection.execution_options(
                isolation_level="REPEATABLE READ", postgresql_readonly=True
            )
        yield connection


@contextmanager
def write_transaction(engine: Engine, patience: float = PATIENCE) -> Iterator[Connection]:
    """Yield a connection whose changes are committed at the end, or rolled back on an error.

    In PostgreSQL it sees what others have stored up to each statement: what a decision rests on
    must be held (`SELECT … FOR …`) before it is read. In SQLite nobody else writes meanwhile.
    """
    with named_faults(), _turn(engine, patience) as patience_left:
        options = {_WRITES: True, _PATIENCE: patience_left}
        with engine.connect().execution_options(**options) as connection, connection.begin():
            yield connection


@contextmanager
def _turn(engine: Engine, patience: float) -> Iterator[float]:
    """Wait for the other writers of this process, where one alone can write; yield what is left.

    SQLite lets writers try again and again, of whom some may never be lucky. A lock is kinder to
    those of one process.
    """
    turns: Lock | None = engine.get_execution_options().get(_TURNS)
    if turns is None:
        yield patience
        return
    begun = time.monotonic()
    if not turns.acquire(timeout=patience):
        raise DatabaseBusy("Others write to the database for too long")
    try:
        waited = time.monotonic() - begun
        yield patience if waited < _MOMENT else max(0, patience - waited)
    finally:
        turns.release()


def _sqlite(url: URL) -> Engine:
    engine = create_engine(url, execution_options={_TURNS: Lock()})

    @event.listens_for(engine, "connect")
    def configure(connection: Any, _record: object) -> None:  # noqa: ANN401 - sqlite3's, untyped
        # Transactions are begun in `begin` below: Python's sqlite3 would begin them too late.
        connection.isolation_level = None
        cursor = connection.cursor()
        cursor.execute(busy_timeout())
        cursor.execute("PRAGMA journal_mode=WAL")
        # A move that has been confirmed must survive a power cut.
        cursor.execute("PRAGMA synchronous=FULL")
        cursor.execute("PRAGMA foreign_keys=ON")
        # Erased players must not be recoverable from the file's free pages.
        cursor.execute("PRAGMA secure_delete=ON")
        cursor.close()

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        options = connection.get_execution_options()
        if not options.get(_WRITES, False):
            connection.exec_driver_sql("BEGIN")
            return
        # A writer takes the lock at once: a reader that became a writer might have read outdated
        # data.
        patience = options.get(_PATIENCE, PATIENCE)
        if patience == PATIENCE:
            connection.exec_driver_sql("BEGIN IMMEDIATE")
            return
        connection.exec_driver_sql(busy_timeout(patience))
        try:
            connection.exec_driver_sql("BEGIN IMMEDIATE")
        finally:
            connection.exec_driver_sql(busy_timeout())

    return engine


def busy_timeout(seconds: float = PATIENCE) -> str:
    """Return the statement that lets a connection of SQLite wait so long for what others hold."""
    return f"PRAGMA busy_timeout={_milliseconds(seconds)}"


def _postgresql(url: URL) -> Engine:
    settings = {
        "lock_timeout": _milliseconds(PATIENCE),
        "statement_timeout": _milliseconds(PATIENCE),
        "idle_in_transaction_session_timeout": _milliseconds(_IDLE_SECONDS),
    }
    try:
        engine = create_engine(
            url,
            pool_pre_ping=True,
            pool_size=_CONNECTIONS,
            max_overflow=_MORE_CONNECTIONS,
            pool_timeout=PATIENCE,
            isolation_level="READ COMMITTED",
            connect_args={
                "application_name": "oxonaut",
                "connect_timeout": _CONNECT_SECONDS,
                # A machine that is gone does not say so: it is taken for gone when it is silent.
                "tcp_user_timeout": _milliseconds(PATIENCE),
                "options": " ".join(f"-c {name}={value}" for name, value in settings.items()),
            },
        )
    except ImportError as error:
        raise CannotOpen(
            "PostgreSQL needs the extra postgres: pip install 'oxonaut[postgres]'"
        ) from error

    outage.watch(engine)

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        patience = connection.get_execution_options().get(_PATIENCE, PATIENCE)
        if patience != PATIENCE:
            # 0 would mean to wait for ever.
            connection.exec_driver_sql(f"SET LOCAL lock_timeout={max(1, _milliseconds(patience))}")

    return engine


def _milliseconds(seconds: float) -> int:
    return round(1000 * seconds)
