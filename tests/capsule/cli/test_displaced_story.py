"""Commands on a database whose file was replaced beneath a capsule that serves."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from capsule.__main__ import main
from capsule.cli import serving
from capsule.db.backup import back_up
from capsule.db.opened_file import OpenedFile
from tests.support.client import BEGINNING, Client
from tests.support.stories import start

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

pytestmark = pytest.mark.sqlite

COMMANDS = (
    ["check"],
    ["status"],
    ["status", "--json"],
    ["backup", "copy.db"],
    ["backup", "copies/", "--keep", "3"],
    ["ratings"],
    ["ratings", "--check"],
    ["explorer", "rebuild"],
    ["admin", "reports"],
    ["admin", "news", "Hello"],
    ["serve", "--port", "0"],
)


def refusal(
    home: Path, command: Sequence[str], capsys: pytest.CaptureFixture[str]
) -> tuple[int, str]:
    """Return the status of a command, and the only line that it printed."""
    capsys.readouterr()
    status = main([*command, "--home", str(home)])
    printed, errors = capsys.readouterr()
    assert printed == ""
    assert errors.count("\n") == 1
    return status, errors


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_no_command_opens_a_file_that_a_capsule_that_serves_has_not_opened(
    client: Client,
    command: Sequence[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    path = client.home / "oxonaut.db"
    start(client, "tinc", "open")
    back_up(path, tmp_path / "new.db")
    with serving.noted(client.home, BEGINNING) as note:
        note.put_file(OpenedFile.at(path))
        if command[0] != "serve":
            assert main([*command, "--home", str(client.home)]) == 0
        (tmp_path / "new.db").rename(path)
        before, log = path.read_bytes(), path.with_name("oxonaut.db-wal").read_bytes()
        status, line = refusal(client.home, command, capsys)
        assert status == 1
        # There is one capsule a home, whatever it has opened.
        reason = (
            f"A capsule serves on {client.home} already" if command[0] == "serve" else str(path)
        )
        assert line.startswith(f"oxonaut: {reason}")
        assert ("was replaced or removed" in line) == (command[0] != "serve")
        assert path.read_bytes() == before
        assert path.with_name("oxonaut.db-wal").read_bytes() == log


def test_a_command_on_another_database_is_not_refused(
    client: Client, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = client.home / "oxonaut.db"
    back_up(path, tmp_path / "copy.db")
    with serving.noted(client.home, BEGINNING) as note:
        note.put_file(OpenedFile.at(path))
        path.unlink()
        where = ["--home", str(client.home), f"--database=sqlite:///{tmp_path}/copy.db"]
        assert main(["check", *where]) == 0
    assert "fit together" in capsys.readouterr().out


def test_a_capsule_of_an_earlier_release_has_not_said_which_file_it_opened(
    client: Client, tmp_path: Path
) -> None:
    with serving.noted(client.home, BEGINNING):
        assert main(["check", "--home", str(client.home)]) == 0


def test_a_home_folder_may_be_named_by_a_link(
    client: Client, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, alias = client.home / "oxonaut.db", tmp_path / "alias"
    alias.symlink_to(client.home)
    back_up(path, tmp_path / "new.db")
    with serving.noted(client.home, BEGINNING) as note:
        note.put_file(OpenedFile.at(path))
        (tmp_path / "new.db").rename(path)
        assert refusal(alias, ["check"], capsys)[0] == 1
