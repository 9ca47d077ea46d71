"""`oxonaut play` against a capsule that is served: anybody's bots, restarts, and other servers."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from capsule.__main__ import main
from tests.support.wire.running import Running, running, serving

BOTS = '''
class Course:
    """A bot of the course."""

    def move(self, board, old_move, flag):
        return board.find_valid_move_cells(old_move)[0]
'''

PATIENCE = 240
"""Seconds for a whole game, on a busy machine."""


@contextmanager
def playing(server: Running, folder: Path, *arguments: str) -> Iterator[subprocess.Popen[str]]:
    """Run a bot that plays at a server until the test needs it no longer."""
    address = f"{server.home}/"
    where = ["play", address, "--folder", str(folder)]
    path = os.pathsep.join([str(folder.parent), os.environ.get("PYTHONPATH", "")])
    with subprocess.Popen(
        [sys.executable, "-m", "capsule", *where, *arguments],
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": path},
    ) as process:
        try:
            yield process
        finally:
            process.terminate()
            process.communicate(timeout=PATIENCE)


@pytest.fixture
def own_signals() -> Iterator[None]:
    """Keep what a command in this process does with SIGTERM from the tests after it."""
    before = signal.getsignal(signal.SIGTERM)
    yield
    signal.signal(signal.SIGTERM, before)


def wait_until(come: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not come():
        assert time.monotonic() < deadline
        time.sleep(0.1)


@pytest.mark.slow
def test_a_bot_of_the_course_plays_a_level_and_both_outlive_a_restart(tmp_path: Path) -> None:
    (tmp_path / "course_bots.py").write_text(BOTS)
    home, log = tmp_path / "home", tmp_path / "b" / "log.txt"

    def moves() -> int:
        return log.read_text().count(" against ") if log.exists() else 0

    level = ("--level", "novice", "--variant", "extreme", "--seconds", "0.02", "--join")
    with ExitStack() as programs:
        with running(serving(home)) as server:
            programs.enter_context(
                playing(server, tmp_path / "a", "--as", "course_bots:Course", "--offer")
            )
            programs.enter_context(playing(server, tmp_path / "b", *level))
            wait_until(lambda: moves() >= 3)
        before = moves()
        wait_until(lambda: "no answer" in log.read_text())
        with running(serving(home, server.address[1])):
            wait_until(lambda: moves() >= before + 3)


@pytest.mark.deep
def test_another_server_at_the_same_address_is_not_trusted(tmp_path: Path) -> None:
    robot = tmp_path / "robot"
    with running(serving(tmp_path / "one")) as server, playing(server, robot) as first:
        wait_until((robot / "servers.json").exists)
    assert first.returncode == 0
    with (
        running(serving(tmp_path / "two", server.address[1])) as other,
        playing(other, robot) as second,
    ):
        _, output = second.communicate(timeout=PATIENCE)
    assert second.returncode == 1
    assert "shows another certificate than at first" in output


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["--as", "nowhere:Bot", "--variant", "tinc"], "cannot be loaded"),
        (["--certificate", "missing.pem"], "missing.pem"),
        (["--level", "club-plus", "--variant", "tinc"], "There is no level club-plus"),
    ],
)
@pytest.mark.usefixtures("own_signals")
def test_what_cannot_play_is_refused_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], expected: str
) -> None:
    assert main(["play", "gemini://localhost/", "--folder", str(tmp_path), *arguments]) != 0
    errors = capsys.readouterr().err
    assert expected in errors
    assert len(errors.splitlines()) == 1


@pytest.mark.parametrize(
    "arguments",
    [
        ["--seconds", "nan"],
        ["--seconds", "-1"],
        ["--at-once", "-3"],
        ["--games", "0"],
        ["--name", "r" * 65],
    ],
)
def test_what_cannot_be_meant_is_refused_before_anything_is_played(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: list[str]
) -> None:
    folder = tmp_path / "robot"
    with pytest.raises(SystemExit) as ended:
        main(["play", "gemini://localhost/", "--folder", str(folder), *arguments])
    assert ended.value.code == 2
    assert f"error: argument {arguments[0]}: " in capsys.readouterr().err
    assert not folder.exists()
