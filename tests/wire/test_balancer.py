"""A balancer that says by the PROXY protocol for whom it speaks, and other bytes at its port."""

import socket
import ssl
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

import pytest

from tests.support.waiting import PATIENCE
from tests.support.wire.connection import Reply, read_reply, tls_context
from tests.support.wire.running import Running
from tests.wire.conftest import StartEcho

pytestmark = pytest.mark.slow

V2 = b"\r\n\r\n\0\r\nQUIT\n\x21"
"""The beginning of a header of version 2 for a connection that is passed on."""

UNIX_SOCKET = (
    V2 + b"\x31\0\xd8" + b"/run/visitor".ljust(108, b"\0") + b"/run/entrance".ljust(108, b"\0")
)


@pytest.fixture(scope="module")
def entrance(start_echo: StartEcho) -> Iterator[Running]:
    with start_echo(proxy_protocol="yes", rate=0) as server:
        yield server
        assert "ERROR" not in server.printed


@contextmanager
def passed_on(server: Running, *header: bytes) -> Iterator[ssl.SSLSocket]:
    """Connect over a balancer that sends a header, in parts."""
    with socket.create_connection(server.address, PATIENCE) as plain:
        plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for part in header:
            plain.sendall(part)
            time.sleep(0.05)
        with tls_context().wrap_socket(plain, suppress_ragged_eofs=False) as connection:
            yield connection


def from_address(address: str) -> bytes:
    return f"PROXY TCP4 {address} 192.0.2.1 5000 1965\r\n".encode()


def ask(server: Running, connection: ssl.SSLSocket) -> Reply:
    connection.sendall(f"{server.home}/\r\n".encode())
    return read_reply(connection)


def test_requests_are_counted_by_the_visitors_address(start_echo: StartEcho) -> None:
    with start_echo(proxy_protocol="yes", rate=0.01, burst=1) as server:
        for visitor, status in (("192.0.2.7", 20), ("192.0.2.7", 44), ("192.0.2.8", 20)):
            with passed_on(server, from_address(visitor)) as connection:
                reply = ask(server, connection)
            assert (reply.status, reply.closed_cleanly) == (status, True)


def test_connections_are_counted_by_the_visitors_address(start_echo: StartEcho) -> None:
    patient = {"request_timeout": 2 * PATIENCE, "IDLE_SECONDS": 2 * PATIENCE}
    with (
        start_echo(proxy_protocol="yes", connections_per_address=2, **patient) as server,
        ExitStack() as stack,
    ):
        greedy, modest = from_address("192.0.2.7"), from_address("192.0.2.8")
        both = [stack.enter_context(passed_on(server, greedy)) for _ in range(2)]
        with socket.create_connection(server.address, PATIENCE) as third:
            third.sendall(greedy)
            with pytest.raises(ConnectionResetError):
                third.recv(1)
        for connection in (*both, stack.enter_context(passed_on(server, modest))):
            assert ask(server, connection).status == 20


@pytest.mark.parametrize(
    "header",
    [
        (UNIX_SOCKET,),
        (b"PROXY UNKNOWN\r\n",),
        (from_address("192.0.2.7")[:11], from_address("192.0.2.7")[11:]),
        (V2[:5], V2[5:] + b"\x11\0\x0c\xc0\0\2\7\xc0\0\2\1\x13\x88\7\xad"),
    ],
    ids=["the socket of a program", "an unknown visitor", "text in parts", "bytes in parts"],
)
def test_every_visitor_that_it_speaks_for_is_answered(
    entrance: Running, header: tuple[bytes, ...]
) -> None:
    with passed_on(entrance, *header) as connection:
        assert ask(entrance, connection).status == 20


@pytest.mark.parametrize(
    "garbage",
    [
        b"PROXY TCP4 192.0.2.7 192.0.2.1 many 1965\r\n",
        b"PROXY TCP4 nobody nowhere 5000 1965\r\n",
        b"PROXY TCP4 \xff 192.0.2.1 5000 1965\r\n",
        b"PROXY " * 20,
        V2 + b"\x11\xff\xff",
        b"\x16\x03\x01\x02\0",
        b"GET / HTTP/1.1\r\n\r\n",
    ],
)
def test_what_is_no_header_is_closed_without_a_word_in_the_log(
    entrance: Running, garbage: bytes
) -> None:
    before = entrance.printed
    with socket.create_connection(entrance.address, PATIENCE) as plain:
        plain.sendall(garbage)
        assert plain.recv(1) == b""
    assert entrance.printed == before
