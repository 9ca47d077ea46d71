"""The service unit of the handbook: a capsule serves under its restrictions."""

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from ctypes.util import find_library
from pathlib import Path

import pytest

from tests.support.client import link
from tests.support.handbook import block
from tests.support.waiting import wait_until
from tests.support.wire.browser import Browser
from tests.support.wire.identities import make
from tests.support.wire.running import running, serving

pytestmark = pytest.mark.slow

ALONE_WRITABLE = 'mount --bind "$0" "$0" && mount -o remount,bind,ro / && exec "$@"'
"""Runs a command that can write to one folder alone, in a name space of mounts of its own."""


def confined(home: Path, unit: Path, command: Sequence[str]) -> list[str]:
    """Return the command that runs another one under a unit's restrictions."""
    if shutil.which("systemd-analyze") is None or find_library("seccomp") is None:
        pytest.skip("systemd or libseccomp is not installed")
    unshare = ["unshare", "--mount", "sh", "-c"]
    tried = subprocess.run([*unshare, "mount -o remount,bind,ro /"], check=False)
    if tried.returncode != 0:
        pytest.skip("only root can mount here")
    module = [sys.executable, "-m", "tests.support.wire.confined", str(unit)]
    return [*unshare, ALONE_WRITABLE, str(home), *module, *command]


def test_a_game_with_a_bot_is_played_under_the_restrictions_of_the_unit(tmp_path: Path) -> None:
    home, unit = tmp_path / "home", tmp_path / "oxonaut.service"
    home.mkdir()
    unit.write_text(block("ini", "[Unit]"), encoding="utf-8")
    with running(confined(home, unit, serving(home))) as server:
        alice = Browser(server, make(tmp_path, "alice"))
        url = alice.ask(link(alice.get("/play/new/ultimate"), "/bot-novice")).meta
        alice.move(url, "e5")
        wait_until(lambda: "Move 3 is yours" in alice.get(url))
        assert (home / "certs").stat().st_mode & 0o077 == 0
        assert not any(word in server.printed for word in ("Traceback", "ERROR", "WARNING"))


def test_what_the_unit_forbids_fails(tmp_path: Path) -> None:
    home, unit = tmp_path / "home", tmp_path / "oxonaut.service"
    home.mkdir()
    unit.write_text(block("ini", "[Unit]"), encoding="utf-8")
    forbidden = """
import os, socket, sys
def fails(call):
    try:
        call()
    except OSError as error:
        return error.strerror
print(fails(lambda: os.chown(sys.argv[1], 1, 1)))
print(fails(lambda: socket.socket(socket.AF_NETLINK, socket.SOCK_RAW)))
print(fails(lambda: open(sys.argv[2], "w")))
"""
    command = [sys.executable, "-c", forbidden, str(home), str(tmp_path / "elsewhere")]
    printed = subprocess.run(
        confined(home, unit, command), capture_output=True, text=True, check=True
    ).stdout
    assert printed.splitlines() == [os.strerror(1), os.strerror(1), "Read-only file system"]
