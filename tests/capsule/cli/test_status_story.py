"""The operator looks at how much there is, and whether a capsule serves."""

import json
import os
import sqlite3
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest

from capsule.cli import status
from capsule.db import files
from capsule.db.migrating import newest_revision
from capsule.db.storage_health import StorageOutage
from capsule.processes import serving
from tests.support.client import BEGINNING, Client, link
from tests.support.mail import Post
from tests.support.operator import Operator
from tests.support.release.kept import FIRST
from tests.support.stories import ALICE, BOB, WON_GAMES, play, start, start_between

pytestmark = pytest.mark.sqlite  # its file is looked at, too


@pytest.fixture
def post(client: Client) -> Post:
    """Return a capsule with mail."""
    return Post(client)


@pytest.fixture
def busy(client: Client) -> Client:
    """Return a capsule with a game of each kind."""
    won = start_between(client, "numeric")
    play(client, won, WON_GAMES["numeric"].split(), ALICE, BOB)
    start_between(client, "ultimate")
    start(client, "tinc", "open")
    play(client, start(client, "tinc", "bot-club"), ["a1"], ALICE)
    start(client, "tinc", "invite", BOB)
    client.type(link(client.get("/play/me/", BOB), "/erase"), "erase", BOB)
    return client


def test_the_status_counts_what_the_database_holds(busy: Client, operator: Operator) -> None:
    lines = operator.printed("status").splitlines()
    assert "No capsule serves on this home folder" in lines
    assert f"Revision: {newest_revision()}" in lines
    assert "Players: 1" in lines
    assert "Games: 5; being played: 1, waiting for an opponent: 1" in lines
    assert "Bots' turns in the queue: 1" in lines
    assert "Analyses in the queue: 1" in lines


def test_letters_are_counted_where_mail_is_sent_or_some_still_wait(
    post: Post, operator: Operator, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "Letters in the queue" not in operator.printed("status")
    monkeypatch.setenv("OXONAUT_MAIL", "smtp://localhost")
    assert "Letters in the queue: 0\n" in operator.printed("status")
    post.type_address(ALICE, "alice@example.org")
    monkeypatch.delenv("OXONAUT_MAIL")
    assert "Letters in the queue: 1\n" in operator.printed("status")
    assert json.loads(operator.printed("status --json"))["letters_waiting"] == 1
    post.deliver()
    assert "Letters in the queue" not in operator.printed("status")


def test_the_status_says_since_when_a_capsule_serves(
    client: Client, operator: Operator, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(status, "now", lambda: BEGINNING + timedelta(days=3, minutes=5, seconds=7))
    with serving.announced(client.home, BEGINNING):
        line = operator.printed("status").splitlines()[1]
        data = json.loads(operator.printed("status --json"))
    assert (
        line == f"Process {os.getpid()} has been serving since 2026-11-20 14:02 UTC: 3 d 5 min 7 s"
    )
    assert (data["serving"], data["process"]) == (True, os.getpid())
    assert operator.printed("status").splitlines()[1].startswith("No capsule serves")


def test_the_status_says_since_when_nothing_can_be_stored_and_why(
    client: Client, operator: Operator
) -> None:
    outage = StorageOutage(BEGINNING, "database or disk is full")
    line = "Nothing can be stored since 2026-11-20 14:02:00 UTC: database or disk is full"
    with serving.announced(client.home, BEGINNING) as note:
        assert line not in operator.printed("status")
        assert json.loads(operator.printed("status --json"))["storage_outage"] is None
        note.put_outage(outage)
        assert line in operator.printed("status").splitlines()
        data = json.loads(operator.printed("status --json"))
        assert data["storage_outage"] == {
            "since": "2026-11-20T14:02:00+00:00",
            "reason": "database or disk is full",
        }
        assert data["process"] == os.getpid()
        note.put_outage(None)
        assert line not in operator.printed("status")
        note.put_outage(outage)
    assert line not in operator.printed("status"), "of a capsule that has stopped nothing is said"


@pytest.mark.parametrize(("free", "is_warned"), [(49_900_000, True), (50_000_000, False)])
def test_little_room_on_the_disk_is_a_warning(
    client: Client,
    operator: Operator,
    monkeypatch: pytest.MonkeyPatch,
    free: int,
    *,
    is_warned: bool,
) -> None:
    monkeypatch.setattr(files, "free_bytes", lambda _database: free)
    warnings = [
        line for line in operator.printed("status").splitlines() if line.startswith("Warning")
    ]
    warning = f"Warning: Only 49.9 MB are free on the disk of {client.home}/oxonaut.db"
    assert warnings == [warning] * is_warned
    assert json.loads(operator.printed("status --json"))["disk_free_bytes"] == free


def test_a_note_of_a_process_that_is_gone_is_not_believed(
    client: Client, operator: Operator
) -> None:
    with serving.announced(client.home, BEGINNING):
        (client.home / serving.FILE).write_text('{"process": 4194303, "since": "2026-11-20"}')
        assert operator.printed("status").splitlines()[1] == "A capsule serves"
        (client.home / serving.FILE).write_text("")
        assert operator.printed("status").splitlines()[1] == "A capsule serves"


def test_an_older_database_is_looked_at_and_left_as_it_is(
    tmp_path: Path, operator: Operator
) -> None:
    FIRST.put_into(tmp_path)
    with closing(sqlite3.connect(tmp_path / "oxonaut.db")) as connection, connection:
        connection.execute("UPDATE alembic_version SET version_num = '0009'")
    output = operator.printed("status")
    assert f"Revision: 0009; this version has {newest_revision()}" in output
    with closing(sqlite3.connect(tmp_path / "oxonaut.db")) as connection:
        rows = connection.execute("SELECT version_num FROM alembic_version").fetchall()
    assert rows == [("0009",)]
