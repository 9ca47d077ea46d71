"""Several workers: who answers, what they count together, and what happens when one dies."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import time
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.support.client import link
from tests.support.wire.connection import connect, fetch, read_reply
from tests.support.wire.identities import make
from tests.support.wire.processes import children, runs, suspended, wait_until
from tests.support.wire.running import ROOT, Running, running
from tests.wire.test_games import Browser, serving, start_with_master

if TYPE_CHECKING:
    from collections.abc import Iterator

PER_ADDRESS = 100
"""Connections that one address may hold open, to all workers together."""


@contextmanager
def two_workers(home: Path, **settings: object) -> Iterator[Running]:
    """Serve with two workers and a housekeeper, and with some settings."""
    env = {f"OXONAUT_{name.upper()}": str(value) for name, value in settings.items()}
    with running([*serving(home), "--workers", "2"], env=env) as server:
        assert len(children(server.process.pid)) == 3
        yield server
        assert "Traceback" not in server.printed


def workers(server: Running) -> tuple[int, int]:
    """Return the two workers' processes as they were started; the third is the housekeeper's."""
    first, second, _ = children(server.process.pid)
    return first, second


def wait_for_successor(server: Running, killed: int) -> None:
    wait_until(lambda: killed not in (now := children(server.process.pid)) and len(now) == 3)


def has_started(worker: int) -> bool:
    """Tell whether a worker has gone so far that it accepts connections: its threads run."""
    return len(list(Path(f"/proc/{worker}/task").iterdir())) > 5


def status(server: Running) -> int:
    return fetch(f"gemini://localhost:{server.address[1]}/robots.txt", server.address).status


def test_one_worker_goes_on_while_the_other_is_replaced(tmp_path: Path) -> None:
    with two_workers(tmp_path) as server:
        first, second = workers(server)
        for killed, remaining in ((first, second), (second, None)):
            os.kill(killed, signal.SIGKILL)
            assert [status(server) for _ in range(5)] == [20] * 5
            wait_for_successor(server, killed)
            assert remaining is None or remaining in children(server.process.pid)
        assert server.printed.count("ended with status -9 and is replaced") == 2


def test_each_of_two_workers_answers(tmp_path: Path) -> None:
    with two_workers(tmp_path) as server:
        for idle in workers(server):
            with suspended(idle):
                assert [status(server) for _ in range(3)] == [20] * 3


def test_an_address_has_one_burst_for_all_workers(tmp_path: Path) -> None:
    with two_workers(tmp_path, rate=0.01, burst=5) as server:
        first, second = workers(server)
        with suspended(first):
            assert [status(server) for _ in range(3)] == [20] * 3
        with suspended(second):
            assert [status(server) for _ in range(3)] == [20, 20, 44]
        with suspended(first):
            assert status(server) == 44


def test_an_address_makes_so_many_players_however_many_workers(tmp_path: Path) -> None:
    alice, bob = make(tmp_path, "alice"), make(tmp_path, "bob")
    with two_workers(tmp_path / "home", newcomers=1) as server:
        first, second = workers(server)
        pages = [Browser(server, who).get("/play/new/tinc") for who in (alice, bob)]
        with suspended(first):
            assert Browser(server, alice).ask(link(pages[0], "/open")).status == 30
        with suspended(second):
            assert Browser(server, bob).ask(link(pages[1], "/open")).status == 44


def is_open(connection: socket.socket) -> bool:
    connection.settimeout(0)
    try:
        return connection.recv(1) != b""
    except BlockingIOError:
        return True
    except ConnectionResetError:
        return False


def test_an_address_holds_so_many_connections_however_many_workers(tmp_path: Path) -> None:
    with two_workers(tmp_path) as server, ExitStack() as stack:
        first, second = workers(server)
        with suspended(first):
            silent = [
                stack.enter_context(socket.create_connection(server.address))
                for _ in range(PER_ADDRESS)
            ]
            # This one is answered after all others have been let in.
            assert status(server) == 20
        wait_until(lambda: sum(map(is_open, silent)) == PER_ADDRESS - 1)
        with suspended(second), connect(server.address) as newcomer:
            newcomer.sendall(b"gemini://localhost/\r\n")
            assert read_reply(newcomer).status == 53
        stack.enter_context(socket.create_connection(server.address))
        assert is_open(silent[-1])


def test_a_worker_with_all_of_an_addresss_connections_makes_room_in_another(
    tmp_path: Path,
) -> None:
    with two_workers(tmp_path) as server, ExitStack() as stack:
        first, second = workers(server)
        with suspended(first):
            silent = [
                stack.enter_context(socket.create_connection(server.address))
                for _ in range(PER_ADDRESS)
            ]
            time.sleep(0.5)
        with suspended(second):
            for _ in range(3):
                stack.enter_context(connect(server.address))
        # The second worker hears of it, and closes those that have waited longest, at once.
        wait_until(lambda: not any(map(is_open, silent[:3])), seconds=5)
        assert all(map(is_open, silent[3:]))


def test_what_a_killed_worker_has_counted_is_forgotten(tmp_path: Path) -> None:
    with two_workers(tmp_path) as server, ExitStack() as stack:
        first, second = workers(server)
        with suspended(first):
            for _ in range(PER_ADDRESS):
                stack.enter_context(socket.create_connection(server.address))
            time.sleep(0.5)
            os.kill(second, signal.SIGKILL)
        wait_for_successor(server, second)
        *_, successor = children(server.process.pid)
        wait_until(lambda: has_started(successor))
        again = []
        for other in (first, successor):
            with suspended(other):
                again += [
                    stack.enter_context(socket.create_connection(server.address))
                    for _ in range(PER_ADDRESS // 2)
                ]
                time.sleep(0.5)
        time.sleep(1)
        assert all(map(is_open, again))


@pytest.mark.parametrize("to", ["the supervisor", "every process"])
def test_sigterm_drains_all_workers(tmp_path: Path, to: str) -> None:
    alice = make(tmp_path, "alice")
    with two_workers(tmp_path / "home") as server:
        browser = Browser(server, alice)
        url = start_with_master(browser)
        prompt = link(browser.get(url), "/move")
        address = server.address
        with connect(address, alice) as mover, ExitStack() as stack:
            for _ in range(10):
                stack.enter_context(socket.create_connection(address))
            # The bot thinks for a while, and the answer waits for it.
            mover.sendall(f"gemini://localhost:{address[1]}{prompt}?i7\r\n".encode())
            time.sleep(0.5)
            for process in children(server.process.pid) if to == "every process" else ():
                os.kill(process, signal.SIGTERM)
            server.process.send_signal(signal.SIGTERM)
            reply = read_reply(mover)
            assert (reply.status, reply.closed_cleanly) == (30, True)
        assert server.process.wait(20) == 0
        assert "is replaced" not in server.printed
    with two_workers(tmp_path / "home") as server:
        browser = Browser(server, alice)
        wait_until(lambda: "Move 7" in browser.get(url))


def test_metrics_at_a_port_in_use_are_refused_at_the_start(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        command = [*serving(tmp_path), "--workers", "2", "--metrics-port", str(port)]
        started = subprocess.run(
            command, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False
        )
    assert (started.returncode, started.stdout) == (1, "")
    assert started.stderr == (
        f"oxonaut: Cannot serve metrics on 127.0.0.1, port {port}: Address already in use\n"
    )


def test_a_process_that_cannot_work_says_so_in_a_line_until_it_can(tmp_path: Path) -> None:
    key = tmp_path / "certs" / "key.pem"
    with two_workers(tmp_path) as server:
        first, _ = workers(server)
        key.rename(tmp_path / "key.pem")
        os.kill(first, signal.SIGKILL)
        wait_until(lambda: server.printed.count("A process could not start: ") > 1)
        assert status(server) == 20
        (tmp_path / "key.pem").rename(key)
        wait_until(lambda: len(children(server.process.pid)) == 3)
        assert status(server) == 20


def test_the_processes_go_with_a_supervisor_that_is_killed(tmp_path: Path) -> None:
    def serve_and_be_killed() -> None:
        with two_workers(tmp_path) as server:
            processes = children(server.process.pid)
            server.process.kill()
            wait_until(lambda: not any(map(runs, processes)))
            ports.append(server.address[1])

    ports: list[int] = []
    with pytest.raises(AssertionError, match="exit status -9"):
        serve_and_be_killed()
    with running(serving(tmp_path, port=ports[0])) as again:
        assert status(again) == 20
