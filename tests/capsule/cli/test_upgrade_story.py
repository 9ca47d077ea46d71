"""An operator upgrades a capsule of a release, and goes back."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from capsule.__main__ import main
from capsule.db.migrating import newest_revision
from tests.support.client import Client
from tests.support.release.kept import RELEASES
from tests.support.stories import record

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.release.kept import Release

pytestmark = pytest.mark.sqlite


def contents(path: Path) -> list[str]:
    """Return all that a database holds, as statements."""
    with closing(sqlite3.connect(path)) as connection:
        return [*connection.iterdump()]


@pytest.mark.parametrize("release", RELEASES, ids=str)
def test_an_upgrade_and_the_way_back(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], release: Release
) -> None:
    home, copy = tmp_path / "home", tmp_path / "before.db"
    home.mkdir()
    database = home / "oxonaut.db"
    release.put_into(home)
    before = contents(database)
    where = ["--home", str(home)]

    assert main(["backup", *where, str(copy)]) == 0
    assert main(["status", *where]) == 0
    assert contents(database) == before, "neither a backup nor a look migrates anything"

    upgraded = Client(home, now=release.now)
    running = release.record["running"][0]
    who = release.certificate_of(running["who"])
    assert upgraded.ask(f"{running['prompt']}?{running['move']}", who).status == 30
    moves = record(upgraded, f"/play/{running['game']}")["moves"]
    upgraded.database.close()
    assert main(["check", *where]) == 0
    capsys.readouterr()
    assert main(["status", *where]) == 0
    assert f"Revision: {newest_revision()}\n" in capsys.readouterr().out

    assert main(["restore", *where, str(copy), "--replace"]) == 0
    assert contents(database) == before
    (aside,) = home.glob("oxonaut.db.replaced-*Z")
    again = Client(tmp_path / "again", now=release.now)
    again.database.close()
    assert main(["restore", "--home", str(again.home), str(aside), "--replace"]) == 0
    again.start()
    assert record(again, f"/play/{running['game']}")["moves"] == moves
    again.database.close()
