"""jetforce's Gemini server and protocol, hardened: one connection, one request, closed on time.

The reactor's thread does TLS, reads request lines and writes answers; the application answers on
other threads, so it may take its time. A connection is understood up to its first CRLF. What comes
after that is read only to be thrown away, for a system that closes a connection with bytes unread
resets it, and the visitor may lose the answer.
"""

from __future__ import annotations

import errno
import re
import resource
import signal
import socket
import time
import traceback
from dataclasses import dataclass
from functools import partial
from threading import Thread
from typing import TYPE_CHECKING, Any, NamedTuple, cast
from urllib.parse import quote

from jetforce.protocol import GeminiProtocol
from jetforce.server import GeminiServer
from jetforce.tls import GeminiCertificateOptions
from OpenSSL import SSL, crypto
from twisted.internet.defer import Deferred
from twisted.internet.endpoints import AdoptedStreamServerEndpoint
from twisted.internet.protocol import connectionDone
from twisted.logger import LogLevel, globalLogBeginner
from twisted.protocols.haproxy import proxyEndpoint
from twisted.protocols.tls import TLSMemoryBIOFactory, TLSMemoryBIOProtocol
from twisted.python.threadpool import ThreadPool

from capsule.address import LONGEST_ADDRESS, Refusal, read_address, site
from capsule.certificates import CertificateError, read_client_certificate
from capsule.exchange import Application, Certificate, Request, Response
from capsule.limits import ConnectionLimit, Crowded, RateLimit, visitor

if TYPE_CHECKING:
    import logging
    from collections.abc import Callable
    from pathlib import Path
    from types import FrameType

    from twisted.python.failure import Failure

BAD_REQUEST = 59
INVALID_CERTIFICATE = 62
SLOW_DOWN = 44
FAULT = 42

CHUNK = 64 * 1024
"""Bytes of an answer that are encrypted at once; the next follow when the system has taken them."""

LINGER = 5.0
"""Seconds that a visitor has to close the connection when the whole answer is on its way."""

LONGEST_META = 1024
"""Bytes in the longest META that the Gemini protocol allows."""


class CannotListen(Exception):
    """The server cannot listen where it was told to; the message is a line for the operator."""


@dataclass(frozen=True)
class ServerSettings:
    """Where to listen, as whom, and how much to put up with.

    `port` 0 takes any free port. `public_port` is the port of the capsule's addresses where that is
    another than the one listened on (a balancer in front); `proxy_protocol` says that such a
    balancer tells whom it speaks for.

    `request_timeout` bounds the time from the first packet to the end of the request line, TLS
    included; `response_timeout` the time in which a visitor takes each 64 KiB of an answer. A
    visitor may make `burst` requests at once and `rate` a second from then on (0: no limit).
    `grace` is how long answers that are being made are waited for at the end. All in seconds.
    """

    certificate: Path
    key: Path
    hostname: str = "localhost"
    host: str = "::"
    port: int = 1965
    public_port: int | None = None
    proxy_protocol: bool = False
    request_timeout: float = 10
    response_timeout: float = 30
    connections: int = 1000
    connections_per_address: int = 100
    rate: float = 30
    burst: int = 1000
    threads: int = 8
    grace: float = 10


class _Answer(NamedTuple):
    status: int
    content: bytes


_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+")


def _encoded(response: Response) -> _Answer:
    """Return a response as it goes over the wire: whatever META holds, the header is one line."""
    meta = _CONTROL.sub(" ", response.meta).encode(errors="replace")
    if len(meta) > LONGEST_META:
        meta = meta[:LONGEST_META].decode(errors="ignore").encode()
    header = b"%02d %b\r\n" % (response.status, meta)
    body = response.body.encode(errors="replace") if 20 <= response.status < 30 else b""
    return _Answer(response.status, header + body)


_FAULT = _encoded(Response(FAULT, "Something went wrong here; it has been noted"))


class _OneRequestConnection(SSL.Connection):
    """A TLS connection that goes deaf when its request is there."""

    deaf = False

    def recv(self, bufsiz: int, flags: int | None = None) -> bytes:
        if self.deaf:
            raise SSL.WantReadError
        return super().recv(bufsiz, flags)

    def bio_write(self, buf: Any) -> int:
        return len(buf) if self.deaf else super().bio_write(buf)


class _TlsOptions(GeminiCertificateOptions):
    """jetforce's TLS, without the session resumption that would hide client certificates."""

    def _makeContext(self) -> SSL.Context:  # noqa: N802 - Twisted's name
        context = super()._makeContext()
        context.set_session_cache_mode(SSL.SESS_CACHE_OFF)
        context.set_options(SSL.OP_NO_TICKET | SSL.OP_NO_RENEGOTIATION)
        return context

    def serverConnectionForTLS(  # noqa: N802 - Twisted's name
        self, protocol: TLSMemoryBIOProtocol
    ) -> SSL.Connection:
        return _OneRequestConnection(self.getContext())


class _TlsFactory(TLSMemoryBIOFactory):
    protocol = TLSMemoryBIOProtocol


class _Threads(ThreadPool):
    # An application that hangs must not keep the process from ending.
    threadFactory = partial(Thread, daemon=True)  # noqa: N815 - Twisted's name


class CapsuleProtocol(GeminiProtocol):
    """One connection: its request is read, answered on a thread, and its visitor seen off."""

    server: CapsuleServer
    transport: Any

    def __init__(self, server: CapsuleServer) -> None:
        super().__init__(server, server.app)
        self._received: bytes | None = b""
        self._path = "-"
        self._asked_at = 0.0
        self._unsent = memoryview(b"")
        self._sent = False
        self._gone = False

    def connectionMade(self) -> None:
        """Let the visitor in, if there is room."""
        if self.server.let_in(self):
            self.setTimeout(self.server.settings.request_timeout)
        else:
            self.transport.abortConnection()

    def connectionLost(self, reason: Failure = connectionDone) -> None:
        """Forget the visitor; that one vanished is none of the log's business."""
        self._gone = True
        self.setTimeout(None)
        self.server.see_off(self)

    def dataReceived(self, data: bytes) -> None:
        """Collect the request line, and no more."""
        if self._received is None:
            return
        self._received += data
        end = self._received.find(b"\n")
        line = self._received if end < 0 else self._received[: end + 1]
        if line.endswith(b"\r\n"):
            self.lineReceived(line[:-2])
        elif end >= 0:
            self._line_is_over()
            self._refuse(Refusal(BAD_REQUEST, "A request ends with CRLF"))
        elif len(line.removesuffix(b"\r")) > LONGEST_ADDRESS:
            self.lineReceived(line)

    def lineReceived(self, line: bytes) -> None:
        """Have the request answered."""
        self._line_is_over()
        try:
            request = self._read(line)
        except Refusal as refusal:
            self._refuse(refusal)
        except Exception as error:  # noqa: BLE001 - whatever it is, the visitor gets an answer
            self.server.log_fault(error, self._path, quotable=False)
            self._reply(_FAULT)
        else:
            self._path = _path_for_log(request.path)
            self.server.threads.callInThread(self._answer, request)

    def _line_is_over(self) -> None:
        self.setTimeout(None)
        self._received = None
        self._asked_at = time.monotonic()
        self.server.request_arrived(self)
        self.transport.getHandle().deaf = True
        self.transport.transport.pauseProducing()

    def _read(self, line: bytes) -> Request:
        who = visitor(self.client_addr.host)
        seconds = self.server.rate_limit.seconds_to_wait(who, self._asked_at)
        if seconds:
            raise Refusal(SLOW_DOWN, str(seconds))
        path, query = read_address(line, self.server.site)
        return Request(path, query, self._certificate())

    def _certificate(self) -> Certificate | None:
        certificate = self.transport.getPeerCertificate()
        if certificate is None:
            return None
        try:
            return read_client_certificate(
                crypto.dump_certificate(crypto.FILETYPE_ASN1, certificate)
            )
        except CertificateError as error:
            raise Refusal(INVALID_CERTIFICATE, str(error)) from None

    def _refuse(self, refusal: Refusal) -> None:
        self._reply(_encoded(Response(refusal.status, refusal.reason)))

    def _answer(self, request: Request) -> None:
        """Ask the application; this runs on a thread of its own."""
        try:
            answer = _encoded(self.server.application(request))
        except BaseException as error:  # noqa: BLE001 - whatever it is, the visitor gets an answer
            quotable = request.query is None and "…" not in self._path
            self.server.log_fault(error, self._path, quotable=quotable)
            answer = _FAULT
        self.server.reactor.callFromThread(self._reply, answer)

    def _reply(self, answer: _Answer) -> None:
        milliseconds = (time.monotonic() - self._asked_at) * 1000
        self.server.log.info(
            "%02d %s %d bytes %.0f ms",
            answer.status,
            self._path,
            len(answer.content),
            milliseconds,
        )
        if not self._gone:
            self._unsent = memoryview(answer.content)
            self.transport.transport.registerProducer(self, streaming=False)

    def resumeProducing(self) -> None:  # noqa: N802 - Twisted's name
        """Send the next part of the answer: all that was sent is out of our hands."""
        if self._unsent:
            self.setTimeout(self.server.settings.response_timeout)
            chunk, self._unsent = self._unsent[:CHUNK], self._unsent[CHUNK:]
            self.transport.write(bytes(chunk))
            if not self._unsent:
                # This says close_notify, and leaves the connection underneath open.
                self.transport.loseConnection()
        else:
            self._sent = True
            self.setTimeout(LINGER)
            connection = self.transport.transport
            connection.unregisterProducer()
            connection.loseWriteConnection()
            connection.resumeProducing()

    def stopProducing(self) -> None:  # noqa: N802 - Twisted's name
        """Drop what was not sent: the visitor has gone."""
        self._unsent = memoryview(b"")

    def timeoutConnection(self) -> None:
        """Close the connection of a visitor who took too long."""
        if self._received is not None:
            self.dismiss()
        elif self._sent:
            self.transport.transport.loseConnection()
        else:
            self.transport.transport.abortConnection()

    def dismiss(self) -> None:
        """Close a connection that has made no request: properly, but without waiting."""
        self._received = None
        self.setTimeout(LINGER)
        self.transport.loseConnection()
        self.transport.transport.loseConnection()


def _path_for_log(path: str) -> str:
    """Return a path without the keys in it, in ASCII: it can forge no line.

    >>> _path_for_log("/play/k3x9m2pqrt/5rabcdefghijklmnopqrstuvwx/move")
    '/play/k3x9m2pqrt/…/move'
    """
    segments = ("…" if len(segment) > 20 else quote(segment) for segment in path.split("/"))
    return "/".join(segments)[:100]


class CapsuleServer(GeminiServer):
    """The factory of the connections, and what they share."""

    protocol_class = CapsuleProtocol

    def __init__(
        self,
        settings: ServerSettings,
        application: Application,
        log: logging.Logger,
        port: int,
    ) -> None:
        super().__init__(
            # jetforce would call an application of its own kind; the protocol above never does.
            cast("Any", application),
            host=settings.host,
            port=port,
            hostname=settings.hostname,
            certfile=str(settings.certificate),
            keyfile=str(settings.key),
            proxy_protocol=settings.proxy_protocol,
        )
        self.settings = settings
        self.application = application
        self.log = log
        self.site = site(settings.hostname, settings.public_port or port)
        self.rate_limit = RateLimit(settings.rate, settings.burst)
        self.threads = _Threads(settings.threads, settings.threads, "application")
        self._limit: ConnectionLimit[CapsuleProtocol] = ConnectionLimit(
            settings.connections,
            # A balancer is one address that speaks for many.
            settings.connections if settings.proxy_protocol else settings.connections_per_address,
        )
        self._waiting: set[CapsuleProtocol] = set()
        self._busy: set[CapsuleProtocol] = set()
        self._all_answered: Deferred[None] | None = None

    def let_in(self, connection: CapsuleProtocol) -> bool:
        """Count a new connection; return whether it may stay."""
        try:
            evicted = self._limit.enter(connection, visitor(connection.client_addr.host))
        except Crowded:
            return False
        self._waiting.add(connection)
        if evicted is not None:
            evicted.dismiss()
        return True

    def request_arrived(self, connection: CapsuleProtocol) -> None:
        """Note that a connection is owed an answer."""
        self._limit.request_arrived(connection)
        self._waiting.discard(connection)
        self._busy.add(connection)

    def see_off(self, connection: CapsuleProtocol) -> None:
        """Forget a connection that is closed."""
        self._limit.leave(connection)
        self._waiting.discard(connection)
        self._busy.discard(connection)
        if not self._busy and self._all_answered is not None:
            finished, self._all_answered = self._all_answered, None
            finished.callback(None)

    def log_fault(self, error: BaseException, path: str, *, quotable: bool) -> None:
        """Log where an error was raised; what it says only if that cannot quote the request."""
        self.log.error("A fault at %s\n%s", path, _traceback(error, quotable=quotable))

    def start(self, listening: socket.socket) -> Deferred[Any]:
        """Listen on a socket; return what fires with the port, which can be told to stop."""
        endpoint: Any = AdoptedStreamServerEndpoint(
            self.reactor, listening.fileno(), listening.family
        )
        if self.settings.proxy_protocol:
            endpoint = proxyEndpoint(endpoint)
        options = _TlsOptions(cast("str", self.certfile), self.keyfile)
        # A certificate that does not fit its key is told now, not at the first visit.
        options.getContext()
        self.threads.start()
        return cast("Deferred[Any]", endpoint.listen(_TlsFactory(options, False, self)))

    def finish(self) -> Deferred[None]:
        """Dismiss who has asked for nothing; return what fires when the others are answered."""
        for connection in tuple(self._waiting):
            connection.dismiss()
        finished: Deferred[None] = Deferred()
        if self._busy:
            self._all_answered = finished
            self.reactor.callLater(self.settings.grace, self._give_up)
        else:
            finished.callback(None)
        return finished

    def _give_up(self) -> None:
        if self._all_answered is not None:
            self.log.warning("Stopped with %d requests unanswered", len(self._busy))
            finished, self._all_answered = self._all_answered, None
            finished.callback(None)
