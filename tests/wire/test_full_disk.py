"""A capsule whose disk is full: whoever asks learns it, and it goes on by itself."""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from urllib.request import urlopen

import pytest

from capsule.__main__ import main
from tests.support.client import link
from tests.support.disks import fill, limited_disk
from tests.support.waiting import PATIENCE, wait_until
from tests.support.wire.balancer import balancing, further_check, needed_program
from tests.support.wire.identities import Identity, make
from tests.support.wire.mortal import UNCLOSED, Entrance, MortalCapsule, free_address

pytestmark = [pytest.mark.slow, UNCLOSED]

OUTAGE = "\nNothing can be stored since "


@contextmanager
def full(disk: Path) -> Iterator[None]:
    """Fill the disk of a capsule during the block, in which no room is made by emptying logs."""
    with closing(sqlite3.connect(disk / "home" / "oxonaut.db")) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM games").fetchall()
        ballast = fill(disk)
        try:
            yield
        finally:
            ballast.unlink()


def start_game(capsule: Entrance, who: Identity) -> int:
    """Return the status of the answer to somebody who starts a game."""
    page = capsule.ask("/play/new/ultimate", who).body
    return capsule.ask(link(page, "/solo"), who).status


@pytest.mark.parametrize("workers", ["3", pytest.param("1", marks=pytest.mark.deep)])
def test_every_process_the_log_and_the_status_say_so_until_it_goes_on_by_itself(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], workers: str
) -> None:
    alice = make(tmp_path, "alice")

    def outage() -> dict[str, str] | None:
        capsys.readouterr()
        assert main(["status", "--home", str(tmp_path / "disk" / "home"), "--json"]) == 0
        found: dict[str, str] | None = json.loads(capsys.readouterr().out)["storage_outage"]
        return found

    port = free_address()[1]
    settings = ["--workers", workers, "--metrics-port", str(port)]
    with (
        limited_disk(tmp_path / "disk", 16) as disk,
        MortalCapsule(disk / "home", *settings, output=tmp_path / "output") as capsule,
    ):
        capsule.start()
        assert start_game(capsule, alice) == 30
        assert OUTAGE not in capsule.ask("/health").body
        with full(disk):
            assert start_game(capsule, alice) == 41
            # Whichever worker answers.
            assert all(OUTAGE in capsule.ask("/health").body for _ in range(10))
            wait_until(outage)
            found = outage()
            assert found is not None
            assert found["reason"] == "database or disk is full"
            wait_until(lambda: "disk is full. Writes that failed: 1\n" in capsule.printed)
            assert capsule.printed.count("Nothing can be stored") == 1
            with urlopen(f"http://127.0.0.1:{port}/metrics", timeout=PATIENCE) as answer:
                assert b"\noxonaut_storage_up 0.0\n" in answer.read()
        # Nobody stores anything but the process that tries to.
        wait_until(lambda: OUTAGE not in capsule.ask("/health").body)
        wait_until(lambda: "Storing again after " in capsule.printed)
        wait_until(lambda: outage() is None)
        assert start_game(capsule, alice) == 30
        capsule.stop()
        assert "Traceback" not in capsule.printed


@pytest.mark.deep
def test_the_balancer_can_be_told_to_leave_it_out(tmp_path: Path) -> None:
    needed_program()
    alice = make(tmp_path, "alice")
    address = free_address()
    settings = ["--proxy-protocol", "--public-port", str(address[1])]
    entrance = Entrance(address)
    with (
        limited_disk(tmp_path / "disk", 16) as disk,
        MortalCapsule(disk / "home", *settings, output=tmp_path / "output") as capsule,
    ):
        capsule.start()
        with balancing(tmp_path, address, [capsule.address], further_check()):
            wait_until(lambda: entrance.ask("/").status == 20)
            assert start_game(entrance, alice) == 30
            with full(disk):
                assert start_game(entrance, alice) == 41
                wait_until(lambda: entrance.ask("/").status == 0)
            wait_until(lambda: entrance.ask("/").status == 20)
            assert start_game(entrance, alice) == 30
