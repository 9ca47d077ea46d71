"""The Gemini server: where it listens, whom it lets in, how it starts and how it stops.

jetforce's server, hardened: visitors are counted, and at the end whoever has asked is answered.
What happens on one connection stands in `capsule.gemini.protocol`.
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
from capsule.gemini.limits import ConnectionLimit, Crowded, RequestLimit, rate_limit_key
from capsule.gemini.protocol import GeminiConnection, TlsFactory, TlsOptions, describe_fault
from capsule.gemini.url import authority_of

if TYPE_CHECKING:
    import logging
    from collections.abc import Callable
    from pathlib import Path
    from types import FrameType

    from twisted.logger import ILogObserver, LogEvent

    from capsule.gemini.types import Application


BACKLOG = 1024
"""Connections that the system holds for us until we take them."""

MAX_ACCEPTS_PER_TURN = 50
"""Connections that are let in before those already here are attended to again."""

SPARE_FILES = 250
"""Open files that the process needs besides those of its connections, for the database and so on.

A connection that has to make room is closed a little later than the one it makes room for is open.
"""


class CannotListen(Exception):
    """The server cannot be where it was told to be; the message is a line for the operator."""


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
    threads: int = 4
    grace: float = 10


class _Thread(Thread):
    """A thread that does not keep the process from ending, should an application hang."""

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
    ) -> None:
        super().__init__(
            # jetforce would call an application of its own kind; our connections do not let it.
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
        self.request_timeout = settings.request_timeout
        self.response_timeout = settings.response_timeout
        self.grace = settings.grace
        try:
            self.authority = authority_of(settings.hostname, settings.public_port or port)
        except ValueError as error:
            raise CannotListen(f"{settings.hostname!r} is not a host name") from error
        self.rate_limit = RequestLimit(settings.rate, settings.burst)
        self.threads: ThreadPool = _Threads(settings.threads, settings.threads, "application")
        self._connections: ConnectionLimit[GeminiConnection] = ConnectionLimit(
            settings.connections,
            # A balancer is one address that speaks for many.
            settings.connections if settings.proxy_protocol else settings.connections_per_address,
        )
        # Those that are owed something: an answer, or at least a goodbye.
        self._busy: set[GeminiConnection] = set()
        self._port: Any = None
        self.stopping = False
        self._stopped = False

    def buildProtocol(self, addr: object) -> GeminiConnection:  # noqa: ARG002, N802 - Twisted's
        """Return what handles a new connection."""
        return GeminiConnection(self)

    def let_in(self, connection: GeminiConnection) -> bool:
        """Count a new connection; return whether there is room for it."""
        try:
            evicted = self._connections.enter(
                connection, rate_limit_key(connection.client_addr.host)
            )
        except Crowded:
            return False
        if evicted is not None:
            evicted.dismiss()
        return True

    def request_arrived(self, connection: GeminiConnection) -> None:
        """Note that a connection is owed an answer."""
        self._connections.request_arrived(connection)
        self._busy.add(connection)

    def see_off(self, connection: GeminiConnection) -> None:
        """Forget a connection that is closed."""
        self._connections.leave(connection)
        self._busy.discard(connection)
        if self.stopping and not self._busy:
            self._stop_reactor()

    def start(self, listening: socket.socket) -> None:
        """Take connections from a listening socket, as soon as the reactor runs.

        Raises `CertificateError` where the certificate and the key do not fit.
        """
        options = TlsOptions(cast("str", self.certfile), self.keyfile)
        try:
            options.getContext()
        except SSL.Error as error:
            raise CertificateError(
                f"{self.certfile} and {self.keyfile} are no certificate and its key"
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

    def _listens(self, port: Any) -> None:  # noqa: ANN401 - Twisted's ports have no one type
        accept = port.doRead

        def accept_some() -> None:
            # Twisted would take more at each turn, the more of them there are.
            port.numberAccepts = min(port.numberAccepts, MAX_ACCEPTS_PER_TURN)
            accept()

        port.doRead = accept_some
        self._port = port

    def stop(self) -> None:
        """Let nobody in any more and stop the reactor when who has asked is answered.

        A second call does not wait for the answers.
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
        self.reactor.stop()


def open_socket(settings: ServerSettings) -> socket.socket:
    """Return a socket that listens where the settings say; several processes may share it.

    The host "::" means every address of the machine, IPv6 and IPv4; where the machine has no IPv6,
    every IPv4 address. Raises `CannotListen`.
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
        # Connections inherit this: an answer need not wait until TLS's own packets are confirmed.
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


def serve(
    settings: ServerSettings,
    application: Application,
    log: logging.Logger,
    *,
    listening: socket.socket | None = None,
    on_listening: Callable[[int], None] | None = None,
) -> None:
    """Answer requests until SIGINT or SIGTERM, then finish what has been asked, and return.

    `application` is called on threads, several at a time. `log` gets a line for each request, and
    the traceback of each fault. `listening` is a socket that was opened before, by `open_socket`,
    and is taken over; without one it is opened here. `on_listening` is called with its port when
    requests are answered. A second signal ends the wait for answers. May be called once in a
    process, on its main thread.

    Raises `CannotListen` and `CertificateError` before anything is answered.
    """
    settings = _within_open_files(settings, log)
    with listening or open_socket(settings) as bound:
        port = bound.getsockname()[1]
        server = CapsuleServer(settings, application, log, port)
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
    """Have the system allow the open files that the connections need, or settle for fewer."""
    wanted = settings.connections + SPARE_FILES
    allowed, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    if allowed == resource.RLIM_INFINITY or allowed >= wanted:
        return settings
    allowed = wanted if most == resource.RLIM_INFINITY else min(wanted, most)
    resource.setrlimit(resource.RLIMIT_NOFILE, (allowed, most))
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
    """Pass on what Twisted holds for a fault, without the addresses that it would tell."""
    if event.get("log_level") in {LogLevel.error, LogLevel.critical}:
        failure = event.get("log_failure")
        words = (
            describe_fault(failure.value, quotable=False) if failure else event.get("log_format")
        )
        log.error("A fault in the server\n%s", words)
