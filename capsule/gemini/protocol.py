# ruff: noqa: N802 - methods that Twisted calls have the names that Twisted gives them
"""One request per connection: jetforce's Gemini protocol over TLS, hardened.

The reactor's thread does TLS, reads request lines and writes responses; the application answers on
other threads, so it may take its time. On both, visitors take turns. A connection's data is
interpreted up to its first CRLF. What comes after is read only to be discarded: if a connection is
closed with unread data, the system resets it, and the visitor may lose the response.
"""

from __future__ import annotations

import socket
import time
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol, cast

from jetforce.protocol import GeminiProtocol
from OpenSSL import crypto
from twisted.internet.protocol import connectionDone

from capsule.blocking import WouldBlock
from capsule.gemini.certificates import CertificateError
from capsule.gemini.encoding import INTERNAL_ERROR, EncodedResponse, encode
from capsule.gemini.limits import RequestLimit, Stage, WaitLimit, opaque_key, rate_limit_key
from capsule.gemini.live import LiveServer
from capsule.gemini.log_texts import HIDDEN, describe_fault, path_for_log
from capsule.gemini.status import Status
from capsule.gemini.types import (
    Answer,
    Certificate,
    Live,
    Request,
    Response,
    Wait,
)
from capsule.gemini.url import MAX_LINE_BYTES, Authority, RequestRefused, parse_url
from capsule.measurements import Answered

if TYPE_CHECKING:
    import logging
    from collections.abc import Callable, Collection, Hashable

    from twisted.python.failure import Failure

    from capsule.gemini.certificates import ClientCertificates
    from capsule.gemini.live import LiveReaders
    from capsule.gemini.turns import ThreadTurns
    from capsule.measurements import Measurements


CHUNK = 64 * 1024
"""Bytes of a response that are encrypted at a time, once the system has taken those before."""

HOLD_BACK = 1.0
"""Seconds for which a 44 is held back, so that asking again at once gains nothing."""

LINGER = 5.0
"""Seconds that a visitor has to close the connection after the whole response has been sent."""

HEALTH = "/health"
"""The path at which balancers, and no visitors, ask whether this process answers."""


class Server(LiveServer, Protocol):
    """The part of a server that its connections use."""

    request_timeout: float
    response_timeout: float
    authority: Authority
    rate_limit: RequestLimit
    certificates: ClientCertificates
    turns: ThreadTurns
    waits: WaitLimit
    live: LiveReaders
    log: logging.Logger
    measurements: Measurements
    proxy_protocol: bool
    stopping: bool

    def admit(self, connection: GeminiConnection, visitor: Hashable) -> bool:
        """Count a visitor's connection; return whether there is room for it.

        The visitor is None until a balancer has named one.
        """

    def reach(self, connection: GeminiConnection, stage: Stage) -> None:
        """Note that a connection has reached a stage."""

    def forget(self, connection: GeminiConnection) -> None:
        """Forget a connection that has been closed."""


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
        self._held_back: bytes | None = None
        self._sent = False
        self._gone = False
        # Whether the response goes on, and whether all of it so far has been sent.
        self._is_live = self._is_idle = False

    def connectionMade(self) -> None:
        """Admit the connection if there is room, else abort it."""
        self._allow(self._server.request_timeout)
        self._enter(None if self._server.proxy_protocol else self._visitor)

    def introduced(self) -> bool:
        """Count the connection as its visitor's, whom a balancer has named; else abort it.

        Return whether there is room for it.
        """
        return self._enter(self._visitor)

    @property
    def _visitor(self) -> Hashable:
        return rate_limit_key(self.client_addr.host)

    def _enter(self, visitor: Hashable) -> bool:
        is_admitted = self._server.admit(self, visitor)
        if not is_admitted:
            self.transport.abortConnection()
        return is_admitted

    def _allow(self, seconds: float | None) -> None:
        """Call `timeoutConnection` after `seconds`; None cancels the timeout."""
        cast("Any", self).setTimeout(seconds)

    def connectionLost(self, reason: Failure = connectionDone) -> None:  # noqa: ARG002
        """Forget the connection; the reason for its end is not logged."""
        self._gone = True
        self._allow(None)
        self._server.live.leave(self)
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
                self._refuse(RequestRefused(Status.BAD_REQUEST, "A request must end with CRLF"))
        elif len(line.removesuffix(b"\r")) > MAX_LINE_BYTES:
            self._line_is_over()
            self.lineReceived(line)

    def _line_is_over(self) -> None:
        self._allow(None)
        self._received = None
        self._requested_at = time.monotonic()
        self._server.reach(self, Stage.OWED)
        self.transport.getHandle().ignores_data = True
        self.transport.transport.pauseProducing()

    def lineReceived(self, line: bytes) -> None:  # type: ignore[override]  # there is no Deferred
        """Have the request answered."""
        if self._is_for_health(line):
            # It is neither limited nor logged, and no page.
            self._send(encode(self._server.application.health()).content)
            return
        try:
            request = self._read(line)
        except RequestRefused as refusal:
            self._refuse(refusal)
        except Exception as error:  # noqa: BLE001 - whatever it is, the visitor gets a response
            self._log_fault(error, quotable=False)
            self._reply(INTERNAL_ERROR)
        else:
            self._path = path_for_log(request.path)
            self._answer_on_reactor(request)

    def _is_for_health(self, line: bytes) -> bool:
        if not line.endswith(HEALTH.encode()):
            return False
        try:
            return parse_url(line, self._server.authority) == (HEALTH, None)
        except RequestRefused:
            return False

    def _read(self, line: bytes) -> Request:
        seconds = self._server.rate_limit.seconds_to_wait(self._visitor, self._requested_at)
        if seconds:
            raise RequestRefused(Status.SLOW_DOWN, str(seconds))
        path, query = parse_url(line, self._server.authority)
        return Request(path, query, self._certificate(), opaque_key(self.client_addr.host))

    def _certificate(self) -> Certificate | None:
        certificate = self.transport.getPeerCertificate()
        if certificate is None:
            return None
        der = crypto.dump_certificate(crypto.FILETYPE_ASN1, certificate)
        try:
            return self._server.certificates.read(der)
        except CertificateError as error:
            raise RequestRefused(Status.CERTIFICATE_NOT_VALID, str(error)) from None

    def _refuse(self, refusal: RequestRefused) -> None:
        self._reply(encode(Response(refusal.status, refusal.reason)))

    def _answer_on_reactor(self, request: Request) -> None:
        handle = self._server.application.handle
        reply: Callable[[], None] = partial(self._reply, INTERNAL_ERROR)
        try:
            reply = self._reply_with(request, handle(request))
        except WouldBlock:
            who = {self._visitor, request.certificate and request.certificate.fingerprint}
            answer = partial(handle, request._replace(may_block=True))
            self._server.turns.put(who - {None}, self._answer, request, answer)
            return
        except Exception as error:  # noqa: BLE001 - whatever it is, the visitor gets a response
            self._log_fault(error, quotable=self._is_quotable(request))
        reply()

    def _reply_with(self, request: Request, answer: Answer) -> Callable[[], None]:
        """Return the function that replies with an answer, on the reactor's thread."""
        if isinstance(answer, Wait):
            return partial(self._wait, request, answer)
        if isinstance(answer, Live):
            return partial(self._begin_live, answer)
        return partial(self._reply, encode(answer))

    def _answer(self, request: Request, answer: Callable[[], Answer]) -> None:
        """Answer a request with the application, on one of the server's threads."""
        reply: Callable[[], None] = partial(self._reply, INTERNAL_ERROR)
        try:
            reply = self._reply_with(request, answer())
        except BaseException as error:  # noqa: BLE001 - whatever it is, the visitor gets a response
            self._log_fault(error, quotable=self._is_quotable(request))
        finally:
            self._server.reactor.callFromThread(reply)

    def _wait(self, request: Request, wait: Wait) -> None:
        """Wait for a response on a thread that nobody else needs, if there is room."""
        who = (wait.owner, self._visitor)
        if not self._server.waits.begin(who):
            self._reply(encode(wait.otherwise))
            return
        self._waits_for = who
        self._server.waiting_threads.callInThread(self._answer, request, wait.finish)

    def _begin_live(self, live: Live) -> None:
        """Begin a response that goes on, if its reader may have one more."""
        owner = () if live.owner is None else (live.owner,)
        who = (*owner, self._visitor)
        if self._gone or self._server.stopping or live.is_over:
            self._reply(encode(Response(Status.SUCCESS, live.meta, live.text, live.page)))
        elif self._server.live.admit(self, live, who):
            self._is_live = True
            self._reply(encode(Response(Status.SUCCESS, live.meta, live.text, live.page)))
            # Without reading, one would not notice that the reader has gone.
            self.transport.transport.resumeProducing()
        else:
            is_full = self._server.live.is_full
            self._reply(encode(live.when_full if is_full else live.otherwise))

    def send_more(self, text: str) -> None:
        """Send further text, once the text before has been sent."""
        unsent = bytes(self._unsent) + text.encode(errors="replace")
        if len(unsent) > CHUNK:
            # The reader takes nothing, and shall not have all of it kept here.
            self.transport.transport.abortConnection()
            return
        self._unsent = memoryview(unsent)
        if self._is_idle:
            self.resumeProducing()

    def end_live(self, text: str) -> None:
        """Send the last words, and end the response."""
        self._is_live = False
        if text or not self._is_idle:
            self.send_more(text)
        else:
            self.transport.loseConnection()

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
        if self._gone:
            return
        if response.status == Status.SLOW_DOWN and not self._server.stopping:
            self._held_back = response.content
            self._server.reach(self, Stage.HELD_BACK)
            self._allow(HOLD_BACK)
        else:
            self._send(response.content)

    def _send(self, content: bytes) -> None:
        self._held_back = None
        self._unsent = memoryview(content)
        self.transport.transport.registerProducer(self, False)  # noqa: FBT003 - Twisted's own

    def resumeProducing(self) -> None:
        """Send the next part of the response: the system has taken everything before it."""
        if self._unsent:
            self._allow(self._server.response_timeout)
            chunk, self._unsent = self._unsent[:CHUNK], self._unsent[CHUNK:]
            self._is_idle = False
            self.transport.write(bytes(chunk))
            if not self._unsent and not self._is_live:
                # This sends close_notify and leaves the underlying connection open.
                self.transport.loseConnection()
        elif self._is_live:
            self._is_idle = True
            self._allow(None)
        else:
            self._sent = True
            self._server.reach(self, Stage.ANSWERED)
            connection = self.transport.transport
            connection.unregisterProducer()
            with suppress(OSError):
                connection.getHandle().shutdown(socket.SHUT_WR)
            if self._server.stopping:
                connection.loseConnection()
            else:
                self._allow(LINGER)
                connection.resumeProducing()

    def stopProducing(self) -> None:
        """Discard the unsent part of the response: the visitor has gone."""
        self._unsent = memoryview(b"")

    def timeoutConnection(self) -> None:
        """Close the connection, whose visitor has taken too long, or send what was held back."""
        if self._received is None and self._held_back is None and not self._sent:
            self.transport.transport.abortConnection()
        else:
            self.dismiss()

    def dismiss(self) -> None:
        """Close the connection cleanly, without waiting for the visitor; not if it is owed more."""
        if self._held_back is not None:
            self._send(self._held_back)
        elif self._sent:
            self.transport.transport.loseConnection()
        elif self._received is not None:
            self._received = None
            self._allow(LINGER)
            if self.transport.getHandle().get_peer_finished() is not None:
                # TLS has been established and can be closed; before that, Twisted would reset the
                # connection.
                self.transport.loseConnection()
            self.transport.transport.loseConnection()
