"""Disks, files and starts that fail: nothing is lost, and visitors learn why they are refused."""

import os
import resource
import sqlite3
import ssl
import subprocess
import time
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from random import Random

import pytest

from capsule.gemini.certificates import ensure_server_certificate
from tests.support.client import link
from tests.support.disks import limited_disk
from tests.support.release.kept import FIRST
from tests.support.waiting import PATIENCE, wait_until
from tests.support.wire.identities import Identity, make
from tests.support.wire.mortal import UNCLOSED, MortalCapsule

pytestmark = UNCLOSED

MOVES = ("d7", "c3", "h8", "e4", "e2", "e6", "e7", "d3", "a9", "b7", "e3", "e9", "f7", "i3")
"""The first moves of a game of ultimate."""


def page(capsule: MortalCapsule, path: str, who: Identity) -> str:
    reply = capsule.ask(path, who)
    assert reply.status == 20, reply
    return reply.body


def started(capsule: MortalCapsule, who: Identity) -> str:
    """Return the address of a new game that somebody plays alone."""
    reply = capsule.ask(link(page(capsule, "/play/new/ultimate", who), "/solo"), who)
    assert reply.status == 30, reply
    return reply.meta


def move(capsule: MortalCapsule, url: str, move_: str, who: Identity) -> int:
    """Return the status of the answer to a move."""
    return capsule.ask(f"{link(page(capsule, url, who), '/move')}?{move_}", who).status


@pytest.mark.slow
def test_files_that_cannot_grow_refuse_moves_and_lose_nothing(tmp_path: Path) -> None:
    """As on a full disk, but without one, which takes privileges: the system limits files."""
    alice = make(tmp_path, "alice")
    with MortalCapsule(tmp_path / "home") as capsule:
        capsule.start()
        url = started(capsule, alice)
        assert move(capsule, url, MOVES[0], alice) == 30
        assert capsule.process is not None
        size = (tmp_path / "home" / "oxonaut.db-wal").stat().st_size
        resource.prlimit(capsule.process.pid, resource.RLIMIT_FSIZE, (size, size))
        refused = [move(capsule, url, MOVES[1], alice) for _ in range(3)]
        assert set(refused) <= {41, 44}, refused
        assert list(capsule.record(url)) == [MOVES[0]]
        # The first refusal says why, and the others not again.
        assert capsule.printed.count("Nothing can be stored since ") == 1
        assert "UTC: disk I/O error. Writes that failed: 1\n" in capsule.printed
        assert "Traceback" not in capsule.printed
        assert "\nNothing can be stored since " in capsule.ask("/health").body
        capsule.kill()
        capsule.start()
        assert list(capsule.record(url)) == [MOVES[0]]
        assert move(capsule, url, MOVES[1], alice) == 30


@pytest.mark.slow
def test_a_database_that_became_read_only_is_still_read(tmp_path: Path) -> None:
    alice = make(tmp_path, "alice")
    with (
        limited_disk(tmp_path / "disk", 16) as disk,
        MortalCapsule(disk / "home", output=tmp_path / "output") as capsule,
    ):
        capsule.start()
        url = started(capsule, alice)
        assert move(capsule, url, MOVES[0], alice) == 30
        prompt = link(page(capsule, url, alice), "/move")
        # As a file system that the kernel takes for damaged: what is open cannot be written to.
        assert capsule.process is not None
        resource.prlimit(capsule.process.pid, resource.RLIMIT_FSIZE, (0, 0))
        assert capsule.ask(f"{prompt}?{MOVES[1]}", alice).status in {41, 44}
        assert capsule.ask(url, alice).status == 20
        capsule.kill()
        subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)
        # Started again, it serves what is there to those who only read.
        capsule.start()
        assert capsule.ask(url).status == 20
        assert capsule.ask(f"{prompt}?{MOVES[1]}", alice).status == 41
        capsule.kill()
        subprocess.run(["mount", "-o", "remount,rw", str(disk)], check=True)
        capsule.start()
        assert list(capsule.record(url)) == [MOVES[0]]
        assert move(capsule, url, MOVES[1], alice) == 30


@pytest.mark.slow
@pytest.mark.parametrize(
    "is_old",
    [
        pytest.param(True, id="one of 0.1.0"),
        pytest.param(False, id="a new database", marks=pytest.mark.deep),
    ],
)
def test_a_migration_that_is_killed_is_made_at_the_next_start(
    tmp_path: Path, *, is_old: bool
) -> None:
    rng = Random(4)
    for attempt in range(2):
        home = tmp_path / f"home-{attempt}"
        home.mkdir()
        database = home / "oxonaut.db"
        if is_old:
            FIRST.put_into(home)
            with closing(sqlite3.connect(database)) as connection:
                games = set(connection.execute("SELECT id FROM games"))
        with MortalCapsule(home) as capsule:
            capsule.start(wait=False)
            wait_until((home / "oxonaut.db-wal").exists)
            time.sleep(rng.uniform(0, 0.4))
            capsule.kill()
            capsule.start()
            assert capsule.ask("/games/").status == 20
            capsule.stop()
            assert "Traceback" not in capsule.printed
        if is_old:
            with closing(sqlite3.connect(database)) as connection:
                # The sweeper may have begun one of everyone's.
                assert games <= set(connection.execute("SELECT id FROM games"))


@pytest.mark.deep
@pytest.mark.parametrize(
    ("options", "why"),
    [
        (
            None,
            "oxonaut: The database is not migrated, since no copy of it can be made beside it: ",
        ),
        ("remount,ro", "oxonaut: Nothing can be stored: "),
    ],
    ids=["a full disk", "a disk that is only read"],
)
def test_without_a_disk_to_write_to_an_old_database_is_left_as_it_is(
    tmp_path: Path, options: str | None, why: str
) -> None:
    with (
        limited_disk(tmp_path / "disk", 16) as disk,
        MortalCapsule(disk / "home", output=tmp_path / "output") as capsule,
    ):
        capsule.home.mkdir()
        FIRST.put_into(capsule.home)
        database = capsule.home / "oxonaut.db"
        with closing(sqlite3.connect(database)) as connection:
            before = [*connection.iterdump()]
        ensure_server_certificate(capsule.home / "certs", "localhost", datetime.now(UTC))
        ballast = disk / "ballast"
        # Half of a copy has room.
        room = database.stat().st_size // 2
        ballast.write_bytes(bytes(os.statvfs(disk).f_bavail * os.statvfs(disk).f_bsize - room))
        if options:
            subprocess.run(["mount", "-o", options, str(disk)], check=True)
        capsule.start(wait=False)
        assert capsule.process is not None
        assert capsule.process.wait(PATIENCE) == 1
        output = capsule.printed_in_this_life
        assert output.startswith(why)
        assert output.count("\n") == 1, output
        if options:
            subprocess.run(["mount", "-o", "remount,rw", str(disk)], check=True)
        with closing(sqlite3.connect(database)) as connection:
            assert [*connection.iterdump()] == before
        assert not [*capsule.home.glob("*before-*")]
        ballast.unlink()
        capsule.start()
        assert "The database is migrated" in capsule.printed_in_this_life


@pytest.mark.slow
def test_a_first_start_that_is_killed_anywhere_leaves_a_pair_that_fits(tmp_path: Path) -> None:
    rng = Random(5)
    moments = sorted(rng.uniform(0, 0.5) for _ in range(3))
    for number, moment in enumerate(moments):
        with MortalCapsule(tmp_path / f"home-{number}") as capsule:
            capsule.start(wait=False)
            time.sleep(moment)
            capsule.kill()
            certificate = capsule.home / "certs" / "cert.pem"
            before = certificate.read_text() if certificate.exists() else None
            capsule.start()
            served = ssl.get_server_certificate(capsule.address)
            assert before is None or served.split() == before.split()
            capsule.stop()


@pytest.mark.slow
def test_leftovers_are_no_obstacle_and_a_half_written_certificate_is_reported_in_one_line(
    tmp_path: Path,
) -> None:
    folder = tmp_path / "home" / "certs"
    folder.mkdir(parents=True)
    (folder / ".key.pem.abcdefgh").write_bytes(b"-----BEGIN PRIV")
    (folder / ".cert.pem.abcdefgh").write_bytes(b"")
    with MortalCapsule(tmp_path / "home") as capsule:
        capsule.start()
        assert capsule.ask("/").status == 20
        capsule.stop()
        for name, share in (("cert.pem", 0.5), ("key.pem", 0)):
            whole = (folder / name).read_bytes()
            (folder / name).write_bytes(whole[: int(share * len(whole))])
            capsule.start(wait=False)
            assert capsule.process is not None
            assert capsule.process.wait(PATIENCE) == 1
            output = capsule.printed_in_this_life
            assert output.startswith("oxonaut: ")
            assert output.count("\n") == 1, output
            assert name in output
            (folder / name).write_bytes(whole)
