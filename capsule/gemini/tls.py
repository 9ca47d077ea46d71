# ruff: noqa: N802 - methods that Twisted calls have the names that Twisted gives them
"""The TLS of connections: jetforce's, for one request each."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, cast

from jetforce.tls import GeminiCertificateOptions
from OpenSSL import SSL
from twisted.internet.protocol import connectionDone
from twisted.protocols.tls import TLSMemoryBIOFactory, TLSMemoryBIOProtocol

from capsule.gemini.limits import rate_limit_key

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

    from twisted.python.failure import Failure

    from capsule.gemini.turns import ReactorTurns


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

    factory: TlsFactory
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


class TlsFactory(TLSMemoryBIOFactory):
    """A factory for TLS connections whose visitors take turns.

    They do so while it `is_crowded`, and are without Twisted's buffer for many small writes.
    """

    protocol = _InTurn
    turns: ReactorTurns
    is_crowded: Callable[[], bool]
