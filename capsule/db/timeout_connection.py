"""Connections to PostgreSQL that end the wait for a silent server from this side.

Importing this needs the extra `postgres`.
"""

from collections.abc import Callable, Generator
from time import monotonic
from typing import TYPE_CHECKING, TypeVar

from psycopg import Connection, OperationalError
from psycopg.rows import TupleRow

if TYPE_CHECKING:
    from psycopg.abc import PQGen

CHECK_SECONDS = 0.1
"""Seconds between two checks of the time while an answer is awaited."""

Answer = TypeVar("Answer")
Wanted = TypeVar("Wanted")
Ready = TypeVar("Ready")


class SilentServer(OperationalError):
    """The server has not answered a statement in time."""


class TimeoutConnection(Connection[TupleRow]):
    """A connection on which each answer is awaited for `patience` seconds.

    A working server ends statements that last too long. One that has fallen silent, while its
    machine still confirms packets, does not: then the connection is closed, `on_silence` called,
    and `SilentServer` raised. `silences` is how often that had happened before the connection was
    made.
    """

    patience: float
    silences: int
    on_silence: Callable[[], None]

    def wait(
        self, gen: "PQGen[Answer]", interval: float = CHECK_SECONDS, timeout: float | None = None
    ) -> Answer:
        """Return what the server answers within `timeout` seconds, by default `patience`."""
        until = monotonic() + (self.patience if timeout is None else timeout)
        try:
            return super().wait(_until(until, gen), interval)
        except SilentServer:
            # Nothing more can be sent on it, not even a rollback.
            self.pgconn.finish()
            self.on_silence()
            raise


def _until(
    end: float, waiting: Generator[Wanted, Ready, Answer]
) -> Generator[Wanted, Ready, Answer]:
    """Continue a generator that waits for the server; raise `SilentServer` at a time."""
    try:
        wanted = next(waiting)
        while True:
            ready = yield wanted
            if not ready and monotonic() >= end:
                raise SilentServer("The server does not answer")
            wanted = waiting.send(ready)
    except StopIteration as finished:
        answer: Answer = finished.value
        return answer
