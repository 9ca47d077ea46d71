"""A circuit breaker: nobody waits for a PostgreSQL server that is known to be away."""

from __future__ import annotations

from threading import Event, Lock, Thread
from typing import TYPE_CHECKING, Any

from sqlalchemy import event

from capsule.db.faults import DatabaseAway

if TYPE_CHECKING:
    from collections.abc import Callable

    from sqlalchemy import Engine
    from sqlalchemy.engine.interfaces import DBAPIConnection, Dialect

RETRY_SECONDS = 0.25
"""Seconds between two attempts to reach a server that is away."""


class CircuitBreaker:
    """Makes connections to a server that is away fail at once, until a thread reaches it again.

    A machine that does not answer at all costs everybody who asks it seconds. The first to ask pay
    that; after them, only the thread does.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        # Set while the circuit is open; the event ends the thread.
        self._closing: Event | None = None

    def connect(self, connect: Callable[[], DBAPIConnection]) -> DBAPIConnection:
        """Return the new connection that `connect` makes.

        Raises `DatabaseAway` if the server is known to be away, else what `connect` raises.
        """
        if self._closing is not None:
            raise DatabaseAway("The database was away a moment ago")
        try:
            return connect()
        except Exception:
            with self._lock:
                if self._closing is None:
                    self._closing = Event()
                    thread = Thread(target=self._retry, args=(self._closing, connect), daemon=True)
                    thread.start()
            raise

    def close(self) -> None:
        """Let the next connection be tried, whatever is known, and end the thread."""
        with self._lock:
            if self._closing is not None:
                self._closing.set()
                self._closing = None

    def _retry(self, closing: Event, connect: Callable[[], DBAPIConnection]) -> None:
        while not closing.wait(RETRY_SECONDS):
            try:
                connect().close()
            except Exception:  # noqa: BLE001, S112 - it is still away, for whatever reason
                continue
            with self._lock:
                if self._closing is closing:
                    self._closing = None
            return


def install(engine: Engine) -> None:
    """Have new connections of an engine go through a circuit breaker of its own."""
    breaker = CircuitBreaker()

    @event.listens_for(engine, "do_connect")
    def connect(
        dialect: Dialect,
        _record: object,
        arguments: tuple[Any, ...],
        named: dict[str, Any],
    ) -> DBAPIConnection:
        return breaker.connect(lambda: dialect.connect(*arguments, **named))

    @event.listens_for(engine, "engine_disposed")
    def close(_engine: object) -> None:
        breaker.close()
