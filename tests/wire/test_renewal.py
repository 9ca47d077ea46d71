"""SIGHUP: the settings and the certificate are read again, and no connection is dropped."""

import os
import shutil
import signal
import ssl
import sys
import time
from pathlib import Path

import pytest

from tests.support.waiting import PATIENCE, wait_until
from tests.support.wire.connection import connect, read_reply
from tests.support.wire.identities import Identity, make
from tests.support.wire.processes import children
from tests.support.wire.running import Running, running, serving
from tests.wire.test_workers import status

pytestmark = pytest.mark.slow

LARGE = 16_000_000
"""Characters of a page that does not fit between a server and a visitor who does not read it."""

one_and_two = pytest.mark.parametrize("workers", [1, pytest.param(2, marks=pytest.mark.slow)])


def shown(server: Running) -> bytes:
    """Return the certificate that a server shows to a new connection."""
    with connect(server.address) as connection:
        return certificate_of(connection)


def certificate_of(connection: ssl.SSLSocket) -> bytes:
    certificate = connection.getpeercert(binary_form=True)
    assert certificate is not None
    return certificate


def put(identity: Identity, folder: Path) -> bytes:
    """Put a certificate and its key into the place of a server's; return the certificate."""
    shutil.copy(identity.certificate, folder / "cert.pem")
    shutil.copy(identity.key, folder / "key.pem")
    return ssl.PEM_cert_to_DER_cert(identity.certificate.read_text())


def hang_up(server: Running) -> None:
    server.process.send_signal(signal.SIGHUP)


def test_a_slow_transfer_goes_on_while_others_see_the_new_certificate(tmp_path: Path) -> None:
    new = make(tmp_path, "new")
    certs = tmp_path / "certs"
    command = [sys.executable, "-m", "tests.support.wire.echo", str(certs), "rate=0"]
    with running(command) as server, connect(server.address) as slow:
        before = certificate_of(slow)
        slow.sendall(f"{server.home}/large/{LARGE}\r\n".encode())
        assert slow.recv(2) == b"20"
        expected = put(new, certs)
        hang_up(server)
        wait_until(lambda: shown(server) == expected)
        assert before != expected
        reply = read_reply_after(b"20", slow)
        assert (len(reply), reply[-16:]) == (LARGE, b"0123456789abcdef")


def read_reply_after(beginning: bytes, connection: ssl.SSLSocket) -> bytes:
    """Return the body of an answer whose first bytes have been read."""
    received = bytearray(beginning)
    while chunk := connection.recv(65536):
        received += chunk
    return bytes(received).partition(b"\r\n")[2]


@one_and_two
def test_new_connections_see_a_new_certificate_unless_it_cannot_be_used(
    tmp_path: Path, workers: int
) -> None:
    new = make(tmp_path, "new")
    home = tmp_path / "home"
    with running([*serving(home), "--workers", str(workers)]) as server:
        before = children(server.process.pid)
        with connect(server.address) as older:
            expected = put(new, home / "certs")
            hang_up(server)
            # Each of the workers has read it once none shows the old one any more.
            wait_until(lambda: all(shown(server) == expected for _ in range(20)))
            older.sendall(f"{server.home}/\r\n".encode())
            reply = read_reply(older)
            assert (reply.status, reply.closed_cleanly) == (20, True)
        assert workers == 1 or children(server.process.pid) == before
        shutil.copy(make(tmp_path, "other").key, home / "certs" / "key.pem")
        hang_up(server)
        wait_until(lambda: "are no certificate and its key" in server.printed)
        assert {shown(server) for _ in range(10)} == {expected}
        assert server.printed.count("Nothing has been renewed: ") == 1
        assert "Traceback" not in server.printed


@one_and_two
def test_settings_are_read_again_unless_they_cannot_be_read(tmp_path: Path, workers: int) -> None:
    tmp_path.joinpath("oxonaut.toml").write_text("burst = 1000\n")
    with running([*serving(tmp_path), "--workers", str(workers)]) as server:
        assert [status(server) for _ in range(5)] == [20] * 5
        tmp_path.joinpath("oxonaut.toml").write_text("rate = 0.001\nburst = 1\nworkers = 7\n")
        hang_up(server)
        wait_until(lambda: 44 in {status(server) for _ in range(5)})
        # The command line takes precedence over the file.
        assert "workers" not in server.printed
        tmp_path.joinpath("oxonaut.toml").write_text("rate = 0\nproxy_protocol = true\n")
        hang_up(server)
        wait_until(lambda: [status(server) for _ in range(10)] == [20] * 10)
        assert "The setting proxy_protocol changes at the next start" in server.printed
        tmp_path.joinpath("oxonaut.toml").write_text("burst = 'plenty'\n")
        hang_up(server)
        wait_until(lambda: "Nothing has been renewed: burst cannot be 'plenty'" in server.printed)
        assert status(server) == 20


@one_and_two
def test_a_capsule_whose_terminal_is_closed_stops(tmp_path: Path, workers: int) -> None:
    ours, theirs = os.openpty()
    command = [*serving(tmp_path), "--workers", str(workers)]
    with running(command, stdin=theirs) as server:
        os.close(theirs)
        hang_up(server)
        wait_until(lambda: {status(server) for _ in range(5)} == {20})
        os.close(ours)
        hang_up(server)
        assert server.process.wait(PATIENCE) == 0
        assert "the terminal has been closed" in server.printed


@pytest.mark.slow
def test_a_worker_that_comes_later_serves_by_the_new_settings(tmp_path: Path) -> None:
    with running([*serving(tmp_path), "--workers", "2"]) as server:
        tmp_path.joinpath("oxonaut.toml").write_text("hostname = 'example.org'\n")
        hang_up(server)
        wait_until(lambda: {status(server) for _ in range(10)} == {53})
        before = children(server.process.pid)
        for worker in before[:2]:
            os.kill(worker, signal.SIGKILL)
        wait_until(lambda: not set(before[:2]) & set(children(server.process.pid)))
        time.sleep(0.5)
        assert {status(server) for _ in range(5)} == {53}
