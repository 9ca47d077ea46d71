"""A circuit breaker: nobody waits for a PostgreSQL server that is known to be away."""

from collections.abc import Callable
from threading import Event, Lock, Thread
from typing import TYPE_CHECKING

from capsule.db.faults import DatabaseUnavailable

if TYPE_CHECKING:
    from capsule.db.timeout_connection import TimeoutConnection

RETRY_SECONDS = 0.25
"""Seconds between two attempts to reach a server that is away."""


class CircuitBreaker:
    """Makes connections to a server that is away fail at once, until a thread reaches it again.

    A server that does not answer at all costs everybody who asks it seconds. The first to ask pay
    that; after them, only the thread does.
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
            except Exception:  # noqa: BLE001, S112 - it is still away, for whatever reason
                continue
            with self._lock:
                if self._closing is closing:
                    self._closing = None
            return
