"""A database that is read but stores nothing: everybody learns it, and that it is over."""

import logging
import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy import event, insert, select, text, update

from capsule.app import build_app
from capsule.db.database import Database
from capsule.db.faults import CannotStore, DatabaseUnavailable
from capsule.db.health import ROOM, TRY_SECONDS, StorageWatch
from capsule.db.schema.players import players, secrets
from capsule.db.storage_health import StorageHealth, StorageOutage
from tests.support.client import Client, link
from tests.support.stories import ALICE, start

pytestmark = pytest.mark.sqlite

LOG = logging.getLogger("oxonaut")


@pytest.fixture
def logging_client(client: Client) -> Client:
    """Return a capsule whose storage health goes by its clock, and into the log."""
    storage = StorageHealth(lambda: client.now, LOG)
    client.database = replace(client.database, storage=storage)
    client.context = replace(client.context, database=client.database)
    client.forget_pages()
    return client


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


def store(database: Database, size: int = 1) -> None:
    """Store so many bytes, if they can be."""
    with database.writing() as connection:
        connection.execute(insert(secrets).values(name=os.urandom(8).hex(), value=bytes(size)))


def fail(database: Database, times: int = 1) -> None:
    for _ in range(times):
        with pytest.raises(CannotStore):
            store(database)


def health(client: Client) -> list[str]:
    answer = build_app(client.context).health()
    assert answer.status == 20
    return answer.body.splitlines()[2:]


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
    assert health(client) == []
    client.now += timedelta(minutes=3)
    with limited(database, "PRAGMA query_only = ON"):
        answer = client.ask(f"{prompt}?e5", ALICE)
        assert (answer.status, answer.meta) == (41, "Your move was not stored. Try again later")
        client.now += timedelta(minutes=1)
        assert client.ask(f"{prompt}?e5", ALICE).status == 41
        assert health(client) == ["Nothing can be stored since 2026-11-20 14:05:00 UTC."]
        assert client.ask(url, ALICE).status == 20
    assert client.ask(f"{prompt}?e5", ALICE).status == 30
    assert health(client) == []


def test_a_commit_that_stores_nothing_does_not_end_it(logging_client: Client) -> None:
    client, database = logging_client, logging_client.database
    with limited(database, "PRAGMA max_page_count = 1"):
        with pytest.raises(CannotStore):
            store(database, ROOM)
        with database.writing() as connection:
            connection.execute(update(players).where(players.c.id < 0).values(name="nobody"))
        assert len(health(client)) == 1
    assert len(health(client)) == 1
    store(database)
    assert health(client) == []


def test_a_read_that_fails_is_no_write_that_does(logging_client: Client) -> None:
    """A database that cannot be read is away, which `/health` says in a line of its own."""
    client = logging_client
    with limited(client.database, "PRAGMA query_only = ON"):
        with pytest.raises(DatabaseUnavailable) as found, client.database.reading() as connection:
            connection.execute(text("DELETE FROM claims"))
        assert not isinstance(found.value, CannotStore)
        assert health(client) == []
    path, elsewhere = client.home / "oxonaut.db", client.home / "elsewhere.db"
    path.rename(elsewhere)
    path.mkdir()
    answer = client.ask("/play/new/ultimate", ALICE)
    assert (answer.status, answer.meta) == (41, "The database does not answer. Try again soon")
    assert health(client) == []
    path.rmdir()
    elsewhere.rename(path)


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
            watch.look()

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
