# ruff: noqa: N802 - methods that Twisted calls have the names that Twisted gives them
"""Connections by way of a balancer, which names each visitor's address by the PROXY protocol.

Twisted parses the header; its own wrapper takes sockets of the balancer's machine for addresses,
and lets TLS begin before the visitor can be refused.
"""

from ipaddress import ip_address
from typing import Any, NamedTuple, TypeAlias, cast

from twisted.internet.address import IPv4Address, IPv6Address
from twisted.protocols.haproxy._exceptions import InvalidProxyHeader
from twisted.protocols.haproxy._v1parser import V1Parser
from twisted.protocols.haproxy._v2parser import V2Parser
from twisted.protocols.policies import ProtocolWrapper, WrappingFactory

Address: TypeAlias = IPv4Address | IPv6Address

MAX_TEXT_BYTES = 107
"""Bytes of the longest header of version 1."""

FIXED_BYTES = 16
"""Bytes of a header of version 2 up to the addresses; the last two are the number of the others."""

MAX_BYTES = 4096
"""Bytes of the longest header of version 2 that is read; balancers send a few hundred."""


class Header(NamedTuple):
    """A PROXY header: its size in bytes, and the visitor's address, None without one."""

    size: int
    visitor: Address | None


def read_header(received: bytes) -> Header | None:
    r"""Return the header with which these bytes begin, None while it is not whole.

    Raises `ValueError` if there is none.

    >>> read_header(b"PROXY TCP4 192.0.2.7 192.0.2.1 5000 19") is None
    True
    >>> read_header(b"PROXY TCP4 192.0.2.7 192.0.2.1 5000 1965\r\n...").visitor.host
    '192.0.2.7'
    """
    try:
        if received[:FIXED_BYTES].startswith(V2Parser.PREFIX[: len(received)]):
            return _binary(received)
        return _text(received)
    except InvalidProxyHeader as error:
        raise ValueError("no header of the PROXY protocol") from error


def _binary(received: bytes) -> Header | None:
    if len(received) < FIXED_BYTES:
        return None
    size = FIXED_BYTES + int.from_bytes(received[FIXED_BYTES - 2 : FIXED_BYTES])
    if size > MAX_BYTES:
        raise InvalidProxyHeader
    if len(received) < size:
        return None
    return Header(size, _address(V2Parser.parse(received[:size]).source))


def _text(received: bytes) -> Header | None:
    line, ending, _ = received[:MAX_TEXT_BYTES].partition(V1Parser.NEWLINE)
    if not line.startswith(V1Parser.PROXYSTR[: len(line)]):
        raise InvalidProxyHeader
    if not ending:
        if len(line) == MAX_TEXT_BYTES:
            raise InvalidProxyHeader
        return None
    size = len(line) + len(ending)
    if line == b"PROXY UNKNOWN":
        # Twisted's parser would want addresses after it, which may be left out.
        return Header(size, None)
    return Header(size, _address(V1Parser.parse(line).source))


def _address(source: object) -> Address | None:
    """Return the address of a visitor by the network; raises `ValueError` if it is none."""
    if not isinstance(source, Address):
        return None
    ip_address(source.host)
    return source


class BalancedConnection(ProtocolWrapper):
    """A connection whose first bytes are a PROXY header; all others are TLS's."""

    transport: Any
    wrappedProtocol: Any  # noqa: N815 - Twisted's name

    _received: bytes | None = b""
    _visitor: Address | None = None

    def dataReceived(self, data: bytes) -> None:
        """Read the header, have the visitor admitted, and pass on what follows."""
        if self._received is not None:
            self._received += data
            try:
                header = read_header(self._received)
            except ValueError:
                self.transport.loseConnection()
                return
            if header is None:
                return
            data, self._received = self._received[header.size :], None
            self._visitor = header.visitor
            if (
                self._visitor is not None
                and not self.wrappedProtocol.wrappedProtocol.proxy_header_received()
            ):
                return
        if data:
            self.wrappedProtocol.dataReceived(data)

    def getPeer(self) -> Address:
        """Return the visitor's address, the balancer's if it has named none."""
        return self._visitor or cast("Address", self.transport.getPeer())


class BalancedFactory(WrappingFactory):
    """A factory for the connections of a balancer."""

    protocol = BalancedConnection
