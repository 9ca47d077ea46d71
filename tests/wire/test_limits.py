"""Slow, silent, half-open and over-many visitors: closed on time, and others never notice."""

import select
import socket
import ssl
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest

from capsule.gemini.limits import IDLE_SECONDS
from capsule.gemini.protocol import HOLD_BACK
from capsule.gemini.tls import HOLD_REFUSED
from tests.support.waiting import PATIENCE, wait_until
from tests.support.wire.connection import ask, connect, fetch, read_reply, tls_context
from tests.support.wire.running import Running, running
from tests.wire.conftest import StartEcho

pytestmark = pytest.mark.slow

SHORT = 1.5
"""Seconds that the server under test gives everyone: enough for a handshake on a busy machine."""

BYTES = 1000
"""Bytes that are sent one by one, a tenth of a second apart: more than anybody has time for."""


@pytest.fixture(scope="module")
def strict(start_echo: StartEcho) -> Iterator[Running]:
    with start_echo(
        request_timeout=SHORT, response_timeout=SHORT, rate=0, connections_per_address=20
    ) as server:
        yield server
        assert "ERROR" not in server.printed


@pytest.fixture
def plain(strict: Running) -> Iterator[socket.socket]:
    with socket.create_connection(strict.address, timeout=PATIENCE) as connection:
        yield connection


def end(connection: socket.socket) -> bytes:
    """Return what is received until the connection is closed."""
    received = b""
    while chunk := connection.recv(65536):
        received += chunk
    return received


def test_a_silent_connection_is_closed(plain: socket.socket) -> None:
    assert end(plain) == b""


def test_a_handshake_that_stops_halfway_is_closed(plain: socket.socket) -> None:
    hello = ssl.MemoryBIO()
    browser = tls_context().wrap_bio(ssl.MemoryBIO(), hello, server_hostname="localhost")
    with pytest.raises(ssl.SSLWantReadError):
        browser.do_handshake()
    plain.sendall(hello.read()[:100])
    assert end(plain) == b""


def test_a_visitor_who_asks_nothing_is_closed_properly(strict: Running) -> None:
    with connect(strict.address) as connection:
        reply = read_reply(connection)
    assert reply == (0, "", "", True)


def test_a_line_that_is_too_long_and_never_ends_does_not_buy_time(strict: Running) -> None:
    with connect(strict.address) as connection:
        connection.sendall(b"gemini://localhost/".ljust(4000, b"a"))
        reply = read_reply(connection)
    assert reply == (0, "", "", True)


def test_one_byte_at_a_time_does_not_buy_time(strict: Running) -> None:
    begun = time.monotonic()
    with connect(strict.address) as connection:
        assert taken(connection, b"gemini://".ljust(BYTES, b"a")) < BYTES
    assert time.monotonic() - begun > SHORT / 2


def taken(connection: socket.socket, content: bytes) -> int:
    """Send content byte by byte, and return how many bytes were sent until a server hung up."""
    connection.settimeout(0.1)
    for number, byte in enumerate(content):
        try:
            connection.sendall(bytes([byte]))
            assert connection.recv(1) == b""
        except TimeoutError:
            continue
        except (ConnectionError, ssl.SSLError):
            pass
        return number
    return len(content)


def test_one_byte_of_a_handshake_at_a_time_does_not_buy_time(strict: Running) -> None:
    hello = b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"
    begun = time.monotonic()
    with socket.create_connection(strict.address) as plain:
        assert taken(plain, hello.ljust(BYTES, b"a")) < BYTES
    assert time.monotonic() - begun > SHORT / 2


def test_a_visitor_who_reads_nothing_is_closed(strict: Running) -> None:
    with socket.socket(socket.AF_INET) as narrow:
        narrow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        narrow.settimeout(PATIENCE)
        narrow.connect(strict.address)
        with tls_context().wrap_socket(narrow, suppress_ragged_eofs=False) as connection:
            connection.sendall(f"{strict.home}/large/32000000\r\n".encode())
            has_been_cut_off = select.poll()
            has_been_cut_off.register(connection, 0)
            wait_until(lambda: has_been_cut_off.poll(0))
            reply = read_reply(connection)
    assert not reply.closed_cleanly
    assert len(reply.body) < 32_000_000


def test_a_visitor_who_never_closes_is_closed(start_echo: StartEcho) -> None:
    with start_echo(LINGER=0.5) as server, connect(server.address) as connection:
        connection.sendall(f"{server.home}/\r\n".encode())
        assert read_reply(connection).status == 20
        with socket.socket(fileno=connection.detach()) as plain, pytest.raises(ConnectionError):
            send_on(plain)


def send_on(connection: socket.socket) -> None:
    """Go on sending after the answer, for longer than anybody has time for."""
    for _ in range(BYTES):
        connection.sendall(b"!")
        time.sleep(0.02)


def test_a_visitor_who_never_closes_takes_nobodys_place(start_echo: StartEcho) -> None:
    with start_echo(connections=1) as server, connect(server.address) as connection:
        connection.sendall(f"{server.home}/\r\n".encode())
        assert read_reply(connection).status == 20
        assert fetch(f"{server.home}/", server.address, source="127.0.0.2").status == 20


def require_full(server: Running) -> None:
    """Require that the server turns a connection away, rather than wait for its request."""
    with pytest.raises(ConnectionResetError):  # noqa: SIM117 - or making it
        with socket.create_connection(server.address, PATIENCE) as connection:
            connection.recv(1)


@pytest.mark.parametrize(
    "garbage",
    [b"gemini://localhost/\r\n", b"GET / HTTP/1.1\r\n\r\n", b"\0" * 100, b"\x16\x03\x01\xff\xff"],
)
def test_what_is_no_tls_is_closed_without_a_word_in_the_log(
    strict: Running, plain: socket.socket, garbage: bytes
) -> None:
    before = strict.printed
    plain.sendall(garbage)
    with suppress(ConnectionResetError):
        end(plain)
    assert strict.printed == before


def test_hundreds_of_silent_connections_keep_nobody_out(start_echo: StartEcho) -> None:
    patient = {"request_timeout": 2 * PATIENCE}
    with start_echo(rate=0, connections_per_address=20, **patient) as server, ExitStack() as stack:
        for _ in range(300):
            # One for which there is no room may be reset before it has been made.
            with suppress(ConnectionResetError):
                stack.enter_context(socket.create_connection(server.address, timeout=PATIENCE))
        assert fetch(f"{server.home}/", server.address, source="127.0.0.2").status == 20
        time.sleep(IDLE_SECONDS)
        assert fetch(f"{server.home}/", server.address).status == 20


def test_an_address_with_too_many_connections_loses_the_oldest_idle_one(
    start_echo: StartEcho,
) -> None:
    with start_echo(connections_per_address=2, IDLE_SECONDS=0.1) as server, ExitStack() as stack:
        first, second = (stack.enter_context(connect(server.address)) for _ in range(2))
        time.sleep(0.1)
        third = stack.enter_context(connect(server.address))
        assert read_reply(first) == (0, "", "", True)
        for connection in (second, third):
            connection.sendall(f"{server.home}/\r\n".encode())
            assert read_reply(connection).status == 20


def test_who_is_turned_away_gains_nothing_by_coming_again_at_once(start_echo: StartEcho) -> None:
    with start_echo(connections_per_address=1) as server, connect(server.address) as only:
        begun = time.monotonic()
        require_full(server)
        assert time.monotonic() - begun >= HOLD_REFUSED
        assert fetch(f"{server.home}/", server.address, source="127.0.0.2").status == 20
        only.sendall(f"{server.home}/\r\n".encode())
        assert read_reply(only).status == 20


@pytest.mark.slow
def test_too_many_requests_get_44_with_the_seconds_to_wait(start_echo: StartEcho) -> None:
    with start_echo(rate=0.2, burst=3) as server:
        replies = [fetch(f"{server.home}/", server.address) for _ in range(3)]
        begun = time.monotonic()
        replies.append(fetch(f"{server.home}/", server.address))
        assert time.monotonic() - begun >= HOLD_BACK
        assert [reply.status for reply in replies] == [20, 20, 20, 44]
        assert 1 <= int(replies[3].meta) <= 5
        assert replies[3].closed_cleanly
        assert ask(b"nonsense\r\n", server.address).status == 44
        time.sleep(int(replies[3].meta))
        assert fetch(f"{server.home}/", server.address).status == 20


def test_who_is_held_back_as_often_as_may_be_is_refused_before_tls(start_echo: StartEcho) -> None:
    # As long as it takes to ask twice, on a busy machine too.
    with start_echo(rate=0.01, burst=1, held_back_per_address=1, HOLD_BACK=3) as server:
        assert fetch(f"{server.home}/", server.address).status == 20
        with connect(server.address) as held_back:
            held_back.sendall(f"{server.home}/\r\n".encode())
            wait_until(lambda: " 44 " in server.printed)
            require_full(server)
            assert fetch(f"{server.home}/", server.address, source="127.0.0.2").status == 20
            assert read_reply(held_back).status == 44
        with connect(server.address):
            pass


def test_a_response_that_is_held_back_is_sent_when_the_server_stops(start_echo: StartEcho) -> None:
    patient = {"HOLD_BACK": 2 * PATIENCE, "grace": 2 * PATIENCE}
    with start_echo(rate=0.01, burst=1, **patient) as server, connect(server.address) as held_back:
        assert fetch(f"{server.home}/", server.address).status == 20
        held_back.sendall(f"{server.home}/\r\n".encode())
        wait_until(lambda: " 44 " in server.printed)
        assert server.stop() == 0
        assert read_reply(held_back).status == 44
        assert "WARNING" not in server.printed


@pytest.mark.parametrize("kind", ["soft", "hard"])
def test_a_tight_limit_of_open_files_keeps_nobody_out(certificates: Path, kind: str) -> None:
    limit = {"soft": "ulimit -Sn 300", "hard": "ulimit -n 300"}[kind]
    command = f"{limit}; exec {sys.executable} -m tests.support.wire.echo {certificates} rate=0"
    with running(["sh", "-c", command]) as server, ExitStack() as stack:
        for number in range(400):
            source = f"127.0.0.{number % 20 + 1}"
            stack.enter_context(socket.create_connection(server.address, PATIENCE, (source, 0)))
        assert fetch(f"{server.home}/", server.address).status == 20
        assert ("50 connections instead of 1000" in server.printed) == (kind == "hard")
