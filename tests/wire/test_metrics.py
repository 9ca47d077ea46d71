"""Metrics: what Prometheus reads while people and bots play, and what it must not read."""

import socket
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path
from urllib.request import urlopen

import pytest

from tests.support.client import action, link
from tests.support.waiting import PATIENCE, wait_until
from tests.support.wire.browser import Browser
from tests.support.wire.identities import make
from tests.support.wire.mortal import free_address
from tests.support.wire.running import ROOT, run_to_end, running, serving

pytestmark = pytest.mark.slow


def metrics(port: int) -> str:
    """Return what is published."""
    with urlopen(f"http://127.0.0.1:{port}/metrics", timeout=PATIENCE) as answer:
        text: str = answer.read().decode()
    return text


def scrape(port: int) -> dict[str, float]:
    """Return the published samples by name and labels, as written."""
    return samples(metrics(port))


def samples(text: str) -> dict[str, float]:
    lines = [line.rpartition(" ") for line in text.splitlines() if not line.startswith("#")]
    return {name: float(value) for name, _, value in lines}


def test_silent_connections_are_closed_and_keep_nobody_from_the_metrics(tmp_path: Path) -> None:
    port = free_address()[1]
    command = [*serving(tmp_path / "home"), "--metrics-port", str(port)]
    with running(command) as server, ExitStack() as stack:
        silent = [
            stack.enter_context(socket.create_connection(("127.0.0.1", port), PATIENCE))
            for _ in range(300)
        ]
        assert scrape(port)["oxonaut_database_up"] == 1
        assert [connection.recv(1) for connection in silent] == [b""] * 300
        assert "Traceback" not in server.printed


def test_what_people_and_bots_do_is_counted(tmp_path: Path) -> None:
    port = free_address()[1]
    command = [*serving(tmp_path / "home"), "--metrics-port", str(port)]
    with running(command) as server:
        alice = Browser(server, make(tmp_path, "alice"))
        url = alice.ask(link(alice.get("/play/new/tinc"), "/bot-novice")).meta
        alice.move(url, "a1")
        for _ in range(3):
            alice.get(url)
        secret = action(alice.get(url), "resign").split("/")[-2]
        alice.ask("/nowhere/at-all?secret-query")
        thought = 'oxonaut_task_thinking_seconds_count{task="move"}'
        wait_until(lambda: scrape(port).get(thought, 0) >= 1)
        text = metrics(port)
        data = samples(text)
    page = 'page="play.pages.game.show"'
    assert data[f'oxonaut_requests_total{{{page},status="20"}}'] == 5
    assert data[f"oxonaut_request_seconds_count{{{page}}}"] == 5
    assert data['oxonaut_requests_total{page="none",status="51"}'] == 1
    assert data['oxonaut_task_waiting_seconds_count{task="move"}'] >= 1
    assert data["oxonaut_response_bytes_total"] > 1000
    assert data["oxonaut_database_up"] == 1
    assert data["oxonaut_storage_up"] == 1
    assert data["oxonaut_players"] == 1
    for secret_part in (url.removeprefix("/play/"), secret, "secret-query", "nowhere", "alice"):
        assert secret_part not in text, secret_part


@pytest.mark.deep
def test_games_are_counted_from_the_database(tmp_path: Path) -> None:
    home = tmp_path / "home"
    with running(serving(home)) as server:
        alice = Browser(server, make(tmp_path, "alice"))
        alice.ask(link(alice.get("/play/new/tinc"), "/solo"))
        url = alice.ask(link(alice.get("/play/new/ultimate"), "/solo")).meta
        alice.ask(f"{link(alice.get(url), '/abort')}?abort")
    port = free_address()[1]
    with running([*serving(home), "--metrics-port", str(port)]):
        data = scrape(port)
    # One is alice's, and one everyone's.
    assert data['oxonaut_games{status="playing",variant="tinc"}'] == 2
    assert data['oxonaut_games_started_total{variant="ultimate"}'] == 1
    assert data['oxonaut_games_ended_total{status="aborted",variant="ultimate"}'] == 1


WORKERS = """
import os, sys
from capsule.processes.capsule import measuring
from capsule.measurements import Answered
from tests.support.quick_database import started_database
from urllib.request import urlopen

port = int(sys.argv[1])
database = started_database("sqlite:///" + sys.argv[2])
with measuring(port) as metrics, metrics.served(database):
    measurements = metrics.measurements
    for worker in range(3):
        if os.fork() == 0:
            for _ in range(worker + 1):
                measurements.answered(Answered(20, "lobby.pages.home.front", "/", 10, 0.01))
            os._exit(0)
    for _ in range(3):
        os.wait()
    measurements.answered(Answered(20, "lobby.pages.home.front", "/", 10, 0.01))
    print(urlopen(f"http://127.0.0.1:{port}/metrics").read().decode())
"""


@pytest.mark.deep
def test_processes_are_summed_up_also_those_that_have_ended(tmp_path: Path) -> None:
    counted = subprocess.run(
        [sys.executable, "-c", WORKERS, str(free_address()[1]), str(tmp_path / "oxonaut.db")],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=True,
    )
    labels = 'page="lobby.pages.home.front",status="20"'
    assert f"oxonaut_requests_total{{{labels}}} 7.0" in counted.stdout
    assert "oxonaut_response_bytes_total 70.0" in counted.stdout


def test_metrics_can_be_read_on_this_machine_alone(tmp_path: Path) -> None:
    port = free_address()[1]
    with (
        running([*serving(tmp_path), "--host", "0.0.0.0", "--metrics-port", str(port)]),
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe,
    ):
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            pytest.skip("this machine has no other address")
        other = probe.getsockname()[0]
        with pytest.raises(OSError, match="refused"):
            socket.create_connection((other, port), timeout=PATIENCE)


def test_without_the_extra_a_line_says_what_to_install(tmp_path: Path) -> None:
    hidden = tmp_path / "hidden" / "prometheus_client"
    hidden.mkdir(parents=True)
    (hidden / "__init__.py").write_text("raise ImportError('not installed')")
    tried = run_to_end(
        [*serving(tmp_path / "home"), "--metrics-port", "1"], {"PYTHONPATH": str(hidden.parent)}
    )
    assert tried.returncode == 1
    assert tried.stderr == (
        "oxonaut: Metrics need the extra metrics. In the checkout that Oxonaut was installed from: "
        f"{sys.executable} -m pip install -c .ci/constraints.txt '.[metrics]'\n"
    )
