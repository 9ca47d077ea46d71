"""The settings of the server and its socket; importing this does not load Twisted."""

import errno
import socket
from dataclasses import dataclass
from pathlib import Path

from capsule.gemini.url import Authority, authority_of

BACKLOG = 1024
"""Connections that the system holds until the server accepts them."""


class CannotListen(Exception):
    """The server cannot listen at its address; the message is a line for the operator."""


class CannotRenew(Exception):
    """The settings and the certificate cannot be renewed; the message is a line for the log."""


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
    An address for which `held_back_per_address` responses are held back gets no new connection.
    The application is called on `threads` threads, and as many as `waits` others wait for bots.
    In one turn of the reactor, up to `accepts_per_turn` new connections are accepted.
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
    connections_per_address: int = 32
    held_back_per_address: int = 16
    rate: float = 30
    burst: int = 1000
    threads: int = 4
    waits: int = 32
    accepts_per_turn: int = 50
    grace: float = 10

    def authority(self, listening_port: int) -> Authority:
        """Return the name and port in the server's addresses; raises `CannotListen`."""
        try:
            return authority_of(self.hostname, self.public_port or listening_port)
        except ValueError as error:
            raise CannotListen(f"{self.hostname!r} is not a host name") from error


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
