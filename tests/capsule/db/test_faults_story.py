"""A database that is locked, full, read-only or away: pages go on, and refusals say why."""

import json
import logging
import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from datetime import timedelta
from threading import Event, Thread

import pytest
from sqlalchemy import event, insert, select, text, update

from capsule.app import build_app
from capsule.db.database import Database
from capsule.db.faults import (
    MAX_ATTEMPTS,
    CannotStore,
    Conflict,
    DatabaseBusy,
    DatabaseUnavailable,
    retry,
)
from capsule.db.health import ROOM, TRY_SECONDS, StorageWatch
from capsule.db.schema.players import players, secrets
from capsule.db.storage_health import StorageHealth, StorageOutage
from capsule.gemini.types import Response
from tests.support.client import Client, link
from tests.support.crawling import SMALL
from tests.support.stories import ALICE, BOB, play, record, start
from tests.support.waiting import PATIENCE
from tests.support.walking import walk

pytestmark = pytest.mark.sqlite  # on PostgreSQL, it is locked or away in other ways

LOG = logging.getLogger("oxonaut")


def health(client: Client) -> list[str]:
    """Return what the capsule says of its database, and whether it stores."""
    answer = build_app(client.context).health()
    assert (answer.status, answer.meta) == (20, "text/plain; charset=utf-8")
    answering, *lines = answer.body.splitlines()
    assert answering == "The capsule answers."
    return lines


@contextmanager
def away(client: Client) -> Iterator[None]:
    """Let the database be something else than a file during the block."""
    client.database.close()
    path, elsewhere = client.home / "oxonaut.db", client.home / "elsewhere.db"
    path.rename(elsewhere)
    path.mkdir()
    yield
    path.rmdir()
    elsewhere.rename(path)


@contextmanager
def limited(database: Database, pragma: str) -> Iterator[None]:
    """Keep the database from storing anything, or so many pages, during the block."""

    def limit(connection: sqlite3.Connection, _record: object) -> None:
        connection.execute(pragma)

    database.close()
    event.listen(database.engine, "connect", limit)
    try:
        yield
    finally:
        event.remove(database.engine, "connect", limit)
        database.close()


@contextmanager
def locked(client: Client) -> Iterator[None]:
    """Hold, as another program, the lock that every writer needs."""
    with closing(sqlite3.connect(client.home / "oxonaut.db")) as other:
        other.isolation_level = None
        other.execute("BEGIN IMMEDIATE")
        yield
        other.execute("ROLLBACK")


@pytest.mark.slow
def test_no_reader_waits_for_a_move_that_cannot_be_stored_in_time(
    client: Client, game: str
) -> None:
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
        assert record(client, game)["moves"] == ["e5", "d4"]
    assert (answer.status, answer.meta.isdecimal()) == (44, True)
    assert answer.page == "play.pages.actions.act", "it is counted with what it was to be"
    assert client.get(game, ALICE) == page
    assert slowest < waited, "who waits for the lock waits as long as the move did"
    assert client.type(link(page, "/move"), "a1", ALICE) == Response(30, game)


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
    def start_another() -> Response:
        return client.ask(link(client.get("/play/new/ultimate", ALICE), "/solo"), ALICE)

    with limited(client.database, trouble):
        answers = [start_another() for _ in range(60)]
        assert {answer.status for answer in answers} <= {30, 41}
        assert answers[-1] == Response(41, "This was not stored. Try again later")
        assert client.ask(game, ALICE).status == 20
    assert start_another().status == 30


def test_a_database_that_cannot_be_opened_is_away(client: Client, game: str) -> None:
    with away(client):
        for url in ("/", game, "/players/nobody", "/play/new/ultimate"):
            answer = client.ask(url, ALICE)
            assert answer == Response(41, "The database does not answer. Try again soon")
        assert len(health(client)) == 1, "a read that fails is no write that does"
    assert client.ask(game).status == 20


def test_the_capsule_says_since_when_the_database_answers_or_does_not(client: Client) -> None:
    def now() -> str:
        return f"{client.now:%Y-%m-%d %H:%M:%S} UTC"

    started = now()
    client.now += timedelta(hours=1)
    client.context.health.check()
    assert health(client) == [f"The database answers, and has since {started}."]
    with away(client):
        client.now += timedelta(minutes=5)
        lost = now()
        for _ in range(2):
            client.context.health.check()
            client.now += timedelta(minutes=5)
        assert health(client) == [f"The database does not answer, and has not since {lost}."]
    client.context.health.check()
    assert health(client) == [f"The database answers, and has since {now()}."]


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


# Writers of one process wait in a line


def test_a_writer_asks_for_the_lock_once_the_one_before_is_done(client: Client) -> None:
    arrived, done = Event(), []

    def write() -> None:
        arrived.set()
        with client.database.writing():
            done.append("the second writes")

    event.listen(client.database.engine, "begin", lambda _: done.append("asks"), insert=True)
    second = Thread(target=write)
    with client.database.writing():
        second.start()
        assert arrived.wait(PATIENCE)
        second.join(0.2)
        done.append("the first writes")
    second.join(PATIENCE)
    assert not second.is_alive()
    assert done == ["asks", "the first writes", "asks", "the second writes"]


def test_a_writer_who_will_not_wait_is_told_so(client: Client) -> None:
    refused = []

    def write() -> None:
        try:
            with client.database.writing(patience=0):
                pass
        except DatabaseBusy as error:
            refused.append(error)

    with client.database.writing():
        other = Thread(target=write)
        other.start()
        other.join(PATIENCE)
    assert len(refused) == 1
    with client.database.writing(patience=0):
        pass


# Nothing can be stored


@pytest.fixture
def logging_client(client: Client) -> Client:
    """Return a capsule whose storage health goes by its clock, and into the log."""
    storage = StorageHealth(lambda: client.now, LOG)
    client.database = replace(client.database, storage=storage)
    client.context = replace(client.context, database=client.database)
    client.forget_pages()
    return client


def store(database: Database, size: int = 1) -> None:
    """Store so many bytes, if they can be."""
    with database.writing() as connection:
        connection.execute(insert(secrets).values(name=os.urandom(8).hex(), value=bytes(size)))


def fail(database: Database, times: int = 1) -> None:
    for _ in range(times):
        with pytest.raises(CannotStore):
            store(database)


def test_the_log_says_why_at_once_then_how_often_each_minute_and_when_it_is_over(
    logging_client: Client, caplog: pytest.LogCaptureFixture
) -> None:
    client, database = logging_client, logging_client.database
    begun = "Nothing can be stored since 2026-11-20 14:02:00 UTC: attempt to write a readonly "
    with limited(database, "PRAGMA query_only = ON"):
        fail(database, 5)
        client.now += timedelta(seconds=59)
        fail(database)
        assert caplog.messages == [f"{begun}database. Writes that failed: 1"]
        client.now += timedelta(seconds=1)
        fail(database, 3)
    assert caplog.messages[1:] == [f"{begun}database. Writes that failed: 6"]
    client.now += timedelta(seconds=30)
    store(database)
    store(database)
    assert caplog.messages[2:] == ["Storing again after 90 s"]


def test_what_can_be_stored_now_and_then_makes_no_more_than_two_lines_a_minute(
    logging_client: Client, caplog: pytest.LogCaptureFixture
) -> None:
    client, database = logging_client, logging_client.database
    for _ in range(30):
        with limited(database, "PRAGMA query_only = ON"):
            fail(database)
        store(database)
        client.now += timedelta(seconds=2)
    assert len(caplog.messages) == 2
    with limited(database, "PRAGMA query_only = ON"):
        fail(database)
    assert caplog.messages[2].endswith("Writes that failed: 30")


def test_health_says_since_when_nothing_can_be_stored_and_the_next_commit_ends_that(
    logging_client: Client,
) -> None:
    client, database = logging_client, logging_client.database
    url = start(client, "ultimate", "solo")
    prompt = link(client.get(url, ALICE), "/move")
    assert len(health(client)) == 1
    client.now += timedelta(minutes=3)
    with limited(database, "PRAGMA query_only = ON"):
        answer = client.ask(f"{prompt}?e5", ALICE)
        assert (answer.status, answer.meta) == (41, "Your move was not stored. Try again later")
        client.now += timedelta(minutes=1)
        assert client.ask(f"{prompt}?e5", ALICE).status == 41
        assert health(client)[1:] == ["Nothing can be stored since 2026-11-20 14:05:00 UTC."]
        assert client.ask(url, ALICE).status == 20
    assert client.ask(f"{prompt}?e5", ALICE).status == 30
    assert len(health(client)) == 1


def test_a_commit_that_stores_nothing_does_not_end_it(logging_client: Client) -> None:
    client, database = logging_client, logging_client.database
    with limited(database, "PRAGMA max_page_count = 1"):
        with pytest.raises(CannotStore):
            store(database, ROOM)
        with database.writing() as connection:
            connection.execute(update(players).where(players.c.id < 0).values(name="nobody"))
        assert len(health(client)) == 2
    assert len(health(client)) == 2
    store(database)
    assert len(health(client)) == 1


def test_a_read_that_fails_is_no_write_that_does(logging_client: Client) -> None:
    """A database that cannot be read is away, which `/health` says in another line."""
    client = logging_client
    with limited(client.database, "PRAGMA query_only = ON"):
        with pytest.raises(DatabaseUnavailable) as found, client.database.reading() as connection:
            connection.execute(text("DELETE FROM claims"))
        assert not isinstance(found.value, CannotStore)
        assert len(health(client)) == 1


def test_one_process_tries_every_ten_seconds_until_it_is_over_and_leaves_nothing_behind(
    logging_client: Client,
) -> None:
    database, seconds, attempts = logging_client.database, 0.0, 0
    noted: list[StorageOutage | None] = []
    watch = StorageWatch(database, noted.append, lambda: seconds)

    def count(*_connection: object) -> None:
        nonlocal attempts
        attempts += 1

    event.listen(database.engine, "checkout", count)

    def pass_seconds(number: int) -> None:
        nonlocal seconds
        for _ in range(number):
            seconds += 1
            watch.check()

    pass_seconds(100)
    assert (attempts, noted) == (0, [None])
    with limited(database, "PRAGMA query_only = ON"):
        fail(database)
        attempts = 0
        pass_seconds(60)
        assert attempts == 60 / TRY_SECONDS
    assert database.storage.outage is not None
    assert noted[1:] == [database.storage.outage]
    pass_seconds(int(TRY_SECONDS))
    assert noted[2:] == [None]
    with database.reading() as connection:
        assert connection.scalars(select(secrets.c.name)).all() == ["action keys"]


def test_processes_that_are_forked_share_it(
    logging_client: Client, caplog: pytest.LogCaptureFixture
) -> None:
    client, storage = logging_client, logging_client.database.storage

    def in_another_process(work: object) -> None:
        process = os.fork()
        if not process:
            try:
                work()  # type: ignore[operator]
            finally:
                os._exit(0)
        os.waitpid(process, 0)

    def fail_twice() -> None:
        for _ in range(2):
            storage.failed(CannotStore("disk quota exceeded"))

    in_another_process(fail_twice)
    assert storage.outage is not None
    assert (storage.outage.since, storage.outage.reason) == (client.now, "disk quota exceeded")
    in_another_process(storage.succeeded)
    assert storage.outage is None
    client.now += timedelta(minutes=1)
    storage.failed(CannotStore("disk quota exceeded"))
    (line,) = caplog.messages
    assert line.endswith("disk quota exceeded. Writes that failed: 2")
