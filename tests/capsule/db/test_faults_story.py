"""A locked, full or read-only database: pages go on, and refusals say what is the matter."""

import json
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import timedelta

import pytest
from sqlalchemy import event

from capsule.db.faults import MAX_ATTEMPTS, Conflict, DatabaseBusy, DatabaseUnavailable, retry
from capsule.gemini.types import Response
from tests.support.client import Client, link
from tests.support.crawling import SMALL
from tests.support.stories import ALICE, BOB, play, record
from tests.support.walking import walk

pytestmark = pytest.mark.sqlite


@contextmanager
def locked(client: Client) -> Iterator[None]:
    """Hold, as another program, the lock that every writer needs."""
    with closing(sqlite3.connect(client.home / "oxonaut.db")) as other:
        other.isolation_level = None
        other.execute("BEGIN IMMEDIATE")
        yield
        other.execute("ROLLBACK")


@pytest.mark.slow
def test_nobody_who_reads_waits_for_who_writes(client: Client, game: str) -> None:
    play(client, game, ["e5", "d4"], ALICE, BOB)
    # A new day: the page of your games writes down that the certificate was used.
    client.now += timedelta(days=1)
    client.restart()
    with locked(client):
        page = client.get(game, ALICE)
        slowest, begun = 0.0, time.monotonic()
        for _ in walk(client, ALICE, SMALL):
            slowest = max(slowest, time.monotonic() - begun)
            begun = time.monotonic()
        begun = time.monotonic()
        answer = client.type(link(page, "/move"), "a1", ALICE)
        waited = time.monotonic() - begun
    assert (answer.status, answer.meta.isdecimal()) == (44, True)
    assert slowest < waited, "who waits for the lock waits as long as the move did"
    assert client.type(link(page, "/move"), "a1", ALICE) == Response(30, game)


@pytest.mark.slow
def test_a_move_that_cannot_be_stored_in_time_changes_nothing(client: Client, game: str) -> None:
    before = record(client, game)
    page = client.get(game, ALICE)
    with locked(client):
        answer = client.type(link(page, "/move"), "e5", ALICE)
        assert record(client, game) == before
    assert (answer.status, answer.meta.isdecimal()) == (44, True)
    assert answer.page == "play.pages.actions.act", "it is counted with what it was to be"
    assert record(client, game) == before
    assert client.get(game, ALICE) == page


def test_a_use_that_could_not_be_written_down_is_written_down_later(
    client: Client, game: str
) -> None:
    client.now += timedelta(days=1)
    day = f"{client.now:%Y-%m-%d}"
    with locked(client):
        client.get("/play/", ALICE)
        assert day not in last_use(client)
    client.get("/play/", ALICE)
    assert day in last_use(client)


def last_use(client: Client) -> str:
    """Return when alice's certificate was used last, as it is stored."""
    (certificate,) = json.loads(client.get("/play/me/export.json", ALICE))["certificates"]
    return str(certificate["last_used"])


@pytest.mark.parametrize("trouble", ["PRAGMA max_page_count = 1", "PRAGMA query_only = ON"])
def test_what_has_no_room_on_the_disk_is_refused_and_pages_go_on(
    client: Client, game: str, trouble: str
) -> None:
    client.database.close()

    def spoil(connection: sqlite3.Connection, _record: object) -> None:
        connection.execute(trouble)

    def start_another() -> Response:
        return client.ask(link(client.get("/play/new/ultimate", ALICE), "/solo"), ALICE)

    event.listen(client.database.engine, "connect", spoil)
    answers = [start_another() for _ in range(60)]
    assert {answer.status for answer in answers} <= {30, 41}
    assert answers[-1] == Response(41, "This was not stored. Try again later")
    assert client.ask(game, ALICE).status == 20
    event.remove(client.database.engine, "connect", spoil)
    client.database.close()
    assert start_another().status == 30


def test_a_database_that_cannot_be_opened_is_away(client: Client, game: str) -> None:
    client.database.close()
    path, elsewhere = client.home / "oxonaut.db", client.home / "elsewhere.db"
    path.rename(elsewhere)
    path.mkdir()
    for url in ("/", game, "/players/nobody"):
        answer = client.ask(url)
        assert answer == Response(41, "The database does not answer. Try again soon")
    path.rmdir()
    elsewhere.rename(path)
    assert client.ask(game).status == 20


def test_who_was_overtaken_begins_again() -> None:
    attempts = []

    def overtaken_twice() -> int:
        attempts.append(1)
        if len(attempts) < 3:
            raise Conflict
        return len(attempts)

    assert retry(overtaken_twice) == 3


def test_what_meets_itself_for_ever_comes_to_an_end() -> None:
    attempts = []

    def always() -> None:
        attempts.append(1)
        raise Conflict

    with pytest.raises(Conflict):
        retry(always)
    assert len(attempts) == MAX_ATTEMPTS


@pytest.mark.parametrize("fault", [DatabaseBusy, DatabaseUnavailable])
def test_nobody_begins_again_for_any_other_fault(fault: type[Exception]) -> None:
    attempts = []

    def fail() -> None:
        attempts.append(1)
        raise fault

    with pytest.raises(fault):
        retry(fail)
    assert len(attempts) == 1
