"""The conduct table, request by request, against a server on a real socket."""

import json
import socket
import ssl

import pytest

from tests.support.waiting import PATIENCE
from tests.support.wire.connection import ask, connect, fetch, read_reply, tls_context
from tests.support.wire.running import Running
from tests.wire.conftest import StartEcho

TLS_1_2, TLS_1_3 = ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3
BOTH = pytest.mark.parametrize("tls", [TLS_1_2, TLS_1_3], ids=["tls-1.2", "tls-1.3"])


@BOTH
def test_a_request_is_answered_and_the_connection_closed_properly(
    echo: Running, home: str, tls: ssl.TLSVersion
) -> None:
    reply = fetch(f"{home}/rules/tinc", echo.address, tls=tls)
    assert (reply.status, reply.meta, reply.closed_cleanly) == (20, "application/json", True)
    assert json.loads(reply.body) == {"path": "/rules/tinc", "query": None, "certificate": None}


@pytest.mark.filterwarnings("ignore:ssl.TLSVersion.TLSv1_1 is deprecated")
def test_nothing_older_than_tls_1_2_is_spoken(echo: Running) -> None:
    context = tls_context(tls=ssl.TLSVersion.TLSv1_1)
    context.set_ciphers("ALL:@SECLEVEL=0")
    with (
        socket.create_connection(echo.address) as plain,
        pytest.raises(ssl.SSLError, match=r"(?i)protocol.version"),
    ):
        context.wrap_socket(plain)


def test_paths_and_queries_arrive_decoded(echo: Running, home: str) -> None:
    reply = fetch(f"{home}/a%20b/caf%C3%A9?x+y%0D%0Az", echo.address)
    found = json.loads(reply.body)
    assert (found["path"], found["query"]) == ("/a b/café", "x+y\r\nz")


@pytest.mark.parametrize("url", ["https://localhost:{port}/", "gemini://localhost/"])
@BOTH
def test_another_scheme_host_or_port_gets_53(echo: Running, url: str, tls: ssl.TLSVersion) -> None:
    reply = fetch(url.format(port=echo.address[1]), echo.address, tls=tls)
    assert (reply.status, reply.body, reply.closed_cleanly) == (53, "", True)


def test_a_path_that_no_page_can_have_gets_51(echo: Running, home: str) -> None:
    reply = fetch(f"{home}/%2e%2e/", echo.address)
    assert (reply.status, reply.body, reply.closed_cleanly) == (51, "", True)


@pytest.mark.parametrize(
    "line", [b"", b"{home}/#fragment", b"{home}/\x1b[2J", b"{home}/a\rb", b"{home}/\xff"]
)
@BOTH
def test_what_is_no_proper_address_gets_59(
    echo: Running, home: str, line: bytes, tls: ssl.TLSVersion
) -> None:
    reply = ask(line.replace(b"{home}", home.encode()) + b"\r\n", echo.address, tls=tls)
    assert (reply.status, reply.body, reply.closed_cleanly) == (59, "", True)
    assert reply.meta.isprintable()


def test_1024_bytes_are_answered_and_one_more_is_not(echo: Running, home: str) -> None:
    longest = f"{home}/".ljust(1024, "a")
    assert fetch(longest, echo.address).status == 20
    reply = fetch(longest + "a", echo.address)
    assert (reply.status, reply.closed_cleanly) == (59, True)
    assert "It has 1 too many" in reply.meta


@BOTH
def test_a_line_is_read_on_to_4096_bytes_to_say_by_how_much_it_is_too_long(
    echo: Running, home: str, tls: ssl.TLSVersion
) -> None:
    reply = fetch(f"{home}/?".ljust(4096, "a"), echo.address, tls=tls)
    assert (reply.status, reply.closed_cleanly) == (59, True)
    assert "It has 3072 too many" in reply.meta


def test_a_line_that_grows_too_long_is_refused_before_it_ends(echo: Running, home: str) -> None:
    reply = ask(f"{home}/".ljust(4097, "a").encode(), echo.address)
    assert (reply.status, reply.closed_cleanly) == (59, True)
    assert "It has more than 3072 too many" in reply.meta


def test_a_line_without_its_carriage_return_is_refused_at_once(echo: Running, home: str) -> None:
    reply = ask(f"{home}/\n".encode(), echo.address)
    assert (reply.status, reply.closed_cleanly) == (59, True)


def test_a_request_may_arrive_in_pieces(echo: Running, home: str) -> None:
    with connect(echo.address) as connection:
        for byte in f"{home}/pieces\r\n".encode():
            connection.sendall(bytes([byte]))
        assert json.loads(read_reply(connection).body)["path"] == "/pieces"


def test_the_longest_request_may_arrive_cut_before_its_newline(echo: Running, home: str) -> None:
    with connect(echo.address) as connection:
        connection.sendall(f"{home}/".ljust(1024, "a").encode() + b"\r")
        connection.sendall(b"\n")
        assert read_reply(connection).status == 20


@BOTH
def test_a_second_request_on_the_same_connection_is_ignored(
    echo: Running, home: str, tls: ssl.TLSVersion
) -> None:
    before = echo.printed.count("/second")
    reply = ask(f"{home}/first\r\n{home}/second\r\n".encode(), echo.address, tls=tls)
    assert json.loads(reply.body)["path"] == "/first"
    assert reply.closed_cleanly
    assert echo.printed.count("/second") == before


@BOTH
def test_a_visitor_who_goes_on_sending_still_gets_their_answer(
    echo: Running, home: str, tls: ssl.TLSVersion
) -> None:
    reply = ask(f"{home}/upload\r\n".encode() + b"\0" * 1_000_000, echo.address, tls=tls)
    assert json.loads(reply.body)["path"] == "/upload"
    assert reply.closed_cleanly


def test_a_refused_upload_gets_its_refusal(echo: Running) -> None:
    reply = ask(b"titan://localhost/;size=1000000\r\n" + b"\0" * 1_000_000, echo.address)
    assert (reply.status, reply.closed_cleanly) == (53, True)


@BOTH
def test_a_visitor_who_stops_sending_still_gets_an_answer(
    echo: Running, home: str, tls: ssl.TLSVersion
) -> None:
    with connect(echo.address, tls=tls) as connection:
        connection.sendall(f"{home}/slow/0.2\r\n".encode())
        # SSLSocket.shutdown would forget its TLS.
        socket.socket.shutdown(connection, socket.SHUT_WR)
        reply = read_reply(connection)
    assert (reply.status, reply.closed_cleanly) == (20, True)


@BOTH
def test_a_visitor_who_says_goodbye_with_their_request_still_gets_an_answer(
    echo: Running, home: str, tls: ssl.TLSVersion
) -> None:
    incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
    browser = tls_context(tls=tls).wrap_bio(incoming, outgoing, server_hostname="localhost")
    with socket.create_connection(echo.address, timeout=PATIENCE) as plain:
        while True:
            try:
                browser.do_handshake()
            except ssl.SSLWantReadError:
                plain.sendall(outgoing.read())
                incoming.write(plain.recv(65536))
            else:
                break
        browser.write(f"{home}/slow/0.2\r\n".encode())
        with pytest.raises(ssl.SSLWantReadError):
            browser.unwrap()
        plain.sendall(outgoing.read())
        while received := plain.recv(65536):
            incoming.write(received)
        assert browser.read().startswith(b"20 ")


def test_the_public_port_is_the_one_in_addresses(start_echo: StartEcho) -> None:
    with start_echo(public_port=1965) as server:
        assert fetch("gemini://localhost/", server.address).status == 20
        assert fetch("gemini://localhost:1965/", server.address).status == 20
        own = f"{server.home}/"
        assert fetch(own, server.address).status == 53
