"""The file of the database is replaced or removed while people play, and nothing is lost."""

import os
import shutil
import signal
import sqlite3
import stat
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from capsule.__main__ import main
from capsule.db import backup
from tests.support.client import link
from tests.support.quick_database import put_empty_database
from tests.support.waiting import PATIENCE, wait_until
from tests.support.wire.browser import Browser, start_between, start_with_master
from tests.support.wire.connection import connect
from tests.support.wire.identities import make
from tests.support.wire.mail_relay import mail_relay
from tests.support.wire.mortal import (
    ALTERNATING,
    UNCLOSED,
    MortalCapsule,
    Visitor,
    faults,
    played_by,
    require_nothing_lost,
)
from tests.support.wire.processes import children, runs
from tests.support.wire.running import Running

pytestmark = [pytest.mark.slow, UNCLOSED]

AT_MOST_SECONDS = 10
"""Seconds after which no process of the capsule is left."""


def move_onto(database: Path, new: Path) -> None:
    new.rename(database)


def move_away_and_another_in(database: Path, new: Path) -> None:
    database.rename(database.with_name("away.db"))
    new.rename(database)


def move_all_away_and_another_in(database: Path, new: Path) -> None:
    folder = database.with_name("away")
    folder.mkdir()
    for part in sorted(database.parent.glob(f"{database.name}*")):
        part.rename(folder / part.name)
    new.rename(database)


def remove(database: Path, new: Path) -> None:
    new.unlink()
    database.unlink()


def synchronise(database: Path, new: Path) -> None:
    """Do what rsync does: write beside the file, and give that its name."""
    temporary = database.with_name(f".{database.name}.Xy1z2A")
    shutil.copy(new, temporary)
    temporary.rename(database)
    new.unlink()


WAYS = (move_onto, move_away_and_another_in, move_all_away_and_another_in, remove, synchronise)


def home_in(folder: Path) -> Path:
    """Return a home folder with a new database."""
    put_empty_database(folder / "home" / "oxonaut.db")
    return folder / "home"


def copy_in(home: Path) -> Path:
    """Return the only copy of a displaced database."""
    (copy,) = home.glob("oxonaut.db.displaced-*")
    return copy


def rows(database: Path) -> list[str]:
    """Return all that is in the tables of a database."""
    with closing(sqlite3.connect(database)) as connection:
        return list(connection.iterdump())


def end(capsule: MortalCapsule, since: float) -> None:
    """Wait for the end of a capsule whose database is displaced, which must come in time."""
    assert capsule.process is not None
    processes = children(capsule.process.pid)
    assert capsule.process.wait(PATIENCE) == os.EX_CONFIG, capsule.printed
    assert time.monotonic() - since < AT_MOST_SECONDS
    for process in processes:
        with pytest.raises(ProcessLookupError):
            os.kill(process, 0)


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize(
    "displace",
    [
        pytest.param(way, id=way.__name__, marks=[] if way in WAYS[:1] else pytest.mark.deep)
        for way in WAYS
    ],
)
def test_every_accepted_move_is_in_the_copy_and_both_files_are_sound(
    tmp_path: Path,
    workers: int,
    displace: Callable[[Path, Path], None],
    capsys: pytest.CaptureFixture[str],
) -> None:
    home, new = home_in(tmp_path), tmp_path / "home" / "new.db"
    rng = Random(workers)
    with MortalCapsule(home, "--workers", str(workers)) as capsule:
        capsule.start()
        visitors = [
            Visitor(
                capsule, [make(tmp_path, f"{kind}{number}") for kind in kinds], rng, ALTERNATING
            )
            for kinds in (("alone",), ("x", "o"))
            for number in range(4)
        ]

        def moves() -> int:
            return sum(visitor.moves for visitor in visitors)

        with played_by(visitors):
            wait_until(lambda: faults(visitors) or moves() >= 20)
            backup.back_up(home / "oxonaut.db", new)
            before = rows(new)
            backed_up = moves()
            wait_until(lambda: faults(visitors) or moves() >= backed_up + 20)
            displaced, since = moves(), time.monotonic()
            displace(home / "oxonaut.db", new)
            end(capsule, since)
            seconds = time.monotonic() - since
        printed = capsule.printed
    copy = copy_in(home)
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    sentence = (
        f"oxonaut: {home}/oxonaut.db was replaced or removed while the capsule served. All that "
        f"was stored until then is in {copy}\n"
    )
    assert printed.count(sentence) == 1, printed
    assert "Traceback" not in printed
    assert "is replaced" not in printed
    if (home / "oxonaut.db").exists():
        assert rows(home / "oxonaut.db") == before
        assert main(["check", "--home", str(home)]) == 0
    assert main(["check", f"--database=sqlite:///{copy}"]) == 0
    restored = tmp_path / "restored"
    assert main(["restore", str(copy), "--home", str(restored)]) == 0
    with MortalCapsule(restored) as capsule:
        capsule.start()
        require_nothing_lost(capsule, visitors)
        capsule.stop()
    with capsys.disabled():
        print(
            f"\n{displace.__name__}, workers: {workers}: {moves()} accepted moves, of which "
            f"{moves() - displaced} after the file was displaced, all in the copy; ended after "
            f"{seconds:.1f} s"
        )


@pytest.mark.parametrize("workers", [2, pytest.param(1, marks=pytest.mark.deep)])
def test_it_ends_in_time_while_live_pages_are_open_bots_think_and_a_relay_is_silent(
    tmp_path: Path, workers: int, capsys: pytest.CaptureFixture[str]
) -> None:
    with mail_relay() as relay:
        relay.gate.clear()
        environment = {
            "OXONAUT_MAIL": f"smtp://127.0.0.1:{relay.port}",
            "OXONAUT_MAIL_FROM": "Oxonaut <oxonaut@example.org>",
        }
        home = home_in(tmp_path)
        with MortalCapsule(home, "--workers", str(workers), environment=environment) as capsule:
            capsule.start()
            assert capsule.process is not None
            server = Running(capsule.address, capsule.process, capsule.output)
            people = [make(tmp_path, name) for name in ("alice", "bob")]
            alice, bob = (Browser(server, who) for who in people)
            asked = link(alice.get("/play/me/mail"), "/address")
            assert alice.ask(f"{asked}?alice@example.org").status == 30
            # The successor of the mailer looks for letters at once.
            os.kill(children(capsule.process.pid)[-2], signal.SIGKILL)
            wait_until(lambda: relay.connections)
            watched = start_between(alice, bob, "ultimate")
            prompt = link(bob.get(start_with_master(bob)), "/move")
            with connect(capsule.address) as reader, connect(capsule.address, people[1]) as player:
                origin = f"gemini://localhost:{capsule.address[1]}"
                reader.sendall(f"{origin}{watched}/live\r\n".encode())
                assert reader.recv(1024).startswith(b"20 ")
                # The answer waits a little for the bot's reply.
                player.sendall(f"{origin}{prompt}?i7\r\n".encode())
                since = time.monotonic()
                (home / "oxonaut.db").unlink()
                end(capsule, since)
                seconds = time.monotonic() - since
    assert main(["check", f"--database=sqlite:///{copy_in(home)}"]) == 0
    with capsys.disabled():
        print(f"\nWorkers: {workers}: ended after {seconds:.1f} s")


@pytest.mark.parametrize("workers", [1, pytest.param(2, marks=pytest.mark.deep)])
def test_if_all_processes_are_killed_before_they_notice_the_next_start_moves_the_log_aside(
    tmp_path: Path, workers: int
) -> None:
    home, new = home_in(tmp_path), tmp_path / "home" / "new.db"
    database, away = home / "oxonaut.db", home / "away.db"
    with MortalCapsule(home, "--workers", str(workers)) as capsule:
        capsule.start()
        backup.back_up(database, new)
        alice = make(tmp_path, "alice")
        page = capsule.ask("/play/new/tinc", alice).body
        game = capsule.ask(link(page, "/solo"), alice)
        assert game.status == 30
        assert capsule.process is not None
        processes = [*children(capsule.process.pid), capsule.process.pid]
        for process in processes:
            os.kill(process, signal.SIGSTOP)
        database.rename(away)
        new.rename(database)
        for process in processes:
            os.kill(process, signal.SIGKILL)
        capsule.kill()
        wait_until(lambda: not any(map(runs, processes)))
        log = (home / "oxonaut.db-wal").read_bytes()
        assert main(["check", "--home", str(home)]) == 1
        capsule.start()
        (aside,) = home.glob("oxonaut.db-wal.displaced-*")
        assert f"{aside} has the latest moves" in capsule.printed_in_this_life
        assert aside.read_bytes() == log
        assert capsule.ask(game.meta).status == 51
        capsule.stop()
        assert main(["check", "--home", str(home)]) == 0
        # As the handbook says, it makes the other file whole.
        aside.rename(home / "away.db-wal")
        away.rename(database)
        (home / "away.db-wal").rename(home / "oxonaut.db-wal")
        capsule.start()
        assert capsule.ask(game.meta).status == 20
        capsule.stop()
    assert main(["check", "--home", str(home)]) == 0
