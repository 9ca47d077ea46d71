"""Responses: headers that nothing can forge, whole bodies, and no details of our faults."""

import socket
import ssl
import time
from pathlib import Path
from urllib.parse import quote

import pytest

from capsule.gemini.types import Response, encode
from tests.support.waiting import wait_until
from tests.support.wire.connection import connect, fetch, read_reply, tls_context
from tests.support.wire.gates import Gate
from tests.support.wire.running import Running
from tests.wire.conftest import StartEcho

FAULT = "Something went wrong here. It has been noted"


@pytest.mark.parametrize(
    ("query", "meta"),
    [
        ("Your%20move", "Your move"),
        ("x%0D%0A20%20text/gemini%0D%0Aforged", "x 20 text/gemini forged"),
        ("x%0Ay%00%1B%5B2J%7F%C2%85z%E2%80%A8", "x y [2J z "),
        ("%0D%0A", " "),
        ("", ""),
    ],
)
def test_no_query_can_end_a_header_early(echo: Running, home: str, query: str, meta: str) -> None:
    reply = fetch(f"{home}/meta?{query}", echo.address)
    assert (reply.status, reply.meta, reply.body) == (10, meta, "")


def test_a_meta_is_cut_between_characters_at_1024_bytes() -> None:
    for length in range(1020, 1030):
        meta = encode(Response(10, "a" * length + "é😀")).content[3:-2]
        assert 1020 <= len(meta) <= 1024
        assert meta.decode().strip("aé😀") == ""


def test_surrogates_do_no_harm(echo: Running, home: str) -> None:
    reply = fetch(f"{home}/surrogates", echo.address)
    assert (reply.status, reply.meta, reply.body) == (20, "text/plain; ?", "?")


@pytest.mark.parametrize("path", ["/fault", "/nothing", "/exit", "/status"])
def test_a_fault_of_ours_is_42_without_a_word_of_it(echo: Running, home: str, path: str) -> None:
    reply = fetch(home + path, echo.address)
    assert reply == (42, FAULT, "", True)
    assert fetch(f"{home}/after", echo.address).status == 20


@pytest.mark.parametrize("tls", [ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3])
@pytest.mark.parametrize("size", [0, 16, 65520, 65536, 131072, 1_000_000, 5_000_000])
def test_a_body_arrives_whole(echo: Running, home: str, size: int, tls: ssl.TLSVersion) -> None:
    reply = fetch(f"{home}/large/{size}", echo.address, tls=tls)
    assert reply.closed_cleanly
    assert reply.body == "0123456789abcdef" * (size // 16)


def test_a_slow_reader_gets_all_of_a_megabyte(start_echo: StartEcho) -> None:
    with start_echo(response_timeout=2) as server:
        with _narrow(server.address) as plain, tls_context().wrap_socket(plain) as connection:
            connection.sendall(f"{server.home}/large/1000000\r\n".encode())
            received = bytearray()
            begun = time.monotonic()
            while chunk := connection.recv(16384):
                received += chunk
                time.sleep(0.04)
        assert time.monotonic() - begun > 2
        assert len(received) == len("20 text/plain\r\n") + 1_000_000


def test_slow_answers_do_not_hold_up_others(echo: Running, home: str, tmp_path: Path) -> None:
    gate = Gate(tmp_path)
    with connect(echo.address) as slow:
        slow.sendall(f"{home}{gate.path}\r\n".encode())
        wait_until(lambda: gate.waiting)
        for _ in range(5):
            assert fetch(f"{home}/", echo.address).status == 20
        gate.open()
        assert read_reply(slow).status == 20


def test_visitors_who_vanish_leave_no_trace(echo: Running, home: str, tmp_path: Path) -> None:
    gate = Gate(tmp_path)
    for line in ("", "gemini", f"{home}{gate.path}\r\n", f"{home}/large/5000000\r\n"):
        with connect(echo.address) as connection:
            connection.sendall(line.encode())
            # Without this the system would say goodbye; with it the connection is reset.
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
    gate.open()
    time.sleep(0.3)
    assert fetch(f"{home}/?{quote('still there')}", echo.address).status == 20
    assert "A fault in the server" not in echo.printed


def _narrow(address: tuple[str, int]) -> socket.socket:
    """Connect with the smallest of receive buffers."""
    plain = socket.socket(socket.AF_INET)
    plain.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    plain.settimeout(20)
    plain.connect(address)
    return plain
