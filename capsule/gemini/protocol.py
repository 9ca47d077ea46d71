# ruff: noqa: N802 - methods that Twisted calls have the names that Twisted gives them
"""One request per connection: jetforce's Gemini protocol over TLS, hardened.

A connection is one coroutine on the reactor's thread. The application is called there first; a
request that would block is answered by another thread, and may take long. Visitors take turns on
both. A connection's data is parsed up to its first CRLF. Later data is read only to be discarded:
if a connection is closed with unread data, the system resets it, and the visitor may lose the
response.
"""

import logging
import socket
import time
from collections.abc import Callable, Hashable
from contextlib import suppress
from functools import partial
from typing import Any, Protocol, TypeVar, cast

from jetforce.protocol import GeminiProtocol
from OpenSSL import crypto
from twisted.internet.protocol import connectionDone
from twisted.python.failure import Failure

from capsule.errors import WouldBlock
from capsule.gemini import log_texts, types
from capsule.gemini.certificates import CertificateError, ClientCertificates
from capsule.gemini.limits import RequestLimit, Stage, WaitLimit, opaque_key, rate_limit_key
from capsule.gemini.live import LiveReaders, LiveServer
from capsule.gemini.tls import ThreadTurns
from capsule.gemini.transfer import Future, LineReader, Outbox, run
from capsule.gemini.url import Authority, RequestRefused, parse_url
from capsule.measurements import Answered, Measurements

T = TypeVar("T")

HOLD_BACK = 1.0
"""Seconds by which a status 44 is delayed, so that an immediate retry gains nothing."""

LINGER = 5.0
"""Seconds that a visitor has to close the connection after the whole response has been sent."""

HEALTH, HEALTH_LINE = "/health", b"/health\r\n"
"""The path of health checks, which balancers request and visitors do not."""


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

    def admit(self, connection: "GeminiConnection", visitor: Hashable) -> bool:
        """Count a visitor's connection; return whether there is room for it.

        `visitor` is None until a balancer has named the visitor.
        """

    def reach(self, connection: "GeminiConnection", stage: Stage) -> None:
        """Record that a connection has reached a stage."""

    def forget(self, connection: "GeminiConnection") -> None:
        """Forget a connection that has been closed."""


class GeminiConnection(GeminiProtocol):
    """One connection: `_serve` reads the request, and sends the application's response."""

    transport: Any

    def __init__(self, server: Server) -> None:
        # The base class expects a jetforce application, but never calls it here.
        super().__init__(cast("Any", server), cast("Any", server.application))
        self._server = server
        self._lines = LineReader()
        # The wait for the visitor that `dismiss` ends; done while a request is processed.
        self._pause: Future[Any] = self._lines.first
        self._requested_at = 0.0
        self._path = "-"

    def connectionMade(self) -> None:
        """Serve the connection if there is room for it, else abort it."""
        self._outbox = Outbox(self.transport, self.set_deadline, self._server.response_timeout)
        if self._enter(None if self._server.proxy_protocol else self._visitor):
            run(self._serve())

    def proxy_header_received(self) -> bool:
        """Admit the connection of the visitor whom a balancer has named, or else abort it.

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

    def dataReceived(self, data: bytes) -> None:
        """Collect the request line, and nothing after it."""
        self._lines.feed(data)

    def connectionLost(self, reason: Failure = connectionDone) -> None:  # noqa: ARG002
        """Forget the connection; the reason for its end is not logged."""
        self.dismiss()
        self.set_deadline(None)
        self._server.live.leave(self._outbox)
        self._server.forget(self)

    def timeoutConnection(self) -> None:
        """Stop waiting for the visitor, or abort the connection if they read too slowly."""
        if self._pause.is_done:
            self.transport.transport.abortConnection()
        else:
            self.dismiss()

    def dismiss(self) -> None:
        """Stop waiting for the visitor, unless the connection is processing a request."""
        if not self._pause.is_done:
            self._pause.set_result(None)

    def set_deadline(self, seconds: float | None) -> None:
        """Call `timeoutConnection` after `seconds`; None cancels the deadline."""
        cast("Any", self).setTimeout(seconds)

    async def _serve(self) -> None:
        try:
            line = await self._until(self._lines.first, self._server.request_timeout)
            if line is None:
                self._end_tls()
                return
            self._requested_at = time.monotonic()
            self._server.reach(self, Stage.PROCESSING)
            self._stop_reading()
            response = await self._respond(line)
            if response.status == types.Status.SLOW_DOWN and not self._server.stopping:
                self._server.reach(self, Stage.THROTTLED)
                await self._until(Future(), HOLD_BACK)
            if not await self._outbox.send(response.content):
                return
            self._server.reach(self, Stage.ANSWERED)
            self._end_stream()
            if not self._server.stopping:
                self.transport.transport.resumeProducing()
                await self._until(Future(), LINGER)
        finally:
            self.transport.transport.loseConnection()

    def _until(self, event: Future[T | None], seconds: float) -> Future[T | None]:
        """Return an event, which gets the result None after `seconds`, or on `dismiss`."""
        self._pause = event
        self.set_deadline(seconds)
        return event

    def _stop_reading(self) -> None:
        self.transport.getHandle().ignores_data = True
        self.transport.transport.pauseProducing()

    def _end_tls(self) -> None:
        """Close TLS if its handshake is complete, and give the visitor time to do the same.

        During the handshake, Twisted would reset the connection.
        """
        self.set_deadline(LINGER)
        if self.transport.getHandle().get_peer_finished() is not None:
            self.transport.loseConnection()

    def _end_stream(self) -> None:
        with suppress(OSError):
            self.transport.transport.getHandle().shutdown(socket.SHUT_WR)

    def _is_health_check(self, line: bytes) -> bool:
        if not line.endswith(HEALTH_LINE):
            return False
        try:
            return parse_url(line[:-2], self._server.authority) == (HEALTH, None)
        except RequestRefused:
            return False

    async def _respond(self, line: bytes) -> types.EncodedResponse:
        """Return the response to a request line, once it has been logged."""
        if self._is_health_check(line):
            # A health check is no page, and is neither rate-limited nor logged.
            return types.encode(self._server.application.health())
        try:
            request = self._read(line)
        except RequestRefused as refusal:
            response = types.encode(types.Response(refusal.status, refusal.reason))
        except Exception as error:  # noqa: BLE001 - the visitor gets a response in any case
            self._log_fault(error, quotable=False)
            response = types.INTERNAL_ERROR
        else:
            self._path = log_texts.path_for_log(request.path)
            response = await self._answer(request)
        answered = Answered(
            response.status,
            response.page,
            self._path,
            len(response.content),
            time.monotonic() - self._requested_at,
        )
        self._server.log.info(answered)
        self._server.measurements.answered(answered)
        return response

    async def _answer(self, request: types.Request) -> types.EncodedResponse:
        application, answer = self._server.application, None
        handle = application.handle
        if not application.blocks(request.path):
            with suppress(WouldBlock):
                answer = self._call(request, partial(handle, request))
        if answer is None:
            owners = {self._visitor, request.certificate and request.certificate.fingerprint}
            start = partial(self._server.turns.put, owners - {None})
            request = request._replace(may_block=True)
            answer = await self._call_in_thread(start, request, partial(handle, request))
        if isinstance(answer, types.Wait):
            return await self._finish(request._replace(may_block=True), answer)
        if isinstance(answer, types.Live):
            return types.encode(self._begin_live(answer))
        return answer

    def _read(self, line: bytes) -> types.Request:
        if line.endswith(b"\n") and not line.endswith(b"\r\n"):
            raise RequestRefused("A request must end with CRLF")
        seconds = self._server.rate_limit.seconds_to_wait(self._visitor, self._requested_at)
        if seconds:
            raise RequestRefused(str(seconds), types.Status.SLOW_DOWN)
        path, query = parse_url(line.removesuffix(b"\r\n"), self._server.authority)
        return types.Request(path, query, self._certificate(), opaque_key(self.client_addr.host))

    def _certificate(self) -> types.Certificate | None:
        certificate = self.transport.getPeerCertificate()
        if certificate is None:
            return None
        der = crypto.dump_certificate(crypto.FILETYPE_ASN1, certificate)
        try:
            return self._server.certificates.read(der)
        except CertificateError as error:
            raise RequestRefused(str(error), types.Status.CERTIFICATE_NOT_VALID) from None

    def _call(
        self, request: types.Request, answer: Callable[[], types.Answer]
    ) -> types.EncodedResponse | types.Wait | types.Live:
        """Return the application's answer, encoded if it is a response; called on any thread.

        Raises `WouldBlock` for a request that may not block.
        """
        try:
            result = answer()
            return result if isinstance(result, (types.Wait, types.Live)) else types.encode(result)
        except BaseException as error:
            if isinstance(error, WouldBlock) and not request.may_block:
                raise
            # The visitor gets a response in any other case.
            is_quotable = request.query is None and log_texts.HIDDEN not in self._path
            self._log_fault(error, quotable=is_quotable)
            return types.INTERNAL_ERROR

    def _call_in_thread(
        self,
        start: Callable[[Callable[[], object]], object],
        request: types.Request,
        answer: Callable[[], types.Answer],
    ) -> Future[types.EncodedResponse | types.Wait | types.Live]:
        """Return the result of `_call` on another thread, on which `start` calls a function."""
        self.set_deadline(None)
        done: Future[types.EncodedResponse | types.Wait | types.Live] = Future()
        finish = partial(self._server.reactor.callFromThread, done.set_result)
        start(lambda: finish(self._call(request, answer)))
        return done

    async def _finish(self, request: types.Request, wait: types.Wait) -> types.EncodedResponse:
        """Finish a wait on a thread for waits; return its fallback if the limit is reached."""
        owners = (wait.owner, self._visitor)
        if not self._server.waits.begin(owners):
            return types.encode(wait.fallback)
        start = self._server.waiting_threads.callInThread
        try:
            return cast(
                "types.EncodedResponse", await self._call_in_thread(start, request, wait.finish)
            )
        finally:
            self._server.waits.end(owners)

    def _begin_live(self, live: types.Live) -> types.Response:
        """Begin a live response, if its reader may have one more."""
        owner = () if live.owner is None else (live.owner,)
        can_stay_open = self.transport.connected and not self._server.stopping
        if can_stay_open and not live.is_over:
            if not self._server.live.admit(self._outbox, live, (*owner, self._visitor)):
                return live.on_full if self._server.live.is_full else live.fallback
            self._outbox.is_open = True
            # Only reading reveals that the reader has closed the connection.
            self.transport.transport.resumeProducing()
        return types.Response(types.Status.SUCCESS, live.meta, live.text, live.page)

    def _log_fault(self, error: BaseException, *, quotable: bool) -> None:
        description = log_texts.describe_fault(error, quotable=quotable)
        self._server.log.error("A fault at %s\n%s", self._path, description)
