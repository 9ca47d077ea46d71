"""Connections to PostgreSQL: no wait is endless, and no closed connection is used again."""

import select
import sys
from collections.abc import Callable
from functools import partial
from threading import Event, Lock, Thread
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa
from sqlalchemy.engine.interfaces import Dialect
from sqlalchemy.exc import DisconnectionError

from capsule.db.faults import CannotOpen, DatabaseUnavailable

if TYPE_CHECKING:
    from capsule.db.timeout_connection import TimeoutConnection

APPLICATION = "oxonaut"
"""The name by which PostgreSQL knows the connections of capsules and commands, of every release."""

PATIENCE = "oxonaut_patience"
"""The option of a connection that says for how many seconds its transaction may wait for locks."""

_SILENCE = 0.5
"""Seconds more than the server has for a statement, after which it counts as silent."""

_UNLIMITED = 24 * 3600.0
"""Seconds that a statement without a limit has."""

_CONNECT_SECONDS = 2
"""Seconds for which a connection is awaited: the least that PostgreSQL's library allows."""

_IDLE_SECONDS = 30
"""Seconds after which the server ends a transaction whose capsule has fallen silent."""

_CONNECTIONS, _MORE_CONNECTIONS = 8, 8
"""The connections that a process has open, and those that it may add for a while."""

RETRY_SECONDS = 0.25
"""Seconds between two attempts to reach a server that is away."""


class CircuitBreaker:
    """Makes connections to a server that is away fail at once, until a thread reaches it again.

    A server that does not answer costs each caller seconds. Only the first callers pay that, and
    then the thread alone.
    """

    def __init__(self) -> None:
        # The number of times that the server has fallen silent.
        self.silences = 0
        self._lock = Lock()
        # Set while the circuit is open; the event ends the thread.
        self._closing: Event | None = None

    def connect(self, connect: "Callable[[], TimeoutConnection]") -> "TimeoutConnection":
        """Return the new connection that `connect` makes.

        Raises `DatabaseUnavailable` if the server is known to be away, else what `connect` raises.
        """
        if self._closing is not None:
            raise DatabaseUnavailable("The database was away a moment ago")
        try:
            return connect()
        except Exception:
            self.open(connect)
            raise

    def open(self, connect: "Callable[[], TimeoutConnection]") -> None:
        """Take the server for away until `connect` reaches it again."""
        with self._lock:
            if self._closing is None:
                self._closing = Event()
                thread = Thread(target=self._retry, args=(self._closing, connect), daemon=True)
                thread.start()

    def fall_silent(self, connect: "Callable[[], TimeoutConnection]") -> None:
        """Take the server for away, as `open` does; connections made so far lead to silence."""
        self.silences += 1
        self.open(connect)

    def close(self) -> None:
        """Let the next connection be tried in any case, and end the thread."""
        with self._lock:
            if self._closing is not None:
                self._closing.set()
                self._closing = None

    def _retry(self, closing: Event, connect: "Callable[[], TimeoutConnection]") -> None:
        while not closing.wait(RETRY_SECONDS):
            try:
                connect().close()
            except Exception:  # noqa: BLE001, S112 - it is still away
                continue
            with self._lock:
                if self._closing is closing:
                    self._closing = None
            return


def postgresql_engine(url: sa.URL, patience: float, application: str = APPLICATION) -> sa.Engine:
    """Return an engine for a URL, whose statements and locks have `patience` seconds by default.

    PostgreSQL knows its connections by the name `application`. Raises `CannotOpen` if the library
    for PostgreSQL is missing.
    """
    settings = {
        "lock_timeout": milliseconds(patience),
        "statement_timeout": milliseconds(patience),
        "idle_in_transaction_session_timeout": milliseconds(_IDLE_SECONDS),
    }
    try:
        from capsule.db.timeout_connection import TimeoutConnection  # noqa: PLC0415 - an extra

        engine = sa.create_engine(
            url,
            pool_size=_CONNECTIONS,
            max_overflow=_MORE_CONNECTIONS,
            pool_timeout=patience,
            isolation_level="READ COMMITTED",
            connect_args={
                "application_name": application,
                "connect_timeout": _CONNECT_SECONDS,
                # A machine that is gone does not say so: it is taken for gone when it is silent.
                "tcp_user_timeout": milliseconds(patience),
                "options": " ".join(f"-c {name}={value}" for name, value in settings.items()),
            },
        )
    except ImportError as error:
        raise CannotOpen(
            "PostgreSQL needs the extra postgres. In the checkout that Oxonaut was installed from: "
            f"{sys.executable} -m pip install -c .ci/constraints.txt '.[postgres]'"
        ) from error
    breaker = CircuitBreaker()

    @sa.event.listens_for(engine, "do_connect")
    def connect(
        _dialect: Dialect, _record: object, arguments: tuple[Any, ...], named: dict[str, Any]
    ) -> "TimeoutConnection":
        reach = partial(TimeoutConnection.connect, *arguments, **named)
        connection = breaker.connect(reach)
        connection.patience = patience + _SILENCE
        connection.silences = breaker.silences
        connection.on_silence = partial(breaker.fall_silent, reach)
        return connection

    @sa.event.listens_for(engine, "engine_disposed")
    def close(_engine: object) -> None:
        breaker.close()

    @sa.event.listens_for(engine, "checkout")
    def check(connection: "TimeoutConnection", _record: object, _proxy: object) -> None:
        is_over = connection.closed or _has_received(connection.fileno())
        if is_over or connection.silences != breaker.silences:
            raise DisconnectionError("The server has closed the connection, or fallen silent")
        connection.patience = patience + _SILENCE
        if connection.read_only is not None:
            # After a transaction that reads, SQLAlchemy would begin the next one as one that may
            # write, which a standby refuses.
            connection.read_only = None

    @sa.event.listens_for(engine, "begin")
    def begin(connection: sa.Connection) -> None:
        limit = connection.get_execution_options().get(PATIENCE, patience)
        _driver(connection).patience = max(patience, limit) + _SILENCE
        if limit != patience:
            # 0 would mean to wait for ever.
            connection.exec_driver_sql(f"SET LOCAL lock_timeout={max(1, milliseconds(limit))}")

    return engine


def is_up(engine: sa.Engine) -> bool:
    """Return whether PostgreSQL accepts connections, even if it refuses this capsule's."""
    psycopg: Any = engine.dialect.loaded_dbapi
    _, options = engine.dialect.create_connect_args(engine.url)
    options = {**options, "connect_timeout": _CONNECT_SECONDS}
    options.pop("context", None)  # psycopg's own, not the server's
    information = psycopg.conninfo.make_conninfo(**options)
    return bool(psycopg.pq.PGconn.ping(information.encode()) == psycopg.pq.Ping.OK)


def lift_limit(connection: sa.Connection) -> None:
    """Lift the limit of time from a transaction's statements; SQLite has none."""
    if connection.dialect.name == "postgresql":
        connection.exec_driver_sql("SET LOCAL statement_timeout = 0")
        _driver(connection).patience = _UNLIMITED


def count_others(connection: sa.Connection) -> int:
    """Return the number of connections of capsules and commands to this database, but for this."""
    # Otherwise the transaction would see the connections of its first question each time.
    connection.execute(sa.text("SELECT pg_stat_clear_snapshot()"))
    number: int = connection.execute(
        sa.text(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
            " AND pid <> pg_backend_pid() AND application_name = :application"
        ),
        {"application": APPLICATION},
    ).scalar_one()
    return number


def milliseconds(seconds: float) -> int:
    """Return seconds in whole milliseconds.

    >>> milliseconds(0.5)
    500
    """
    return round(1000 * seconds)


def _driver(connection: sa.Connection) -> "TimeoutConnection":
    driver: TimeoutConnection = connection.connection.driver_connection  # type: ignore[assignment]  # ours
    return driver


def _has_received(descriptor: int) -> bool:
    """Return whether something has arrived on an idle connection, which can only be its end."""
    poll = select.poll()
    poll.register(descriptor, select.POLLIN)
    return bool(poll.poll(0))
