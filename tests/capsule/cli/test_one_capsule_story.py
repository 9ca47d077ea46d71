"""A home on SQLite has one capsule: another that starts there is refused, of whatever release."""

import fcntl
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest

from capsule.db.migrating import newest_revision
from capsule.processes import serving
from tests.support.operator import Operator
from tests.support.release.kept import FIRST
from tests.support.waiting import PATIENCE, wait_until

pytestmark = pytest.mark.sqlite

ROOT = Path(__file__).parents[3]
NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)

SUPERVISOR = """
import os, sys
from datetime import UTC, datetime
from pathlib import Path
from capsule.processes import serving

with serving.announced(Path(sys.argv[1]), datetime.now(UTC)):
    if os.fork():
        os._exit(0)
    print("still stopping", flush=True)
    sys.stdin.read()
"""
"""A process that dies at once, and one that it has forked, which lives until its input ends."""


@pytest.fixture(autouse=True)
def _short_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serving, "WAIT_SECONDS", 0.2)


@contextmanager
def locked(home: Path, kind: int) -> Iterator[int]:
    """Lock the note of a home as another process would."""
    descriptor = os.open(home / serving.FILE, os.O_RDWR | os.O_CREAT)
    try:
        fcntl.flock(descriptor, kind)
        yield descriptor
    finally:
        os.close(descriptor)


def refusal(operator: Operator) -> str:
    """Return the sentence with which `oxonaut serve` is refused on the database of 0.1.0."""
    # Its port is taken, too, so that it would not serve for ever if it were not refused.
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        sentence = operator.refusal(f"serve --host 127.0.0.1 --port {port}")
    revision = f"Revision: 0010; this version has {newest_revision()}"
    assert revision in operator.printed("status")
    return sentence


def test_a_second_capsule_is_refused_and_migrates_nothing(
    tmp_path: Path, operator: Operator
) -> None:
    FIRST.put_into(tmp_path)
    with serving.announced(tmp_path, NOW):
        assert refusal(operator) == (
            f"A capsule serves on {tmp_path} already, as process {os.getpid()}: stop it first"
        )
        assert f"Process {os.getpid()} has been serving" in operator.printed("status")
    assert "No capsule serves" in operator.printed("status")


def test_a_capsule_of_an_earlier_release_counts_too_which_shares_its_lock(
    tmp_path: Path, operator: Operator
) -> None:
    FIRST.put_into(tmp_path)
    with locked(tmp_path, fcntl.LOCK_SH) as descriptor:
        note = f'{{"process": {os.getppid()}, "since": "2026-11-20T14:02:00+00:00"}}'
        os.write(descriptor, note.encode())
        assert refusal(operator) == (
            f"A capsule serves on {tmp_path} already, as process {os.getppid()}: stop it first"
        )


def test_while_a_backup_is_being_restored_no_capsule_starts(
    tmp_path: Path, operator: Operator
) -> None:
    FIRST.put_into(tmp_path)
    with serving.prevented(tmp_path):
        assert refusal(operator) == (
            f"A capsule serves on {tmp_path} or is stopping there, or a backup is being restored: "
            "wait for its end, or stop it first"
        )


def test_a_look_by_status_keeps_no_capsule_from_starting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with locked(tmp_path, fcntl.LOCK_EX) as descriptor:
        monkeypatch.setattr(time, "sleep", lambda _: fcntl.flock(descriptor, fcntl.LOCK_UN))
        with serving.announced(tmp_path, NOW):
            assert serving.who_serves(tmp_path) == serving.Serving(os.getpid(), NOW)


@pytest.mark.slow
def test_no_capsule_starts_while_processes_of_one_that_was_killed_are_stopping(
    tmp_path: Path, operator: Operator
) -> None:
    FIRST.put_into(tmp_path)
    command = [sys.executable, "-c", SUPERVISOR, str(tmp_path)]
    with subprocess.Popen(
        command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as killed:
        assert killed.stdout is not None
        assert killed.stdin is not None
        assert killed.stdout.readline() == b"still stopping\n"
        assert killed.wait(PATIENCE) == 0
        assert "or is stopping there" in refusal(operator)
        killed.stdin.close()
    wait_until(lambda: serving.who_serves(tmp_path) is None)
