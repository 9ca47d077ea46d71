"""The server's life: starting, listening and stopping."""

import errno
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from capsule.gemini.listening import CannotListen, ServerSettings, open_socket
from tests.support.waiting import PATIENCE, wait_until
from tests.support.wire import identities
from tests.support.wire.connection import connect, fetch, read_reply
from tests.support.wire.gates import Gate
from tests.support.wire.running import Running, run_to_end
from tests.wire.conftest import StartEcho

pytestmark = pytest.mark.slow


def start_badly(folder: Path, **settings: object) -> subprocess.CompletedProcess[str]:
    """Start a server that cannot serve, and return what it said."""
    words = [f"{name}={value}" for name, value in settings.items()]
    return run_to_end([sys.executable, "-m", "tests.support.wire.echo", str(folder), *words])


def has_ipv6() -> bool:
    try:
        with socket.socket(socket.AF_INET6) as probe:
            probe.bind(("::1", 0))
    except OSError:
        return False
    return True


def settings(**named: Any) -> ServerSettings:  # noqa: ANN401 - of several types
    return ServerSettings(certificate=Path("cert.pem"), key=Path("key.pem"), **named)


@pytest.mark.skipif(not has_ipv6(), reason="this machine has no IPv6")
def test_visitors_over_ipv4_do_not_share_a_limit_because_the_socket_is_ipv6(
    start_echo: StartEcho,
) -> None:
    with start_echo(host="::", rate=0.01, burst=1) as server:
        port = server.address[1]
        seen = [
            fetch(f"{server.home}/", (host, port)).status
            for host in ("127.0.0.1", "127.0.0.1", "::1", "::1")
        ]
        assert seen == [20, 44, 20, 44]


@pytest.mark.parametrize("number", [errno.EAFNOSUPPORT, errno.EADDRNOTAVAIL])
def test_a_machine_without_ipv6_serves_ipv4(monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    def bind(self: socket.socket, address: tuple[Any, ...]) -> None:
        if self.family == socket.AF_INET6:
            raise OSError(number, os.strerror(number))
        socket.socket.__base__.bind(self, address)  # type: ignore[misc]

    monkeypatch.setattr(socket.socket, "bind", bind)
    with open_socket(settings(port=0)) as listening:
        assert listening.family == socket.AF_INET


def test_a_port_in_use_is_one_clear_line(start_echo: StartEcho, certificates: Path) -> None:
    with start_echo() as server:
        port = server.address[1]
        second = start_badly(certificates, port=port)
    line = f"Cannot listen on 127.0.0.1, port {port}: another program listens there\n"
    assert (second.returncode, second.stdout, second.stderr) == (1, "", line)


@pytest.mark.parametrize("host", ["192.0.2.1", "no such host", "2001:db8::1"])
def test_a_host_that_is_not_this_machine_is_one_clear_line(host: str) -> None:
    with pytest.raises(CannotListen, match=f"^Cannot listen on {host}, port 0: [^\n]+$"):
        open_socket(settings(host=host, port=0))


def test_a_host_name_that_is_none_is_one_clear_line(tmp_path: Path) -> None:
    started = start_badly(tmp_path, hostname="a..b")
    assert (started.returncode, started.stderr) == (1, "'a..b' is not a host name\n")


@pytest.mark.parametrize(
    ("kinds", "flaw"),
    [
        (("ec", "ec"), "are no certificate and its key"),
        (("weak rsa",), "have too small a key: RSA needs 2048 bits or more"),
    ],
    ids=["of two pairs", "a weak pair"],
)
def test_a_certificate_that_cannot_be_used_is_one_clear_line(
    tmp_path: Path, kinds: tuple[identities.Kind, ...], flaw: str
) -> None:
    made = [identities.make(tmp_path, f"number{n}", key=kind) for n, kind in enumerate(kinds)]
    made[0].certificate.rename(tmp_path / "cert.pem")
    made[-1].key.rename(tmp_path / "key.pem")
    started = start_badly(tmp_path)
    assert started.returncode == 1
    assert started.stderr.endswith(f"{flaw}\n")
    assert "Traceback" not in started.stderr


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_an_answer_that_is_being_made_at_the_end_still_arrives(
    start_echo: StartEcho, tmp_path: Path, number: signal.Signals
) -> None:
    gate = Gate(tmp_path)
    with start_echo(grace=PATIENCE) as server, connect(server.address) as connection:
        connection.sendall(f"{server.home}{gate.path}\r\n".encode())
        wait_until(lambda: gate.waiting)
        server.process.send_signal(number)
        wait_until(lambda: is_refused(server))
        gate.open()
        reply = read_reply(connection)
        assert (reply.status, reply.closed_cleanly) == (20, True)
        connection.close()
        assert server.process.wait(PATIENCE) == 0
        assert server.printed.endswith("Finished\n")


def is_refused(server: Running) -> bool:
    """Return whether nobody listens where a server did."""
    try:
        socket.create_connection(server.address).close()
    except ConnectionRefusedError:
        return True
    return False


def test_a_connection_without_a_request_does_not_hold_up_the_end(start_echo: StartEcho) -> None:
    # It would be closed by itself after as long.
    patient = {"request_timeout": 2 * PATIENCE, "grace": 2 * PATIENCE}
    with start_echo(**patient) as server, connect(server.address) as connection:
        with socket.create_connection(server.address) as silent:
            # Who is not let in yet when the end comes is turned away by the system.
            assert fetch(f"{server.home}/", server.address).status == 20
            assert server.stop() == 0
            assert silent.recv(1) == b""
        assert read_reply(connection) == (0, "", "", True)


def test_an_answered_connection_that_stays_open_does_not_hold_up_the_end(
    start_echo: StartEcho,
) -> None:
    patient = {"LINGER": 2 * PATIENCE, "grace": 2 * PATIENCE}
    with start_echo(**patient) as server, connect(server.address) as connection:
        connection.sendall(f"{server.home}/\r\n".encode())
        assert connection.recv(2) == b"20"
        time.sleep(0.3)
        assert server.stop() == 0


def test_an_application_that_hangs_is_waited_for_so_long_and_no_longer(
    start_echo: StartEcho, tmp_path: Path
) -> None:
    gate = Gate(tmp_path)
    with start_echo(grace=0.5) as server, connect(server.address) as connection:
        connection.sendall(f"{server.home}{gate.path}\r\n".encode())
        wait_until(lambda: gate.waiting)
        assert server.stop() == 0
        assert "WARNING Stopped with 1 connection(s) open" in server.printed


def test_a_second_signal_ends_the_wait(start_echo: StartEcho, tmp_path: Path) -> None:
    gate = Gate(tmp_path)
    with start_echo(grace=2 * PATIENCE) as server, connect(server.address) as connection:
        connection.sendall(f"{server.home}{gate.path}\r\n".encode())
        wait_until(lambda: gate.waiting)
        server.process.send_signal(signal.SIGINT)
        wait_until(lambda: is_refused(server))
        assert server.process.poll() is None
        server.process.send_signal(signal.SIGINT)
        assert server.process.wait(PATIENCE) == 0
        assert "ERROR" not in server.printed
