# ruff: noqa: N802 - methods that Twisted calls have the names that Twisted gives them
"""The transfer of a request line and of a response, in the pieces in which they come and go.

A coroutine waits for a `Future`. Twisted's `Deferred` does as much and more, and would take 25 µs
more of each connection, a fiftieth of what a page costs that is at hand.
"""

from collections.abc import Callable, Coroutine, Generator
from contextlib import suppress
from typing import Any, Generic, TypeAlias, TypeVar

from capsule.gemini.url import MAX_LINE_BYTES

T = TypeVar("T")


class Future(Generic[T]):
    """A result that is set once, which resumes the coroutine that awaits it.

    >>> async def greet() -> None:
    ...     print("Hello", await name)
    >>> name = Future[str]()
    >>> run(greet())
    >>> name.set_result("alice")
    Hello alice
    """

    def __init__(self) -> None:
        self.is_done = False
        self.result: T
        self._waiting: Waiting | None = None

    def set_result(self, result: T) -> None:
        """Set the result; raises what the resumed coroutine raises."""
        self.is_done = True
        self.result = result
        if self._waiting is not None:
            run(self._waiting)

    def __await__(self) -> "Generator[Future[T], None, T]":
        if not self.is_done:
            yield self
        return self.result


Waiting: TypeAlias = Coroutine[Future[Any], None, None]


def run(coroutine: Waiting) -> None:
    """Run a coroutine until it awaits a future without a result, or ends; raises what it does."""
    with suppress(StopIteration):
        coroutine.send(None)._waiting = coroutine  # noqa: SLF001 - of this module


CHUNK = 64 * 1024
"""Bytes of a response that are encrypted at a time, once the system has taken those before."""


class LineReader:
    """Collects what a connection receives, up to the end of its first line; ignores the rest.

    `first` is that line with its end, or the beginning of a line that is too long.
    """

    def __init__(self) -> None:
        self.first: Future[bytes | None] = Future()
        self._received = b""

    def feed(self, data: bytes) -> None:
        """Read further bytes."""
        if self.first.is_done:
            return
        self._received += data
        line, newline, _ = self._received.partition(b"\n")
        if newline or len(line.removesuffix(b"\r")) > MAX_LINE_BYTES:
            self.first.set_result(line + newline)


class Outbox:
    """Sends a response in pieces, each once the system has taken those before, and ends TLS.

    While it `is_open`, more text may follow. `set_deadline` takes the seconds within which the
    system should take a piece, None while nothing is on the way.
    """

    def __init__(
        self,
        transport: Any,  # noqa: ANN401 - Twisted's types are narrower
        set_deadline: Callable[[float | None], None],
        seconds: float,
    ) -> None:
        self.is_open = False
        self._transport = transport
        self._set_deadline = set_deadline
        self._seconds = seconds
        self._unsent = memoryview(b"")
        self._is_idle = False
        self._sent: Future[bool] = Future()

    def send(self, content: bytes) -> Future[bool]:
        """Send the response; return whether it could be sent, once all of it has been."""
        self._unsent = memoryview(content)
        self._transport.transport.registerProducer(self, False)  # noqa: FBT003 - Twisted's own
        return self._sent

    def send_more(self, text: str) -> None:
        """Send further text, once the text before has been sent."""
        unsent = bytes(self._unsent) + text.encode(errors="replace")
        if len(unsent) > CHUNK:
            # The reader takes nothing, and shall not have all of it kept here.
            self._transport.transport.abortConnection()
            return
        self._unsent = memoryview(unsent)
        if self._is_idle:
            self.resumeProducing()

    def end_live(self, text: str) -> None:
        """Send the last words, and end the response."""
        self.is_open = False
        self.send_more(text)

    def resumeProducing(self) -> None:
        """Send the next piece: the system has taken everything before it."""
        if self._transport.disconnecting:
            self._transport.transport.unregisterProducer()
            self._sent.set_result(True)
            return
        self._is_idle = self.is_open and not self._unsent
        self._set_deadline(None if self._is_idle else self._seconds)
        if self._unsent:
            piece, self._unsent = self._unsent[:CHUNK], self._unsent[CHUNK:]
            self._transport.write(bytes(piece))
        if not self._unsent and not self.is_open:
            # This sends close_notify and leaves the underlying connection open.
            self._transport.loseConnection()

    def stopProducing(self) -> None:
        """Discard the unsent part of the response: the visitor has gone."""
        self._unsent = memoryview(b"")
        self._sent.set_result(False)
