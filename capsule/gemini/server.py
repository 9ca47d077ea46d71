"""The Gemini server: listening, admitting connections, starting and stopping.

It is jetforce's server, hardened: connections are limited, and requests that have arrived are
answered before it stops. A single connection is the business of `capsule.gemini.protocol`.
"""

from __future__ import annotations

import errno
import resource
import signal
import socket
from dataclasses import dataclass, replace
from functools import partial
from threading import Thread
from typing import TYPE_CHECKING, Any, cast

from jetforce.server import GeminiServer
from OpenSSL import SSL
from twisted.internet.endpoints import AdoptedStreamServerEndpoint
from twisted.logger import LogLevel, globalLogBeginner
from twisted.protocols.haproxy import proxyEndpoint
from twisted.python.threadpool import ThreadPool

from capsule.gemini.certificates import CertificateError
from capsule.gemini.limits import (
    ConnectionLimit,
    RequestLimit,
    TooManyConnections,
    WaitLimit,
    rate_limit_key,
)
from capsule.gemini.protocol import GeminiConnection, TlsFactory, TlsOptions, describe_fault
from capsule.gemini.url import authority_of
from capsule.measurements import NoMeasurements

if TYPE_CHECKING:
    import logging
    from collections.abc import Callable
    from pathlib import Path
    from types import FrameType

    from twisted.logger import ILogObserver, LogEvent

    from capsule.gemini.types import Application
    from capsule.measurements import Measurements


BACKLOG = 1024
"""Connections that the system holds until the server accepts them."""

MAX_ACCEPTS_PER_TURN = 50
"""Connections that are accepted before existing ones are attended to again."""

SPARE_FILES = 250
"""Open files that the process needs in addition to its connections, for the database and so on.

They also cover evicted connections, which are closed a little after their successors are opened.
"""


class CannotListen(Exception):
    """The server cannot listen where it should; the message is a line for the operator."""


@dataclass(frozen=True)
class ServerSettings:
    """The server's addresses, certificate, timeouts and limits.

    `port` 0 takes any free port. `public_port` is the port in the capsule's addresses if it differs
    from the one listened on, as behind a load balancer; `proxy_protocol` says that the balancer
    passes on visitors' addresses by the PROXY protocol.

    `request_timeout` limits the time from the first packet to the end of the request line, TLS
    included, `response_timeout` the time that a visitor takes to receive each 64 KiB of a response,
    and `grace` the time that responses in preparation are waited for when the server stops; all are
    in seconds. There may be `connections` altogether, and `connections_per_address` from one
    visitor, who may make `burst` requests at once and `rate` per second after that (0: no limit).
    The application is called on `threads` threads, and as many as `waits` others wait for bots.
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
    threads: int = 4
    waits: int = 32
    grace: float = 10


class _Thread(Thread):
    """A thread that does not keep the process from ending if the application hangs."""

    def __init__(self, *arguments: Any, **named: Any) -> None:  # noqa: ANN401 - Thread's own
        super().__init__(*arguments, daemon=True, **named)


class _Threads(ThreadPool):
    threadFactory = _Thread  # noqa: N815 - Twisted's name


class CapsuleServer(GeminiServer):
    """The factory of the connections, and what they share."""

    def __init__(
        self,
        settings: ServerSettings,
        application: Application,
        log: logging.Logger,
        port: int,
        measurements: Measurements,
    ) -> None:
        super().__init__(
            # The base class expects a jetforce application, but is never made to call it.
            cast("Any", application),
            host=settings.host,
            port=port,
            hostname=settings.hostname,
            certfile=str(settings.certificate),
            keyfile=str(settings.key),
            proxy_protocol=settings.proxy_protocol,
        )
        self.application = application
        self.log = log
        self.measurements = measurements
        self.request_timeout = settings.request_timeout
        self.response_timeout = settings.response_timeout
        self.grace = settings.grace
        try:
            self.authority = authority_of(settings.hostname, settings.public_port or port)
        except ValueError as error:
            raise CannotListen(f"{settings.hostname!r} is not a host name") from error
        self.rate_limit = RequestLimit(settings.rate, settings.burst)
        self.threads: ThreadPool = _Threads(settings.threads, settings.threads, "application")
        self.waiting_threads: ThreadPool = _Threads(0, settings.waits, "waiting")
        self.waits = WaitLimit(settings.waits)
        self._connections: ConnectionLimit[GeminiConnection] = ConnectionLimit(
            settings.connections,
            # A balancer has one address and speaks for many visitors.
            settings.connections if settings.proxy_protocol else settings.connections_per_address,
        )
        # Connections that are still owed a response, or at least a clean end.
        self._busy: set[GeminiConnection] = set()
        self._port: Any = None
        self.stopping = False
        self._stopped = False

    def buildProtocol(self, addr: object) -> GeminiConnection:  # noqa: ARG002, N802 - Twisted's
        """Return the protocol of a new connection."""
        return GeminiConnection(self)

    def admit(self, connection: GeminiConnection) -> bool:
        """Count a new connection; return whether there is room for it."""
        try:
            evicted = self._connections.enter(
                connection, rate_limit_key(connection.client_addr.host)
            )
        except TooManyConnections:
            return False
        if evicted is not None:
            evicted.dismiss()
        return True

    def request_arrived(self, connection: GeminiConnection) -> None:
        """Note that a connection is owed a response."""
        self._connections.request_arrived(connection)
        self._busy.add(connection)

    def forget(self, connection: GeminiConnection) -> None:
        """Forget a connection that has been closed."""
        self._connections.leave(connection)
        self._busy.discard(connection)
        if self.stopping and not self._busy:
            self._stop_reactor()

    def start(self, listening: socket.socket) -> None:
        """Accept connections from a listening socket, as soon as the reactor runs.

        Raises `CertificateError` if the certificate and the key do not fit.
        """
        options = TlsOptions(cast("str", self.certfile), self.keyfile)
        try:
            options.getContext()
        except SSL.Error as error:
            raise CertificateError(
                f"{self.certfile} and {self.keyfile} {_flaw_of_pair(error)}"
            ) from error
        family = listening.family
        endpoint = cast("Any", AdoptedStreamServerEndpoint)(
            self.reactor, listening.detach(), family
        )
        if self.proxy_protocol:
            endpoint = proxyEndpoint(endpoint)
        factory = cast("Any", TlsFactory)(options, isClient=False, wrappedFactory=self)
        endpoint.listen(factory).addCallback(self._listens)
        self.threads.start()
        self.waiting_threads.start()

    def _listens(self, port: Any) -> None:  # noqa: ANN401 - Twisted's ports have no one type
        accept = port.doRead

        def accept_some() -> None:
            # Twisted would accept ever more at each turn under load.
            port.numberAccepts = min(port.numberAccepts, MAX_ACCEPTS_PER_TURN)
            accept()

        port.doRead = accept_some
        self._port = port

    def stop(self) -> None:
        """Stop accepting connections, and stop the reactor once all requests are answered.

        A second call does not wait for the responses.
        """
        if self.stopping:
            self._stop_reactor()
            return
        self.stopping = True
        self._port.stopListening()
        for connection in self._connections.waiting():
            self._busy.add(connection)
            connection.dismiss()
        for connection in tuple(self._busy):
            connection.leave()
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
            self.threads.stop()
            self.waiting_threads.stop()
        self.reactor.stop()


def _flaw_of_pair(error: SSL.Error) -> str:
    """Return what is wrong with a certificate and a key that OpenSSL does not take."""
    told = error.args[0] if error.args else ()
    for _, _, reason in told:
        if reason in _WEAKNESSES:
            return _WEAKNESSES[reason]
    return "are no certificate and its key"


_WEAKNESSES = {
    "ee key too small": "have too small a key: RSA needs 2048 bits or more",
    "ca key too small": "have too small a key in their chain: RSA needs 2048 bits or more",
    "ca md too weak": "have too weak a signature: it needs SHA-256 or better",
}
"""OpenSSL's words for a pair that fits but is too weak, and ours, after the names of both files."""


def open_socket(settings: ServerSettings) -> socket.socket:
    """Return a socket that listens where the settings say; several processes may share it.

    The host "::" means every address of the machine, IPv6 and IPv4, or every IPv4 address if the
    machine has no IPv6. Raises `CannotListen`.
    """
    hosts = ("::", "0.0.0.0") if settings.host in {"", "::"} else (settings.host,)  # noqa: S104
    for host in hosts:
        try:
            return _bound_socket(host, settings.port)
        except OSError as error:
            if host == "::" and error.errno in _NO_IPV6:
                continue
            reason = _REASONS.get(error.errno or 0, error.strerror or "it cannot be reached")
            raise CannotListen(
                f"Cannot listen on {host or '*'}, port {settings.port}: {reason}"
            ) from error
    raise CannotListen("This machine has no network")


_NO_IPV6 = {errno.EAFNOSUPPORT, errno.EADDRNOTAVAIL, errno.EPROTONOSUPPORT, socket.EAI_NONAME}
_REASONS = {
    errno.EADDRINUSE: "another program listens there",
    errno.EACCES: "the system does not allow it",
    errno.EADDRNOTAVAIL: "this machine has no such address",
}


def _bound_socket(host: str, port: int) -> socket.socket:
    family, kind, protocol, _, address = socket.getaddrinfo(
        host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
    )[0]
    listening = socket.socket(family, kind, protocol)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        # Connections inherit this: a response need not wait until TLS's own packets are confirmed.
        listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if family == socket.AF_INET6:
            listening.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
        listening.settimeout(0)
        listening.bind(address)
        listening.listen(BACKLOG)
    except OSError:
        listening.close()
        raise
    return listening


def serve(  # noqa: PLR0913 - the last three are rarely given
    settings: ServerSettings,
    application: Application,
    log: logging.Logger,
    *,
    listening: socket.socket | None = None,
    on_listening: Callable[[int], None] | None = None,
    measurements: Measurements | None = None,
) -> None:
    """Answer requests until SIGINT or SIGTERM, then finish those that have arrived, and return.

    `application` is called on several threads at a time. `log` gets a line for each request, and
    the traceback of each fault. `listening` is a socket from `open_socket`, which is taken over; by
    default one is opened here. `on_listening` is called with its port once requests are answered.
    `measurements` takes note of each answered request. A second signal ends the wait for responses.
    This function may be called once in a process, on its main thread.

    Raises `CannotListen` or `CertificateError` before any request is answered.
    """
    settings = _within_open_files(settings, log)
    with listening or open_socket(settings) as bound:
        port = bound.getsockname()[1]
        server = CapsuleServer(settings, application, log, port, measurements or NoMeasurements())
        server.start(bound)
    observer = cast("ILogObserver", partial(_pass_on_fault, log))
    globalLogBeginner.beginLoggingTo([observer], discardBuffer=True, redirectStandardIO=False)
    reactor = server.reactor

    def stop(number: int, frame: FrameType | None) -> None:  # noqa: ARG001 - a signal handler's
        reactor.callFromThread(server.stop)

    before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        if on_listening is not None:
            reactor.callWhenRunning(on_listening, port)
        reactor.run(installSignalHandlers=False)
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _within_open_files(settings: ServerSettings, log: logging.Logger) -> ServerSettings:
    """Raise the limit on open files as far as the connections need, or reduce the connections."""
    wanted = settings.connections + SPARE_FILES
    allowed, maximum = resource.getrlimit(resource.RLIMIT_NOFILE)
    if allowed == resource.RLIM_INFINITY or allowed >= wanted:
        return settings
    allowed = wanted if maximum == resource.RLIM_INFINITY else min(wanted, maximum)
    resource.setrlimit(resource.RLIMIT_NOFILE, (allowed, maximum))
    if allowed == wanted:
        return settings
    connections = max(1, allowed - SPARE_FILES)
    log.warning(
        "The system allows %d open files: %d connections instead of %d",
        allowed,
        connections,
        settings.connections,
    )
    return replace(settings, connections=connections)


def _pass_on_fault(log: logging.Logger, event: LogEvent) -> None:
    """Log an event that Twisted considers an error, without visitors' addresses."""
    if event.get("log_level") in {LogLevel.error, LogLevel.critical}:
        failure = event.get("log_failure")
        description = (
            describe_fault(failure.value, quotable=False) if failure else event.get("log_format")
        )
        log.error("A fault in the server\n%s", description)
