"""Commands on a database whose file was replaced beneath a capsule that serves."""

import shutil
from pathlib import Path

import pytest

from capsule.db.backup import OpenedFile, back_up
from capsule.processes import serving
from tests.support.client import BEGINNING, Client
from tests.support.operator import Operator
from tests.support.stories import start

pytestmark = pytest.mark.sqlite

COMMANDS = (
    "check",
    "status",
    "status --json",
    "backup copy.db",
    "backup copies/ --keep 3",
    "ratings",
    "ratings --check",
    "explorer rebuild",
    "admin reports",
    "admin news Hello",
    "serve --port 0",
)


@pytest.mark.parametrize("command", COMMANDS)
def test_no_command_opens_a_file_that_a_capsule_that_serves_has_not_opened(
    client: Client,
    command: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    operator: Operator,
) -> None:
    monkeypatch.chdir(tmp_path)
    path = client.home / "oxonaut.db"
    start(client, "tinc", "open")
    back_up(path, tmp_path / "new.db")
    with serving.announced(client.home, BEGINNING) as note:
        note.put_file(OpenedFile.at(path))
        is_serve = command.startswith("serve")
        if not is_serve:
            assert operator.type(command)[0] == 0
        (tmp_path / "new.db").rename(path)
        before, log = path.read_bytes(), path.with_name("oxonaut.db-wal").read_bytes()
        line = operator.refusal(command)
        # There is one capsule a home, whatever it has opened.
        reason = f"A capsule serves on {client.home} already" if is_serve else str(path)
        assert line.startswith(reason)
        assert ("was replaced or removed" in line) != is_serve
        assert path.read_bytes() == before
        assert path.with_name("oxonaut.db-wal").read_bytes() == log


@pytest.fixture
def log_of_another(client: Client, tmp_path: Path) -> bytes:
    """Let a capsule be killed after its file was replaced; return the log that it leaves."""
    path = client.home / "oxonaut.db"
    back_up(path, tmp_path / "new.db")
    start(client, "tinc", "open")
    with serving.announced(client.home, BEGINNING) as note:
        note.put_file(OpenedFile.at(path))
        note.put_log(OpenedFile.at(path.with_name("oxonaut.db-wal")))
    (tmp_path / "new.db").rename(path)
    return path.with_name("oxonaut.db-wal").read_bytes()


def moved_aside(home: Path) -> bytes:
    """Return the only log that was moved aside."""
    assert not (home / "oxonaut.db-wal").exists()
    (aside,) = home.glob("oxonaut.db-wal.displaced-*")
    return aside.read_bytes()


@pytest.mark.parametrize("command", COMMANDS[:-1])
def test_no_command_joins_a_file_to_the_log_that_a_capsule_left_which_was_killed(
    client: Client,
    log_of_another: bytes,
    command: str,
    monkeypatch: pytest.MonkeyPatch,
    operator: Operator,
) -> None:
    monkeypatch.chdir(client.home)
    path = client.home / "oxonaut.db"
    before = path.read_bytes()
    assert operator.refusal(command) == (
        f"{path} was replaced or removed, and {path}-wal belongs to the file that was there "
        "before: start the capsule (oxonaut serve), which moves it aside"
    )
    assert path.read_bytes() == before
    assert path.with_name("oxonaut.db-wal").read_bytes() == log_of_another


def test_the_next_start_moves_that_log_aside_and_says_so(
    client: Client, log_of_another: bytes, caplog: pytest.LogCaptureFixture, operator: Operator
) -> None:
    path = client.home / "oxonaut.db"
    before = path.read_bytes()
    with serving.announced(client.home, BEGINNING):
        assert moved_aside(client.home) == log_of_another
        (aside,) = client.home.glob("oxonaut.db-wal.displaced-*")
        (line,) = caplog.messages
        assert line == (
            f"{path} was replaced or removed before the capsule that served it had stopped, or "
            f"after it was killed. {aside} has the latest moves of the file that was there before"
        )
    caplog.clear()
    assert operator.type("check")[0] == 0
    with serving.announced(client.home, BEGINNING):
        assert not caplog.messages
    assert path.read_bytes() == before


def test_a_restoration_does_so_too(
    client: Client, log_of_another: bytes, tmp_path: Path, operator: Operator
) -> None:
    path = client.home / "oxonaut.db"
    back_up(path.rename(tmp_path / "copy.db"), tmp_path / "copy2.db")
    assert operator.type(f"restore {tmp_path / 'copy2.db'}")[0] == 0
    assert moved_aside(client.home) == log_of_another


def test_a_log_that_belongs_to_the_file_is_left_with_it(client: Client, operator: Operator) -> None:
    """After a crash that is all, or if both are others: those of a machine that has crashed."""
    path, log = client.home / "oxonaut.db", client.home / "oxonaut.db-wal"
    start(client, "tinc", "open")
    content = log.read_bytes()
    for _ in range(2):
        with serving.announced(client.home, BEGINNING) as note:
            assert log.read_bytes() == content
            note.put_file(OpenedFile.at(path))
            note.put_log(OpenedFile.at(log))
    for part in (path, log):
        shutil.copy(part, client.home / "new")
        (client.home / "new").rename(part)
    with serving.announced(client.home, BEGINNING) as note:
        assert log.read_bytes() == content
        note.put_file(OpenedFile.at(path))
        note.put_log(OpenedFile.at(log))
    assert operator.type("status")[0] == 0


def test_a_command_on_another_database_is_not_refused(
    client: Client, tmp_path: Path, operator: Operator
) -> None:
    path = client.home / "oxonaut.db"
    back_up(path, tmp_path / "copy.db")
    with serving.announced(client.home, BEGINNING) as note:
        note.put_file(OpenedFile.at(path))
        path.unlink()
        printed = operator.printed(f"check --database=sqlite:///{tmp_path}/copy.db")
    assert "fit together" in printed


def test_a_home_folder_may_be_named_by_a_link(
    client: Client, tmp_path: Path, operator: Operator
) -> None:
    path, alias = client.home / "oxonaut.db", tmp_path / "alias"
    alias.symlink_to(client.home)
    back_up(path, tmp_path / "new.db")
    with serving.announced(client.home, BEGINNING) as note:
        note.put_file(OpenedFile.at(path))
        (tmp_path / "new.db").rename(path)
        operator.home = alias
        assert operator.refusal("check").startswith(f"{path} was replaced or removed")
