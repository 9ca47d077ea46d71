# ruff: noqa: N802 - methods that Twisted calls have the names that Twisted gives them
"""One request per connection: jetforce's Gemini protocol over TLS, hardened.

The reactor's thread does TLS, reads request lines and writes responses; the application answers on
other threads, so it may take its time. A connection's data is interpreted up to its first CRLF.
What comes after is read only to be discarded: if a connection is closed with unread data, the
system resets it, and the visitor may lose the response.
"""

from __future__ import annotations

import re
import socket
import time
import traceback
from contextlib import suppress
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, cast
from urllib.parse import quote

from jetforce.protocol import GeminiProtocol
from jetforce.tls import GeminiCertificateOptions
from OpenSSL import SSL, crypto
from twisted.internet.protocol import connectionDone
from twisted.protocols.tls import TLSMemoryBIOFactory, TLSMemoryBIOProtocol

from capsule.gemini.certificates import CertificateError, read_client_certificate
from capsule.gemini.limits import CountsRequests, CountsWaits, opaque_key, rate_limit_key
from capsule.gemini.types import Application, Certificate, Request, Response, Wait
from capsule.gemini.url import MAX_URL_BYTES, Authority, RequestRefused, parse_url
from capsule.measurements import Answered

if TYPE_CHECKING:
    import logging
    from collections.abc import Callable, Collection, Hashable

    from twisted.python.failure import Failure
    from twisted.python.threadpool import ThreadPool

    from capsule.measurements import Measurements


BAD_REQUEST = 59
CERTIFICATE_NOT_VALID = 62
SLOW_DOWN = 44
CGI_ERROR = 42

CHUNK = 64 * 1024
"""Bytes of a response that are encrypted at a time, once the system has taken those before."""

LINGER = 5.0
"""Seconds that a visitor has to close the connection after the whole response has been sent."""

MAX_META_BYTES = 1024
"""Bytes that the Gemini protocol allows a META to have."""

MAX_LOGGED_SEGMENT_LENGTH = 20
"""The length up to which a segment of a path is logged; action keys have 26 characters."""

MAX_LOGGED_SEGMENTS = 6
"""Segments of a path that are logged separately; no page of ours has more."""

MAX_LOGGED_ERRORS = 5
"""Errors in a chain of errors that are logged."""

MAX_CERTIFICATES = 1000
"""Certificates that are remembered as read: most visitors come back soon."""

HIDDEN = "…"
"""The text that replaces a key in the log."""


class EncodedResponse(NamedTuple):
    """A response as bytes on the wire."""

    status: int
    content: bytes
    page: str = ""


_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+")


def encode(response: Response) -> EncodedResponse:
    r"""Return the bytes of a response, whose header is one line, whatever its META contains.

    Raises `ValueError` if the Gemini protocol has no such status.

    >>> encode(Response(20, "text/gemini", "# Hello"))
    EncodedResponse(status=20, content=b'20 text/gemini\r\n# Hello', page='')
    """
    if not 10 <= response.status <= 69:
        raise ValueError("a status has two digits, from 10 to 69")
    meta = _CONTROL.sub(" ", response.meta).encode(errors="replace")
    if len(meta) > MAX_META_BYTES:
        meta = meta[:MAX_META_BYTES].decode(errors="ignore").encode()
    body = response.body.encode(errors="replace") if response.status // 10 == 2 else b""
    content = b"%d %b\r\n%b" % (response.status, meta, body)
    return EncodedResponse(response.status, content, response.page)


INTERNAL_ERROR = encode(Response(CGI_ERROR, "Something went wrong here; it has been noted"))


class Server(Protocol):
    """The part of a server that its connections use."""

    reactor: Any
    request_timeout: float
    response_timeout: float
    authority: Authority
    application: Application
    rate_limit: CountsRequests
    threads: ThreadPool
    waiting_threads: ThreadPool
    waits: CountsWaits
    log: logging.Logger
    measurements: Measurements
    stopping: bool

    def admit(self, connection: GeminiConnection) -> bool:
        """Count a new connection; return whether there is room for it."""

    def request_arrived(self, connection: GeminiConnection) -> None:
        """Note that a connection is owed a response."""

    def forget(self, connection: GeminiConnection) -> None:
        """Forget a connection that has been closed."""


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


class GeminiConnection(GeminiProtocol):
    """One connection: reads its request, has it answered on a thread, and sends the response."""

    transport: Any

    def __init__(self, server: Server) -> None:
        # The base class expects an application of jetforce's kind, but is never made to call it.
        super().__init__(cast("Any", server), cast("Any", server.application))
        self._server = server
        self._received: bytes | None = b""
        self._requested_at = 0.0
        self._waits_for: Collection[Hashable] | None = None
        self._path = "-"
        self._unsent = memoryview(b"")
        self._sent = False
        self._gone = False

    def connectionMade(self) -> None:
        """Admit the connection if there is room, else abort it."""
        if self._server.admit(self):
            self._allow(self._server.request_timeout)
        else:
            self.transport.abortConnection()

    def _allow(self, seconds: float | None) -> None:
        """Have `timeoutConnection` called after `seconds`; None cancels the timeout."""
        cast("Any", self).setTimeout(seconds)

    def connectionLost(self, reason: Failure = connectionDone) -> None:  # noqa: ARG002
        """Forget the connection; the reason for its end is not logged."""
        self._gone = True
        self._allow(None)
        self._server.forget(self)

    def dataReceived(self, data: bytes) -> None:
        """Collect the request line, and nothing after it."""
        if self._received is None:
            return
        self._received += data
        line, newline, _ = self._received.partition(b"\n")
        if newline:
            self._line_is_over()
            if line.endswith(b"\r"):
                self.lineReceived(line[:-1])
            else:
                self._refuse(RequestRefused(BAD_REQUEST, "A request must end with CRLF"))
        elif len(line.removesuffix(b"\r")) > MAX_URL_BYTES:
            self._line_is_over()
            self.lineReceived(line)

    def _line_is_over(self) -> None:
        self._allow(None)
        self._received = None
        self._requested_at = time.monotonic()
        self._server.request_arrived(self)
        self.transport.getHandle().ignores_data = True
        self.transport.transport.pauseProducing()

    def lineReceived(self, line: bytes) -> None:  # type: ignore[override]  # there is no Deferred
        """Have the request answered."""
        try:
            request = self._read(line)
        except RequestRefused as refusal:
            self._refuse(refusal)
        except Exception as error:  # noqa: BLE001 - whatever it is, the visitor gets a response
            self._log_fault(error, quotable=False)
            self._reply(INTERNAL_ERROR)
        else:
            self._path = path_for_log(request.path)
            self._answer_at_once(request)

    def _read(self, line: bytes) -> Request:
        visitor = rate_limit_key(self.client_addr.host)
        seconds = self._server.rate_limit.seconds_to_wait(visitor, self._requested_at)
        if seconds:
            raise RequestRefused(SLOW_DOWN, str(seconds))
        path, query = parse_url(line, self._server.authority)
        return Request(path, query, self._certificate(), opaque_key(self.client_addr.host))

    def _certificate(self) -> Certificate | None:
        certificate = self.transport.getPeerCertificate()
        if certificate is None:
            return None
        der = crypto.dump_certificate(crypto.FILETYPE_ASN1, certificate)
        try:
            return _read_certificate(der)
        except CertificateError as error:
            raise RequestRefused(CERTIFICATE_NOT_VALID, str(error)) from None

    def _refuse(self, refusal: RequestRefused) -> None:
        self._reply(encode(Response(refusal.status, refusal.reason)))

    def _answer_at_once(self, request: Request) -> None:
        try:
            response = self._server.application.answer_at_once(request)
            encoded = None if response is None else encode(response)
        except Exception as error:  # noqa: BLE001 - whatever it is, the visitor gets a response
            self._log_fault(error, quotable=self._is_quotable(request))
            encoded = INTERNAL_ERROR
        if encoded is not None:
            self._reply(encoded)
        else:
            self._server.threads.callInThread(
                self._answer, request, partial(self._server.application.answer, request)
            )

    def _answer(self, request: Request, answer: Callable[[], Response | Wait]) -> None:
        """Have the application answer a request; this runs on one of the server's threads."""
        encoded, wait = INTERNAL_ERROR, None
        try:
            given = answer()
            if isinstance(given, Wait):
                wait = given
            else:
                encoded = encode(given)
        except BaseException as error:  # noqa: BLE001 - whatever it is, the visitor gets a response
            self._log_fault(error, quotable=self._is_quotable(request))
        finally:
            call = self._server.reactor.callFromThread
            call(self._reply, encoded) if wait is None else call(self._wait, request, wait)

    def _wait(self, request: Request, wait: Wait) -> None:
        """Have a response waited for on a thread that nobody else needs, if it may be."""
        who = (wait.owner, rate_limit_key(self.client_addr.host))
        if not self._server.waits.begin(who):
            self._reply(encode(wait.otherwise))
            return
        self._waits_for = who
        self._server.waiting_threads.callInThread(self._answer, request, wait.finish)

    def _is_quotable(self, request: Request) -> bool:
        return request.query is None and HIDDEN not in self._path

    def _log_fault(self, error: BaseException, *, quotable: bool) -> None:
        description = describe_fault(error, quotable=quotable)
        self._server.log.error("A fault at %s\n%s", self._path, description)

    def _reply(self, response: EncodedResponse) -> None:
        if self._waits_for is not None:
            self._server.waits.end(self._waits_for)
        answered = Answered(
            response.status,
            response.page,
            self._path,
            len(response.content),
            time.monotonic() - self._requested_at,
        )
        self._server.log.info(answered)
        self._server.measurements.answered(answered)
        if not self._gone:
            self._unsent = memoryview(response.content)
            self.transport.transport.registerProducer(self, False)  # noqa: FBT003 - Twisted's own

    def resumeProducing(self) -> None:
        """Send the next part of the response: the system has taken everything before it."""
        if self._unsent:
            self._allow(self._server.response_timeout)
            chunk, self._unsent = self._unsent[:CHUNK], self._unsent[CHUNK:]
            self.transport.write(bytes(chunk))
            if not self._unsent:
                # This sends close_notify and leaves the underlying connection open.
                self.transport.loseConnection()
        else:
            self._sent = True
            connection = self.transport.transport
            connection.unregisterProducer()
            with suppress(OSError):
                connection.getHandle().shutdown(socket.SHUT_WR)
            if self._server.stopping:
                self.leave()
            else:
                self._allow(LINGER)
                connection.resumeProducing()

    def stopProducing(self) -> None:
        """Discard the unsent part of the response: the visitor has gone."""
        self._unsent = memoryview(b"")

    def timeoutConnection(self) -> None:
        """Close the connection: its visitor has taken too long."""
        if self._received is not None:
            self.dismiss()
        elif self._sent:
            self.leave()
        else:
            self.transport.transport.abortConnection()

    def leave(self) -> None:
        """Close the connection if the whole response has been sent; do not wait for the visitor."""
        if self._sent:
            self.transport.transport.loseConnection()

    def dismiss(self) -> None:
        """Close a connection that has sent no request: cleanly, but without waiting."""
        self._received = None
        self._allow(LINGER)
        if self.transport.getHandle().get_peer_finished() is not None:
            # TLS has been established and can be closed; before that, Twisted would reset the
            # connection.
            self.transport.loseConnection()
        self.transport.transport.loseConnection()


_read_certificate = lru_cache(maxsize=MAX_CERTIFICATES)(read_client_certificate)


def path_for_log(path: str) -> str:
    """Return a path percent-encoded, so that it cannot forge a line, and without its keys.

    >>> path_for_log("/play/k3x9m2pqrt/5rabcdefghijklmnopqrstuvwx/move")
    '/play/k3x9m2pqrt/…/move'
    """
    segments = path.split("/", MAX_LOGGED_SEGMENTS)
    return "/".join(
        HIDDEN if len(segment) > MAX_LOGGED_SEGMENT_LENGTH else quote(segment)
        for segment in segments
    )


def describe_fault(error: BaseException, *, quotable: bool) -> str:
    """Return the traceback of an error and of the errors that led to it, for the log.

    Messages of errors may quote the request, so they are left out unless it is `quotable`.
    """
    parts: list[str] = []
    chain: BaseException | None = error
    while chain is not None and len(parts) < MAX_LOGGED_ERRORS:
        kind = f"{type(chain).__module__}.{type(chain).__qualname__}"
        text = f": {str(chain)!r}" if quotable else ""
        frames = "".join(traceback.format_tb(chain.__traceback__))
        parts.insert(0, f"{frames}{kind}{text}")
        chain = chain.__cause__ or (None if chain.__suppress_context__ else chain.__context__)
    return "\nwhich led to\n".join(parts)
