# ruff: noqa: N802 - methods that Twisted calls have the names that Twisted gives them
"""The TLS of connections, jetforce's, for one request each; and visitors' turns.

Visitors take turns on the reactor's thread and on those that make pages. The visitor who has had
least goes first. Otherwise a visitor would wait at each step of a connection for all who ask in
closed loops: a handshake takes a millisecond or two, and some pages a hundred.
"""

from collections.abc import Callable, Collection, Hashable
from functools import partial
from time import monotonic
from typing import Any, cast

from jetforce.tls import GeminiCertificateOptions
from OpenSSL import SSL
from twisted.internet.protocol import Protocol, connectionDone
from twisted.protocols.tls import TLSMemoryBIOFactory, TLSMemoryBIOProtocol
from twisted.python.failure import Failure
from twisted.python.threadpool import ThreadPool

from capsule.fair_queue import FairQueue
from capsule.gemini.limits import ConnectionLimit, rate_limit_key

CREDIT = 0.01
"""Seconds of work by which a visitor who comes goes before the others: some connections."""


class ReactorTurns:
    """Work that waits for the reactor's thread; one piece of it is done at each of its rounds.

    In between, the reactor finds out who else has sent something. `later` calls a function in its
    next round.
    """

    def __init__(self, later: Callable[[Callable[[], None]], object]) -> None:
        self._later = later
        self._work: FairQueue[Callable[[], object]] = FairQueue(CREDIT)

    def enter(self, visitor: Hashable) -> None:
        """Count a connection of a visitor, so that what the visitor has had is not forgotten."""
        self._work.enter((visitor,))

    def leave(self, visitor: Hashable) -> None:
        """Uncount a connection of a visitor; after the last one, the visitor is forgotten."""
        self._work.leave((visitor,))

    def put(self, visitor: Hashable, work: Callable[[], object]) -> None:
        """Run a visitor's work when that visitor is next in line."""
        if not self._work:
            self._later(self._do_next)
        self._work.put((visitor,), work)

    def _do_next(self) -> None:
        try:
            with self._work.turn() as work:
                work()
        finally:
            if self._work:
                self._later(self._do_next)


class ThreadTurns:
    """Work that waits for one of the threads of a pool."""

    def __init__(self, threads: ThreadPool) -> None:
        self._threads = threads
        self._work: FairQueue[Callable[[], object]] = FairQueue(CREDIT)

    def put(self, owners: Collection[Hashable], work: Callable[[], object]) -> None:
        """Run work when its owners are next in line."""
        self._work.put(owners, work)
        self._threads.callInThread(self._do_next)

    def _do_next(self) -> None:
        with self._work.turn() as work:
            work()


HOLD_REFUSED = 1.0
"""Seconds after which a refused connection is aborted."""

MAX_REFUSED = 250
"""Refused connections that are held, if there is room for as many; others are aborted at once."""


class _OneRequestConnection(SSL.Connection):
    """A TLS connection that ignores further data once its request has arrived."""

    ignores_data = False

    def recv(self, bufsiz: int, flags: int | None = None) -> bytes:
        if self.ignores_data:
            raise SSL.WantReadError
        return super().recv(bufsiz, flags)

    def bio_write(self, buf: Any) -> int:  # noqa: ANN401 - pyOpenSSL's own signature
        return len(buf) if self.ignores_data else super().bio_write(buf)


class TlsOptions(GeminiCertificateOptions):
    """jetforce's TLS, without the session resumption that would hide client certificates."""

    def _makeContext(self) -> SSL.Context:  # type: ignore[override]  # as jetforce declares it
        context = super()._makeContext()
        context.set_session_cache_mode(SSL.SESS_CACHE_OFF)
        context.set_options(SSL.OP_NO_TICKET | SSL.OP_NO_RENEGOTIATION)
        return context

    def serverConnectionForTLS(
        self,
        protocol: TLSMemoryBIOProtocol,  # noqa: ARG002 - Twisted's signature
    ) -> SSL.Connection:
        """Return the TLS side of a new connection."""
        return _OneRequestConnection(self.getContext())


class _InTurn(TLSMemoryBIOProtocol):
    """A TLS connection whose data is read when it is its visitor's turn, if many want one."""

    factory: "TlsFactory"
    transport: Any
    _visitor: Hashable | None = None

    def dataReceived(self, data: bytes) -> None:
        """Read data now or later; until then, no more is taken from the system."""
        if not self.factory.is_crowded():
            cast("Any", super()).dataReceived(data)
            return
        self.transport.pauseProducing()
        if self._visitor is None:
            self._visitor = rate_limit_key(self.transport.getPeer().host)
            self.factory.turns.enter(self._visitor)
        self.factory.turns.put(self._visitor, partial(self._read, data))

    def connectionLost(self, reason: Failure = connectionDone) -> None:
        """Forget what the visitor has had if this was the last connection."""
        if self._visitor is not None:
            self.factory.turns.leave(self._visitor)
        cast("Any", super()).connectionLost(reason)

    def _read(self, data: bytes) -> None:
        if self.connected:
            self.transport.resumeProducing()
            cast("Any", super()).dataReceived(data)


class _Refused(Protocol):
    """A connection for which there is no room, and which is not worth a handshake.

    It is held for a while before it is aborted, so that no other visitor waits for one who connects
    again and again.
    """

    factory: "TlsFactory"
    transport: Any

    def __init__(self, limit: ConnectionLimit[Any]) -> None:
        self.limit = limit

    def connectionMade(self) -> None:
        """Abort the connection in a while, at once if too many are held."""
        is_held = self.factory.refused < min(MAX_REFUSED, self.limit.free)
        self.factory.refused += 1
        self.transport.pauseProducing()
        abort = self.transport.abortConnection
        self.transport.reactor.callLater(HOLD_REFUSED if is_held else 0, abort)

    def connectionLost(self, reason: Failure = connectionDone) -> None:  # noqa: ARG002
        """Make room for another refused connection."""
        self.factory.refused -= 1


class TlsFactory(TLSMemoryBIOFactory):
    """A factory for TLS connections whose visitors take turns.

    They do so while it `is_crowded`, and are without Twisted's buffer for many small writes. The
    `limit` says which connections are refused before TLS; there is none if a balancer, who is not
    their visitor, makes them. `refused` counts those that have been refused and are still open.
    """

    protocol = _InTurn
    turns: ReactorTurns
    is_crowded: Callable[[], bool]
    limit: ConnectionLimit[Any] | None
    refused = 0

    def buildProtocol(self, addr: Any) -> Any:  # noqa: ANN401 - Twisted's types are narrower
        """Return the protocol of a new connection."""
        limit = self.limit
        if limit is None or limit.has_room(rate_limit_key(addr.host), monotonic()):
            return super().buildProtocol(addr)
        refused = _Refused(limit)
        refused.factory = self
        return refused
