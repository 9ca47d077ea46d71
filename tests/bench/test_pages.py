"""The benchmark of pages itself runs, part by part, and its figures mean what they say."""

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

import pytest

from engine import VARIANTS
from tests.bench import peers
from tests.bench.homes import opened
from tests.bench.load import Load, Outcome, Request, Side, WrongAnswer, compare
from tests.bench.mix import Mix, bare, identities
from tests.bench.pages import PARTS, main
from tests.bench.peers import Site
from tests.bench.servers import CannotStart, Server, free_port, hello, serving
from tests.support.waiting import wait_until
from tests.support.wire.identities import make

TINY = (
    "--requests 6 --rounds 1 --games 12 --mix-games 12 --players 4 --evening 6 --fresh 10 "
    "--any-core --json"
).split()


@contextmanager
def bare_hello(folder: Path) -> Iterator[Server]:
    identity = make(folder, "localhost")
    port = free_port()
    with serving("hello", port, hello(identity.certificate, identity.key, port)) as server:
        yield server


def figures(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    main([*TINY, *arguments])
    output, _, found = capsys.readouterr().out.partition("\n{")
    read = json.loads("{" + found)["figures"]
    for what in read:
        assert what in output
    return read


@pytest.mark.deep
def test_single_pages_and_moves_are_compared(capsys: pytest.CaptureFixture[str]) -> None:
    found = figures(capsys, "--only", "pages")
    aims = {what: figure["aim"] for what, figure in found.items() if "ratio" in figure}
    assert {what: aim for what, aim in aims.items() if aim} == {
        "signed-in game page": 1.0,
        "visitor's game page": 1.0,
        "another of 1,000 games each time": 0.8,
        "signed-in game page, each made anew": 0.55,
        "visitor's game page, each made anew": 0.65,
        "rules page": 1.0,
        "board with its explorer": 1.0,
        "puzzle, signed in": 1.0,
        "position of the day": 1.0,
        "home": 1.0,
        "durable move": 0.45,
    }
    assert all(found[what]["ratio"] > 0 for what in aims)
    assert found["memory of capsule of few"]["amount"] > 40


@pytest.mark.deep
def test_a_busy_evening_is_measured_with_its_latency(capsys: pytest.CaptureFixture[str]) -> None:
    found = figures(capsys, "--only", "mix")
    assert found["mix"]["rate"] > 0
    assert 0 < found["latency, median"]["amount"] <= found["latency, 99 %"]["amount"]


@pytest.mark.deep
def test_two_workers_are_compared_to_one(capsys: pytest.CaptureFixture[str]) -> None:
    found = figures(capsys, "--only", "workers")
    if "missing" not in next(iter(found.values())):
        assert {figure["aim"] for figure in found.values()} == {1.7}
        assert all(figure["ratio"] > 0 for figure in found.values())
    else:
        assert [*next(iter(found.values()))] == ["missing"]


@pytest.mark.deep
def test_capsules_on_one_database_are_measured_part_by_part(
    capsys: pytest.CaptureFixture[str],
) -> None:
    found = figures(capsys, "--only", "machines")
    if "missing" in next(iter(found.values())):
        pytest.skip(next(iter(found.values()))["missing"])
    for words in ("one capsule", "two capsules"):
        for what in ("game pages", "moves", "mix"):
            assert found[f"{words}: {what}"]["amount"] > 0
            assert f"{words}: {what}, CPU of PostgreSQL" in found


@pytest.mark.deep
def test_a_capsule_on_postgresql_is_compared_to_one_on_sqlite(
    capsys: pytest.CaptureFixture[str],
) -> None:
    found = figures(capsys, "--only", "databases")
    if "missing" in next(iter(found.values())):
        pytest.skip(next(iter(found.values()))["missing"])
    assert {figure["aim"] for figure in found.values()} == {0.6}
    assert len(found) == 4


@pytest.mark.slow
def test_memory_is_watched_while_unknown_certificates_come(
    capsys: pytest.CaptureFixture[str],
) -> None:
    found = figures(capsys, "--only", "memory")
    assert found["memory at the start"]["amount"] > 40
    assert "memory after 10 requests" in found


@pytest.mark.slow
def test_peers_that_cannot_be_had_are_named(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def found(folder: Path) -> Path:
        raise peers.Missing("is nowhere")

    absent = [peers.Peer(peer.name, found, peer.configured, peer.aim) for peer in peers.PEERS]
    monkeypatch.setattr("tests.bench.static_pages.PEERS", absent)
    data = figures(capsys, "--only", "peers")
    assert data == {peer.name: {"missing": "is nowhere"} for peer in peers.PEERS}


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("molly-brown"), reason="apt-get install molly-brown")
def test_a_peer_serves_a_page_of_the_same_size(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tests.bench.static_pages.PEERS", peers.PEERS[2:])
    data = figures(capsys, "--only", "peers")
    assert set(data) == {"molly-brown, without certificates", "molly-brown, with certificates"}
    assert all(figure["ratio"] > 0 for figure in data.values())


@pytest.mark.parametrize("peer", peers.PEERS, ids=lambda peer: peer.name)
def test_a_peer_is_given_its_port_and_the_page(tmp_path: Path, peer: peers.Peer) -> None:
    identity = make(tmp_path, "localhost")
    site = Site(
        tmp_path, b"# Hello\n", identity.certificate, identity.key, 4321, demands_certificates=True
    )
    program, option, *_, configuration = peer.configured(tmp_path / "program", site)
    assert program == tmp_path / "program"
    assert option in {"-c", "serve"}
    assert "4321" in configuration.read_text(encoding="utf-8")
    assert [each.read_bytes() for each in tmp_path.glob("**/page.gmi")] == [b"# Hello\n"]


def test_every_part_has_a_test() -> None:
    assert set(PARTS) == {"pages", "mix", "workers", "peers", "databases", "machines", "memory"}


def test_a_mix_has_moves_that_are_legal_for_all_who_make_them(tmp_path: Path) -> None:
    who = identities(tmp_path / "who", 3)
    with opened(tmp_path / "home") as home:
        mix = Mix(home, who, 20, Random(1))
        for _ in range(3):
            requests = mix.requests(40)
            moves = [request for request in requests if request.status == "30"]
            assert len(requests) == 40
            assert len(moves) == 2
            # They are made side by side.
            assert len({request.path.split("/")[2] for request in moves}) == 2
            assert all(request.identity in who for request in moves)
    assert {request.path for request in bare(requests)} == {"/"}
    assert [each.identity for each in bare(requests)] == [each.identity for each in requests]
    paths = {request.path for request in requests}
    assert "/play/" in paths
    assert paths & {f"/rules/{variant}" for variant in VARIANTS}


@pytest.mark.slow
def test_a_wrong_answer_ends_the_measurement(tmp_path: Path) -> None:
    with bare_hello(tmp_path) as server, Load(2) as load:
        with pytest.raises(WrongAnswer, match=r"hello: /: b'20 "):
            load.put(server, [Request("/"), Request("/", status="30")])
        assert load.put(server, [Request("/")] * 4).requests == 4


@pytest.mark.slow
def test_a_certificate_is_shown_where_one_is_asked_for(tmp_path: Path) -> None:
    identity = make(tmp_path, "alice")
    with bare_hello(tmp_path) as server, Load(1) as load:
        outcome = load.put(server, [Request("/", identity), Request("/", fresh=True)])
    assert len(outcome.taken) == 2


@pytest.mark.slow
def test_late_requests_count_from_when_they_should_have_begun(tmp_path: Path) -> None:
    with bare_hello(tmp_path) as server, Load(1) as load:
        load.put(server, [Request("/")])
        # One process is asked for more than it can do: each request is later than the last.
        outcome = load.put(server, [Request("/")] * 40, a_second=100_000)
        assert outcome.percentile(1) >= 0.9 * 1000 * outcome.seconds
        assert sum(outcome.taken) > outcome.seconds, "they overlap, though one process made them"
        steady = load.put(server, [Request("/")] * 4, a_second=20)
        assert steady.seconds >= 3 / 20


class Scripted(Load):
    """Finds a server's rates, one after the other, without a request; the first warms it up."""

    def __init__(self, **rates: Sequence[float]) -> None:
        super().__init__(0)
        self._rates = {name: iter([1.0, *each]) for name, each in rates.items()}
        self.order: list[str] = []

    def put(self, server: Server, requests: Sequence[Request], **_how: object) -> Outcome:
        self.order.append(server.name)
        seconds = len(requests) / next(self._rates[server.name])
        return Outcome(len(requests), seconds, seconds / 4, seconds / 2, [])


def test_two_servers_are_compared_by_their_rates_in_turn(tmp_path: Path) -> None:
    with subprocess.Popen(["true"]) as process:
        one, other = (
            Side(Server(name, 0, process), lambda: [Request("/")] * 20) for name in ("one", "other")
        )
    with Scripted(one=(40, 60, 20), other=(10, 20, 20)) as load:
        ratio = compare(load, 3, one, other)
    assert load.order == ["one", "other"] * 2 + ["other", "one", "one", "other"]
    assert (ratio.rate, ratio.of, ratio.ratio) == (40, 20, 3)
    # Milliseconds for a request: half of each round, and of the visitors a quarter.
    assert ratio.server_ms == pytest.approx((500 / 3 * (1 / 40 + 1 / 60 + 1 / 20), 500 / 3 * 0.2))
    assert ratio.visitors_ms == pytest.approx(tuple(each / 2 for each in ratio.server_ms))
    assert ratio.by_processor == pytest.approx(0.2 / (1 / 40 + 1 / 60 + 1 / 20))


@pytest.mark.slow
def test_a_server_is_compared_with_itself(tmp_path: Path) -> None:
    with bare_hello(tmp_path) as server, Load(2) as load:
        # Enough for the system to count the server's time, in hundredths of a second.
        side = Side(server, lambda: [Request("/")] * 100)
        ratio = compare(load, 1, side, side)
    assert all(each > 0 for each in (ratio.ratio, *ratio.server_ms, *ratio.visitors_ms))


def test_a_server_that_does_not_start_says_why() -> None:
    command = [sys.executable, "-c", "raise SystemExit('no certificate')"]
    says = pytest.raises(CannotStart, match="stone does not start: no certificate")
    with says, serving("stone", free_port(), command):
        pass


@pytest.mark.slow
def test_a_server_uses_what_its_processes_use() -> None:
    work = "import time\nuntil = time.process_time() + 0.3\nwhile time.process_time() < until: pass"
    code = f"import subprocess, sys\nsubprocess.run([sys.executable, '-c', {work!r}])\ninput()"
    with subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE) as process:
        server = Server("busy", 0, process)
        wait_until(lambda: server.processor() >= 0.3)
        assert server.memory() > 1
        process.communicate(b"\n")
