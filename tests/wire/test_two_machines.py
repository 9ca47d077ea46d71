"""Two capsules with one PostgreSQL behind haproxy, as on several machines, and what may fail."""

import shutil
import subprocess
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from random import Random

import pytest

from capsule.__main__ import main
from capsule.db.changes import RECENT
from capsule.db.database import PATIENCE as PATIENCE_OF_READS
from capsule.gemini.certificates import ensure_server_certificate
from tests.support import postgresql
from tests.support.postgresql import Server
from tests.support.waiting import wait_until
from tests.support.wire.balancer import balancing, needed_program, recipe
from tests.support.wire.identities import Identity, make
from tests.support.wire.mortal import (
    ALTERNATING,
    UNCLOSED,
    Entrance,
    MortalCapsule,
    Visitor,
    faults,
    free_address,
    played_by,
    require_nothing_lost,
)

pytestmark = UNCLOSED


PAUSE = 2.0
"""Seconds until somebody whose request failed tries again."""

DATABASE = "shared"


@dataclass(frozen=True)
class Site:
    """The entrance that visitors know, and what is behind it."""

    entrance: Entrance
    capsules: Sequence[MortalCapsule]
    database: Server

    @property
    def database_url(self) -> str:
        return self.database.url(DATABASE)


@pytest.fixture(scope="module")
def database() -> Iterator[Server]:
    needed_program()
    with postgresql.lent_server() as made:
        made.make_bare(DATABASE)
        yield made


@contextmanager
def open_site(folder: Path, database: Server) -> Iterator[Site]:
    """Open two capsules at once, on a database without tables, each with a home of its own."""
    address = free_address()
    settings = ["--proxy-protocol", "--public-port", str(address[1])]
    settings += ["--database", database.url(DATABASE)]
    capsules = [MortalCapsule(folder / name, *settings) for name in ("first", "second")]
    certificates = folder / "first" / "certs"
    certificates.parent.mkdir()
    ensure_server_certificate(certificates, "localhost", datetime.now(UTC))
    shutil.copytree(certificates, folder / "second" / "certs")
    with ExitStack() as stack:
        for capsule in capsules:
            stack.enter_context(capsule).start(wait=False)
        for capsule in capsules:
            capsule.wait_until_it_listens()
        stack.enter_context(balancing(folder, address, [each.address for each in capsules]))
        yield Site(Entrance(address), capsules, database)


def visitors_of(site: Site, folder: Path, rng: Random) -> Sequence[Visitor]:
    """Return two people who play bots, and two pairs who play each other."""
    names = ("alice", "bob", "carol", "dave", "erin", "frank")
    alice, bob, carol, dave, erin, frank = (make(folder, name) for name in names)
    return [
        Visitor(site.entrance, players, Random(rng.random()), ALTERNATING, pause=PAUSE)
        for players in ([alice], [bob], [carol, dave], [erin, frank])
    ]


def let_everybody_move(visitors: Sequence[Visitor], times: int) -> None:
    """Wait until each of the visitors has made that many more moves."""
    enough = [visitor.moves + times for visitor in visitors]
    wait_until(
        lambda: (
            faults(visitors)
            or all(visitor.moves >= least for visitor, least in zip(visitors, enough, strict=True))
        )
    )
    assert not faults(visitors)


@contextmanager
def one_failure_each(visitors: Sequence[Visitor], what: str, report: list[str]) -> Iterator[None]:
    """Require that a fault costs nobody more than one request, and that everybody gets on.

    A visitor who comes back while it lasts may meet it again: it is over with the end of the block.
    """
    before = [visitor.unanswered for visitor in visitors]
    begun = time.monotonic()
    yield
    lasted = time.monotonic() - begun
    let_everybody_move(visitors, 1)
    failures = [visitor.unanswered - were for visitor, were in zip(visitors, before, strict=True)]
    report.append(f"{what}: failed requests by player {failures}")
    assert max(failures) <= 1 + lasted // PAUSE, report


def let_answer(capsule: MortalCapsule) -> None:
    """Wait until the balancer passes visitors on to a capsule."""
    wait_until(lambda: " 20 /" in capsule.printed_in_this_life)


def has_no_turns(capsule: MortalCapsule) -> bool:
    """Return whether the bots of a capsule have looked for their turns without the database."""
    return "Bots' turns could not be read: The database" in capsule.printed


def wait_until_back(site: Site) -> None:
    """Wait until each of the capsules, which take turns, has its database again."""
    wait_until(lambda: {site.entrance.ask("/").status for _ in range(6)} == {20})


def require_that_pages_say_so(site: Site, visitors: Sequence[Visitor], report: list[str]) -> None:
    """Ask for pages while the database is away, as visitors and as players do."""
    url, who = visitors[0].tables[-1].url, visitors[0].players[0]
    time.sleep(RECENT.total_seconds())
    seconds: list[float] = []
    for path, identity in (("/", None), (url, None), (url, who), ("/play/", who)) * 5:
        begun = time.monotonic()
        reply = site.entrance.ask(path, identity)
        seconds.append(time.monotonic() - begun)
        assert (reply.status, reply.closed_cleanly) == (41, True), (path, reply)
    assert site.entrance.ask("/rules/tinc").status == 20
    assert sum(seconds) / len(seconds) < 1
    report.append(f"answers of 41 while the database is away: {max(seconds):.3f} s at most")


def require_that_nobody_waits(site: Site, visitors: Sequence[Visitor], report: list[str]) -> None:
    """Ask while the database is silent: some for what needs it, others for what does not."""
    url, who = visitors[0].tables[-1].url, visitors[0].players[0]

    def seconds_for(path: str, identity: Identity | None, status: int) -> float:
        begun = time.monotonic()
        reply = site.entrance.ask(path, identity)
        assert (reply.status, reply.closed_cleanly) == (status, True), (path, reply)
        return time.monotonic() - begun

    time.sleep(RECENT.total_seconds())
    asked = [(url, None, 41), (url, who, 41), ("/play/", who, 41), ("/games/", None, 41)]
    with ThreadPoolExecutor(len(asked)) as threads:
        waiting = [threads.submit(seconds_for, *each) for each in asked * 2]
        at_once = max(seconds_for("/favicon.txt", None, 20) for _ in range(6))
        assert at_once < PATIENCE_OF_READS
        assert max(each.result() for each in waiting) < 2 * PATIENCE_OF_READS
    # The balancer still passes visitors on to both, which know what is the matter.
    time.sleep(5)
    for _ in range(4):
        assert "The database does not answer" in site.entrance.ask("/health").body
    assert not any("/health" in capsule.printed for capsule in site.capsules)
    known = [seconds_for(*each) for each in asked * 2]
    assert sum(known) / len(known) < 1
    report.append(f"database silent: 20 in {at_once:.3f} s, then 41 in {max(known):.3f} s at most")


def test_the_balancer_takes_its_configuration_as_it_stands_in_readme(tmp_path: Path) -> None:
    haproxy = needed_program()
    file = tmp_path / "haproxy.cfg"
    file.write_text(recipe(), encoding="utf-8")
    checked = subprocess.run(
        [haproxy, "-c", "-f", str(file)], capture_output=True, text=True, check=False
    )
    assert checked.returncode == 0, checked.stderr
    assert "WARNING" not in checked.stderr


@pytest.mark.deep
def test_nothing_is_lost_with_a_capsule_that_dies_or_a_database_that_restarts(
    tmp_path: Path, database: Server, capsys: pytest.CaptureFixture[str]
) -> None:
    rng = Random(10)
    report: list[str] = []
    with open_site(tmp_path, database) as site:
        # The balancer looks every two seconds whether they are there, and they take no notice.
        time.sleep(2.5)
        for capsule in site.capsules:
            assert capsule.printed.endswith("Press Ctrl-C to stop.\n")
        visitors = visitors_of(site, tmp_path, rng)
        with played_by(visitors):
            let_everybody_move(visitors, 2)
            for capsule in site.capsules:
                with one_failure_each(visitors, f"{capsule.home.name} capsule killed", report):
                    capsule.kill()
                capsule.start()
                let_answer(capsule)
            with one_failure_each(visitors, "database restarted", report):
                database.stop()
                database.start()
                wait_until_back(site)
            with one_failure_each(visitors, "database silent", report), database.silenced():
                require_that_nobody_waits(site, visitors, report)
            wait_until_back(site)
            with one_failure_each(visitors, "database away", report):
                database.stop()
                require_that_pages_say_so(site, visitors, report)
                wait_until(lambda: all(map(has_no_turns, site.capsules)))
                database.start()
                wait_until_back(site)
        require_nothing_lost(site.entrance, visitors)
        assert main(["check", "--database", site.database_url]) == 0
        for capsule in site.capsules:
            assert has_no_turns(capsule)
            assert "Traceback" not in capsule.printed
    moves = sum(visitor.moves for visitor in visitors)
    with capsys.disabled():
        print("", f"{moves} answered moves, all there", *report, sep="\n")
