"""The Gemini server: listening, admitting connections, starting and stopping.

It hardens jetforce's server: it limits connections, and before it stops, it answers the requests
that have arrived. `capsule.gemini.protocol` serves each connection.
"""

import logging
import resource
import signal
import socket
import time
from collections.abc import Callable, Hashable
from dataclasses import replace
from functools import partial
from threading import Lock, Thread
from types import FrameType
from typing import Any, cast

from jetforce.server import GeminiServer
from OpenSSL import SSL
from twisted.internet.endpoints import AdoptedStreamServerEndpoint
from twisted.logger import ILogObserver, LogEvent, LogLevel, globalLogBeginner
from twisted.python.threadpool import ThreadPool

from capsule.gemini import limits
from capsule.gemini.balancer import BalancedFactory
from capsule.gemini.certificates import CertificateError, ClientCertificates, check_pair
from capsule.gemini.listening import CannotRenew, ServerSettings
from capsule.gemini.live import LiveReaders
from capsule.gemini.log_texts import describe_fault
from capsule.gemini.protocol import GeminiConnection
from capsule.gemini.tls import MAX_REFUSED, ReactorTurns, ThreadTurns, TlsFactory, TlsOptions
from capsule.gemini.types import Application
from capsule.measurements import Measurements

SPARE_FILES = 250
"""Open files that the process needs besides its connections, such as those of the database.

They also cover evicted connections, which are closed shortly after their successors are opened.
"""

FEW_CONNECTIONS = 8
"""The most open connections with which visitors do not take turns.

Taking turns makes a connection a tenth more expensive.
"""


class _Threads(ThreadPool):
    """Daemon threads, so that the process can exit although the application hangs."""

    threadFactory: Any = staticmethod(partial(Thread, daemon=True))  # noqa: N815 - Twisted's name


class _RenewableTls(TlsOptions):
    """The TLS of new connections, with options that a reload can replace."""

    def __init__(self, options: TlsOptions) -> None:
        # The base class would read files.
        self.options = options

    def getContext(self) -> SSL.Context:  # noqa: N802 - Twisted's name
        return self.options.getContext()


class CapsuleServer(GeminiServer):
    """The factory of connections, and the state that they share."""

    def __init__(
        self,
        settings: ServerSettings,
        application: Application,
        log: logging.Logger,
        port: int,
        measurements: Measurements,
    ) -> None:
        super().__init__(
            # The base class expects a jetforce application, but never calls it here, and sets up
            # no TLS.
            cast("Any", application),
            port=port,
            proxy_protocol=settings.proxy_protocol,
            use_tls=False,
        )
        self._accepts_per_turn = settings.accepts_per_turn
        options = tls_options(settings)
        self._tls = _RenewableTls(options)
        self._allowance: tuple[float, int] | None = None
        self.log = log
        self.measurements = measurements
        self.grace = settings.grace
        self.renew(settings, application, options)
        self._threads: ThreadPool = _Threads(settings.threads, settings.threads, "application")
        self.turns = ThreadTurns(self._threads)
        # The additional thread polls for changes of live pages.
        self.waiting_threads: ThreadPool = _Threads(0, settings.waits + 1, "waiting")
        self.certificates = ClientCertificates()
        self.waits = limits.WaitLimit(settings.waits)
        self.live = LiveReaders(
            self,
            limits.WaitLimit(limits.LIVE_READERS, limits.LIVE_READERS_EACH),
            lambda error: log.error("Live pages\n%s", describe_fault(error, quotable=False)),
        )
        self._connections: limits.ConnectionLimit[GeminiConnection] = limits.ConnectionLimit(
            settings.connections, settings.connections_per_address, settings.held_back_per_address
        )
        # The reactor stops once these have been answered, or at least closed cleanly.
        self._busy: set[GeminiConnection] = set()
        self._port: Any = None
        self.stopping = False
        self._stopped = False

    def renew(
        self, settings: ServerSettings, application: Application, options: TlsOptions
    ) -> None:
        """From now on, use an application, and the settings' timeouts, rate limit and host name.

        This ignores the other settings. New connections use the TLS `options`. Raises
        `CannotListen`.
        """
        self._tls.options = options
        self.authority = settings.authority(self.port)
        self.application = application
        self.request_timeout = settings.request_timeout
        self.response_timeout = settings.response_timeout
        allowance = (settings.rate, settings.burst)
        if allowance != self._allowance:
            self._allowance = allowance
            self.rate_limit = limits.RequestLimit(*allowance)

    def buildProtocol(self, addr: object) -> GeminiConnection:  # noqa: ARG002, N802 - Twisted's
        """Return the protocol of a new connection."""
        return GeminiConnection(self)

    def admit(self, connection: GeminiConnection, visitor: Hashable) -> bool:
        """Count a visitor's connection; return whether there is room for it.

        `visitor` is None until a balancer has named the visitor.
        """
        try:
            evicted = self._connections.enter(connection, visitor, time.monotonic())
        except limits.TooManyConnections:
            return False
        if evicted is not None:
            evicted.dismiss()
        return True

    def reach(self, connection: GeminiConnection, stage: limits.Stage) -> None:
        """Record that a connection has reached a stage."""
        self._connections.reach(connection, stage)
        if stage is limits.Stage.PROCESSING:
            self._busy.add(connection)

    def forget(self, connection: GeminiConnection) -> None:
        """Forget a connection that has been closed."""
        self._connections.leave(connection)
        self._busy.discard(connection)
        if self.stopping and not self._busy:
            self._stop_reactor()

    def start(self, listening: socket.socket) -> None:
        """Accept connections from a listening socket, as soon as the reactor runs."""
        family = listening.family
        endpoint = cast("Any", AdoptedStreamServerEndpoint)(
            self.reactor, listening.detach(), family
        )
        factory = cast("Any", TlsFactory)(self._tls, isClient=False, wrappedFactory=self)
        factory.turns = ReactorTurns(partial(self.reactor.callLater, 0))
        factory.is_crowded = lambda: len(self._connections) > FEW_CONNECTIONS
        factory.limit = None if self.proxy_protocol else self._connections
        if self.proxy_protocol:
            factory = cast("Any", BalancedFactory)(factory)
        endpoint.listen(factory).addCallback(self._limit_accepts)
        self._threads.start()
        self.waiting_threads.start()

    def _limit_accepts(self, port: Any) -> None:  # noqa: ANN401 - Twisted's ports have no one type
        accept = port.doRead

        def accept_some() -> None:
            # Under load, Twisted would accept more and more connections per turn.
            port.numberAccepts = min(port.numberAccepts, self._accepts_per_turn)
            accept()

        port.doRead = accept_some
        self._port = port

    def stop(self, *, at_once: bool = False) -> None:
        """Stop accepting connections, and stop the reactor once all requests are answered.

        If it is stopping already, `at_once` stops the reactor without waiting for the responses.
        """
        if self.stopping:
            if at_once:
                self._stop_reactor()
            return
        self.stopping = True
        self._port.stopListening()
        self.live.stop()
        self._busy.update(self._connections.waiting())
        for connection in tuple(self._busy):
            connection.dismiss()
        if self._busy:
            self.reactor.callLater(self.grace, self._stop_reactor)
        else:
            self._stop_reactor()

    def _stop_reactor(self) -> None:
        if self._stopped:
            return
        self._stopped = True
        if self._busy:
            self.log.warning("Stopped with %d connection(s) open", len(self._busy))
        else:
            self._threads.stop()
            self.waiting_threads.stop()
        self.reactor.stop()


def tls_options(settings: ServerSettings) -> TlsOptions:
    """Read the certificate and key of the settings, and return TLS options that use them.

    Raises `CertificateError` if they cannot be used.
    """
    check_pair(settings.certificate, settings.key)
    options = TlsOptions(str(settings.certificate), str(settings.key))
    try:
        options.getContext()
    except SSL.Error as error:
        raise CertificateError(
            f"{settings.certificate} and {settings.key} cannot be used for TLS: {error}"
        ) from error
    return options


def serve(  # noqa: PLR0913 - the caller decides each
    settings: ServerSettings,
    application: Application,
    log: logging.Logger,
    listening: socket.socket,
    *,
    on_listening: Callable[[], None],
    measurements: Measurements,
    renewed: Callable[[], tuple[ServerSettings, Application]],
) -> None:
    """Answer requests until SIGINT or SIGTERM, then finish those that have arrived, and return.

    `application` is called on several threads at a time, on which visitors take turns. `log` gets a
    line for each request, and the traceback of each fault. `listening` is a socket from
    `open_socket`, which this function takes over. `on_listening` is called once requests are
    answered. `measurements` counts the answered requests. If a second signal is SIGINT, it ends the
    wait for responses. Call this at most once in a process, on the main thread.

    On SIGHUP, another thread calls `renewed` and reads the certificate again. New connections use
    the settings and the application that `renewed` returns, and that certificate. If `renewed`
    raises `CannotRenew`, or the certificate cannot be used, the error is logged and nothing
    changes.

    Raises `CannotListen` or `CertificateError` before any request is answered.
    """
    settings = _fit_to_open_files(settings, log)
    port = listening.getsockname()[1]
    server = CapsuleServer(settings, application, log, port, measurements)
    server.start(listening)
    observer = cast("ILogObserver", partial(_log_twisted_fault, log))
    globalLogBeginner.beginLoggingTo([observer], discardBuffer=True, redirectStandardIO=False)
    reactor = server.reactor
    renew = partial(_renew, server, renewed, Lock())

    def stop(number: int, frame: FrameType | None) -> None:  # noqa: ARG001 - a signal handler's
        reactor.callFromThread(server.stop, at_once=number == signal.SIGINT)

    def reload(number: int, frame: FrameType | None) -> None:  # noqa: ARG001 - a signal handler's
        reactor.callFromThread(server.waiting_threads.callInThread, renew)

    handlers = {signal.SIGINT: stop, signal.SIGTERM: stop, signal.SIGHUP: reload}
    before = {number: signal.signal(number, handler) for number, handler in handlers.items()}
    try:
        reactor.callWhenRunning(on_listening)
        reactor.run(installSignalHandlers=False)
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _renew(
    server: CapsuleServer, renewed: Callable[[], tuple[ServerSettings, Application]], renewing: Lock
) -> None:
    """Renew a server, or log the reason why that failed."""
    # One renewal at a time, so that the settings read last apply in the end.
    with renewing:
        try:
            settings, application = renewed()
            options = tls_options(settings)
        except (CannotRenew, CertificateError, OSError) as error:
            server.log.error("Nothing has been renewed: %s", error)  # noqa: TRY400 - the operator's
        except Exception:
            server.log.exception("Nothing has been renewed")
        else:
            server.reactor.callFromThread(server.renew, settings, application, options)


def _fit_to_open_files(settings: ServerSettings, log: logging.Logger) -> ServerSettings:
    """Raise the limit on open files for the connections, or else reduce the connections."""
    wanted = settings.connections + MAX_REFUSED + SPARE_FILES
    allowed, maximum = resource.getrlimit(resource.RLIMIT_NOFILE)
    if allowed == resource.RLIM_INFINITY or allowed >= wanted:
        return settings
    allowed = wanted if maximum == resource.RLIM_INFINITY else min(wanted, maximum)
    resource.setrlimit(resource.RLIMIT_NOFILE, (allowed, maximum))
    connections = max(1, allowed - SPARE_FILES)
    if connections >= settings.connections:
        return settings
    log.warning(
        "The system allows %d open files: %d connections instead of %d",
        allowed,
        connections,
        settings.connections,
    )
    return replace(settings, connections=connections)


def _log_twisted_fault(log: logging.Logger, event: LogEvent) -> None:
    """Log an event that Twisted considers an error, without visitors' addresses."""
    if event.get("log_level") in {LogLevel.error, LogLevel.critical}:
        # Older parts of Twisted use the key `failure`.
        failure = event.get("log_failure") or event.get("failure")
        description = (
            describe_fault(failure.value, quotable=False) if failure else event.get("log_format")
        )
        log.error("A fault in the server\n%s", description)
