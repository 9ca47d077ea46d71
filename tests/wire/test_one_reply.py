"""Bots reply, and are asked once for it, however many share the database and die."""

import os
import signal
import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from tests.support import postgresql
from tests.support.client import link
from tests.support.waiting import wait_until
from tests.support.wire.browser import Browser, start_with_master
from tests.support.wire.identities import make
from tests.support.wire.mortal import free_address
from tests.support.wire.processes import children, has_stopped, runs
from tests.support.wire.running import Running, running, serving
from tests.wire.test_metrics import scrape

pytestmark = pytest.mark.slow


def has_move(browser: Browser, url: str, number: int) -> bool:
    """Return whether a game is at a move, the first being 1."""
    return f"Move {number} is yours" in browser.get(url)


def thoughts(ports: list[int]) -> float:
    """Return how often bots have thought of moves, by the metrics at these ports."""
    return sum(
        scrape(port).get('oxonaut_task_thinking_seconds_count{task="move"}', 0) for port in ports
    )


def first_link(page: str) -> str:
    """Return a link of a page that plays a move at once."""
    return next(line.split()[1] for line in page.splitlines() if "/move?" in line)


def test_with_two_workers_a_bot_is_asked_once_for_each_move(tmp_path: Path) -> None:
    port = free_address()[1]
    command = [*serving(tmp_path / "home"), "--workers", "2", "--metrics-port", str(port)]
    with running(command) as server:
        alice = Browser(server, make(tmp_path, "alice"))
        url = start_with_master(alice)
        alice.move(url, "i7")
        wait_until(lambda: has_move(alice, url, 7))
        assert alice.ask(first_link(alice.get(url))).status == 30
        wait_until(lambda: has_move(alice, url, 9))
        assert thoughts([port]) == 2
        redirects = [
            value
            for name, value in scrape(port).items()
            if name.startswith("oxonaut_requests_total") and 'status="30"' in name
        ]
        assert sum(redirects) == 3, "a start and two moves, by whichever worker"


@pytest.fixture
def shared_database() -> Iterator[str]:
    """The URL of a database that several capsules can share: one that is no file."""
    with postgresql.lent_server() as server:
        server.make_bare("shared")
        yield server.url("shared")


@pytest.mark.deep
def test_of_two_capsules_with_one_database_one_asks_the_bot(
    tmp_path: Path, shared_database: str
) -> None:
    ports = [free_address()[1], free_address()[1]]
    servers: list[Running] = []
    with ExitStack() as stack:
        for port in ports:
            command = [*serving(tmp_path / f"home{port}"), "--database", shared_database]
            command += ["--metrics-port", str(port)]
            servers.append(stack.enter_context(running(command)))
        alice = make(tmp_path, "alice")
        browsers = [Browser(server, alice) for server in servers]
        url = start_with_master(browsers[0])
        browsers[0].move(url, "i7")
        for number in (1, 2, 3):
            wait_until(lambda at=2 * number + 5: has_move(browsers[0], url, at))
            assert thoughts(ports) == number
            if number < 3:
                # Moves come in at either capsule.
                browser = browsers[number % 2]
                assert browser.ask(first_link(browser.get(url))).status == 30


def stop_between_writes(process: int, database: Path) -> None:
    """Stop a process at a moment at which it does not hold the lock of a database's writers."""

    def is_stopped() -> bool:
        os.kill(process, signal.SIGSTOP)
        wait_until(lambda: has_stopped(process))
        with closing(sqlite3.connect(database, timeout=0, isolation_level=None)) as connection:
            try:
                connection.execute("BEGIN IMMEDIATE")
            except sqlite3.OperationalError:
                os.kill(process, signal.SIGCONT)
                return False
        return True

    wait_until(is_stopped)


@pytest.mark.slow
def test_a_housekeeper_that_is_killed_loses_no_reply(tmp_path: Path) -> None:
    with running([*serving(tmp_path / "home"), "--workers", "2"]) as server:
        alice = Browser(server, make(tmp_path, "alice"))
        url = start_with_master(alice)
        prompt = link(alice.get(url), "/move")
        *_, housekeeper = children(server.process.pid)
        thinking = children(housekeeper)
        stop_between_writes(housekeeper, tmp_path / "home" / "oxonaut.db")
        # It can be played as long as nobody is there to think, too.
        assert alice.ask(f"{prompt}?i7").status == 30
        os.kill(housekeeper, signal.SIGKILL)
        wait_until(lambda: has_move(alice, url, 7))
        assert "The housekeeper ended with status -9 and is replaced" in server.printed
        wait_until(lambda: not any(map(runs, thinking)))
        assert alice.ask(first_link(alice.get(url))).status == 30
        wait_until(lambda: has_move(alice, url, 9))
        hint = alice.ask(link(alice.get(url), "/hint"))
        assert hint.status == 20
        assert "Traceback" not in server.printed
