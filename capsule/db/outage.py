"""An outage of PostgreSQL: nobody waits for a server that is known to be away."""

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


class Outage:
    """Has connections to a server that is away fail at once, until a thread finds it back.

    A machine that does not answer at all costs whoever asks it seconds. That is paid by those who
    come first, and then by the thread.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._over: Event | None = None

    def connect(self, connect: Callable[[], DBAPIConnection]) -> DBAPIConnection:
        """Return the new connection that `connect` makes.

        Raises `DatabaseAway` if the server is known to be away, else what `connect` raises.
        """
        if self._over is not None:
            raise DatabaseAway("The database was away a moment ago")
        try:
            return connect()
        except Exception:
            with self._lock:
                if self._over is None:
                    self._over = Event()
                    Thread(target=self._wait, args=(self._over, connect), daemon=True).start()
            raise

    def forget(self) -> None:
        """Let the next connection be tried, whatever is known, and end the thread."""
        with self._lock:
            if self._over is not None:
                self._over.set()
                self._over = None

    def _wait(self, over: Event, connect: Callable[[], DBAPIConnection]) -> None:
        while not over.wait(RETRY_SECONDS):
            try:
                connect().close()
            except Exception:  # noqa: BLE001, S112 - it is still away, for whatever reason
                continue
            with self._lock:
                if self._over is over:
                    self._over = None
            return


def watch(engine: Engine) -> None:
    """Have an engine's new connections fail at once while its server is away."""
    outage = Outage()

    @event.listens_for(engine, "do_connect")
    def connect(
        dialect: Dialect,
        _record: object,
        arguments: tuple[Any, ...],
        named: dict[str, Any],
    ) -> DBAPIConnection:
        return outage.connect(lambda: dialect.connect(*arguments, **named))

    @event.listens_for(engine, "engine_disposed")
    def forget(_engine: object) -> None:
        outage.forget()
