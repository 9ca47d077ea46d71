"""A program's own certificate, and trust on first use of the server's."""

import json
import socket
import ssl
import stat
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from threading import Event
from time import sleep

import pytest
from cryptography import x509

from capsule.client.connection import (
    CapsuleAddressRefused,
    GeminiClient,
    NotReached,
    ServerNotTrusted,
    ensure_identity,
)

NOW = datetime(2026, 11, 20, 14, 2, tzinfo=UTC)


def test_a_certificate_is_created_once_and_only_its_owner_can_read_it(tmp_path: Path) -> None:
    path = ensure_identity(tmp_path / "robot", "robby", NOW)
    made = path.read_bytes()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert ensure_identity(tmp_path / "robot", "another", NOW) == path
    assert path.read_bytes() == made
    certificate = x509.load_pem_x509_certificate(made)
    assert certificate.subject.rfc4514_string() == "CN=robby"
    ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT).load_cert_chain(path)


@pytest.mark.parametrize(
    "address", ["", "example.org", "https://example.org/", "gemini://[", "gemini://a:b/"]
)
def test_an_address_that_cannot_be_a_capsules_is_refused(tmp_path: Path, address: str) -> None:
    identity = ensure_identity(tmp_path, "", NOW)
    with pytest.raises(CapsuleAddressRefused, match="is not the address of a capsule"):
        GeminiClient(address, identity, None, tmp_path / "servers.json")


def test_a_name_too_long_for_a_certificate_leaves_no_files(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="64"):
        ensure_identity(tmp_path, "r" * 65, NOW)
    assert list(tmp_path.iterdir()) == []


def test_a_key_that_is_missing_is_named(tmp_path: Path) -> None:
    identity, key = ensure_identity(tmp_path, "", NOW), tmp_path / "missing.key"
    with pytest.raises(OSError, match=f"{identity} with the key {key} cannot be used"):
        GeminiClient("gemini://localhost/", identity, key, tmp_path / "servers.json")


@pytest.mark.parametrize("content", ["", "[1]", "{"])
def test_unreadable_pins_stop_requests_until_they_are_restored(
    tmp_path: Path, content: str
) -> None:
    pins = tmp_path / "servers.json"
    with tls_server(tmp_path) as port:
        identity = ensure_identity(tmp_path, "", NOW)
        server = GeminiClient(f"gemini://localhost:{port}/", identity, None, pins)
        assert server.ask("/").status == 20
        known = pins.read_text()
        pins.write_text(content)
        with pytest.raises(ServerNotTrusted, match=r"servers\.json"):
            server.ask("/")
        assert pins.read_text() == content
        pins.write_text(known)
        assert server.ask("/").status == 20


def test_an_answer_that_trickles_in_runs_into_the_time_limit(tmp_path: Path) -> None:
    def trickle(client: ssl.SSLSocket) -> None:
        client.sendall(b"20 text/gemini\r\n")
        for _ in range(100):
            client.sendall(b"-")
            sleep(0.1)

    with tls_server(tmp_path, trickle) as port:
        identity, pins = ensure_identity(tmp_path, "", NOW), tmp_path / "servers.json"
        server = GeminiClient(f"gemini://localhost:{port}/", identity, None, pins, seconds=2)
        with pytest.raises(NotReached, match="TimeoutError"):
            server.ask("/")


@pytest.mark.parametrize(
    "answer",
    [
        b"",
        b"20 text/gemini",
        b"2\xb2 text/gemini\r\n",
        b"44 " + b"9" * 2000 + b"\r\n",
        b"20 \xff\r\n",
        b"20 application/json\r\n\xff",
    ],
)
def test_malformed_answers_count_as_none(tmp_path: Path, answer: bytes) -> None:
    with tls_server(tmp_path, lambda client: client.sendall(answer)) as port:
        identity, pins = ensure_identity(tmp_path, "", NOW), tmp_path / "servers.json"
        with pytest.raises(NotReached):
            GeminiClient(f"gemini://localhost:{port}/", identity, None, pins).ask("/")


def say_hello(client: ssl.SSLSocket) -> None:
    client.sendall(b"20 text/gemini\r\n# Hello\n")


@contextmanager
def tls_server(
    folder: Path, answer: Callable[[ssl.SSLSocket], object] = say_hello
) -> Iterator[int]:
    """Run a TLS server that answers each request with `answer`, and yield its port."""
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(ensure_identity(folder / "server", "localhost", NOW))
    with socket.create_server(("localhost", 0)) as listening, ThreadPoolExecutor() as pool:
        listening.settimeout(0.1)
        is_over = Event()

        def serve() -> None:
            while not is_over.is_set():
                with suppress(OSError):
                    connection, _ = listening.accept()
                    connection.settimeout(10)
                    with connection, tls.wrap_socket(connection, server_side=True) as client:
                        client.recv(2000)
                        answer(client)

        answering = pool.submit(serve)
        try:
            yield int(listening.getsockname()[1])
        finally:
            is_over.set()
        answering.result()


def test_pins_are_by_host_and_port(tmp_path: Path) -> None:
    pins = tmp_path / "servers.json"
    pins.write_text(json.dumps({"localhost:1965": "abc"}))
    server = GeminiClient("gemini://localhost/", ensure_identity(tmp_path, "", NOW), None, pins)
    assert (server.host, server.port) == ("localhost", 1965)
