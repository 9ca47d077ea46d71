# ruff: noqa: N802 - methods that Twisted calls have the names that Twisted gives them
"""The TLS of connections: jetforce's, for one request each."""

from __future__ import annotations

from typing import Any

from jetforce.tls import GeminiCertificateOptions
from OpenSSL import SSL
from twisted.protocols.tls import TLSMemoryBIOFactory, TLSMemoryBIOProtocol


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


class TlsFactory(TLSMemoryBIOFactory):
    """A factory for TLS connections without Twisted's buffer for many small writes."""

    protocol = TLSMemoryBIOProtocol
