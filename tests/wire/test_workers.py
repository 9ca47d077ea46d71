"""Several workers: who answers, what each of them allows, and what happens when one dies."""

import json
import os
import signal
import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from tests.support.client import link
from tests.support.waiting import PATIENCE, wait_until
from tests.support.wire.browser import Browser, start_with_master
from tests.support.wire.connection import connect, fetch, read_reply
from tests.support.wire.identities import make
from tests.support.wire.processes import children, runs, suspended
from tests.support.wire.running import Running, run_to_end, running, serving

pytestmark = pytest.mark.slow


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


def status(server: Running) -> int:
    return fetch(f"{server.home}/robots.txt", server.address).status


def test_one_worker_goes_on_while_the_other_is_replaced(tmp_path: Path) -> None:
    with two_workers(tmp_path) as server:
        first, second = workers(server)
        for killed, remaining in ((first, second), (second, None)):
            os.kill(killed, signal.SIGKILL)
            assert [status(server) for _ in range(5)] == [20] * 5
            wait_for_successor(server, killed)
            assert remaining is None or remaining in children(server.process.pid)
        wait_until(lambda: server.printed.count("ended with status -9 and is replaced") == 2)


def test_each_worker_allows_an_address_a_whole_burst(tmp_path: Path) -> None:
    with two_workers(tmp_path, rate=0.01, burst=3) as server:
        for idle in workers(server):
            with suspended(idle):
                assert [status(server) for _ in range(4)] == [20, 20, 20, 44]


def test_each_worker_makes_so_many_players_for_an_address(tmp_path: Path) -> None:
    people = [make(tmp_path, name) for name in ("alice", "bob", "carol")]
    with two_workers(tmp_path / "home", new_players_per_hour=1) as server:
        first, second = workers(server)
        alice, bob, carol = (Browser(server, who) for who in people)
        opens = [link(each.get("/play/new/tinc"), "/open") for each in (alice, bob, carol)]
        with suspended(first):
            assert alice.ask(opens[0]).status == 30
            assert bob.ask(opens[1]).status == 44
        with suspended(second):
            assert carol.ask(opens[2]).status == 30


def moves(browser: Browser, url: str) -> int:
    """Return the number of a game's moves."""
    return len(json.loads(browser.get(f"{url}/record.json"))["moves"])


@pytest.mark.parametrize(
    "to", ["the supervisor", pytest.param("every process", marks=pytest.mark.deep)]
)
def test_sigterm_drains_all_workers(tmp_path: Path, to: str) -> None:
    alice = make(tmp_path, "alice")
    with two_workers(tmp_path / "home") as server:
        browser = Browser(server, alice)
        url = start_with_master(browser)
        prompt = link(browser.get(url), "/move")
        begun = moves(browser, url)
        address = server.address
        with connect(address, alice) as mover, ExitStack() as stack:
            for _ in range(10):
                stack.enter_context(socket.create_connection(address))
            # The bot thinks for a while, and the answer waits for it.
            mover.sendall(f"gemini://localhost:{address[1]}{prompt}?i7\r\n".encode())
            wait_until(lambda: moves(browser, url) > begun)
            for process in children(server.process.pid) if to == "every process" else ():
                os.kill(process, signal.SIGTERM)
            server.process.send_signal(signal.SIGTERM)
            reply = read_reply(mover)
            assert (reply.status, reply.closed_cleanly) == (30, True)
        assert server.process.wait(PATIENCE) == 0
        assert "is replaced" not in server.printed
    with two_workers(tmp_path / "home") as server:
        browser = Browser(server, alice)
        wait_until(lambda: "Move 7" in browser.get(url))


def test_metrics_at_a_port_in_use_are_refused_at_the_start(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        command = [*serving(tmp_path), "--workers", "2", "--metrics-port", str(port)]
        started = run_to_end(command)
    assert (started.returncode, started.stdout) == (1, "")
    assert started.stderr == (
        f"oxonaut: Cannot serve metrics on 127.0.0.1, port {port}: Address already in use\n"
    )


@pytest.mark.slow
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


@pytest.mark.slow
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
