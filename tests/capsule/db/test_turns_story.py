"""Writers of one process wait for each other in a line, rather than try their luck with SQLite."""

from threading import Event, Thread

import pytest
from sqlalchemy import text

from capsule.db.faults import DatabaseBusy
from tests.support.client import Client
from tests.support.query_log import recorded_queries
from tests.support.waiting import PATIENCE

pytestmark = pytest.mark.sqlite  # PostgreSQL lets several write


def test_a_writer_asks_for_the_lock_once_the_one_before_is_done(client: Client) -> None:
    arrived = Event()

    def write() -> None:
        arrived.set()
        with client.database.writing() as connection:
            connection.execute(text("SELECT 'the second'"))

    with recorded_queries(client) as recorded:
        second = Thread(target=write)
        with client.database.writing() as connection:
            second.start()
            assert arrived.wait(PATIENCE)
            second.join(0.2)
            connection.execute(text("SELECT 'the first'"))
        second.join(PATIENCE)
    assert not second.is_alive()
    # SQLite is given its time limit again, since a part of the time has passed.
    others = ("PRAGMA", "BEGIN;")
    asked = [query.sql for query in recorded if not f"{query.sql};".startswith(others)]
    assert asked == [
        "BEGIN IMMEDIATE",
        "SELECT 'the first'",
        "BEGIN IMMEDIATE",
        "SELECT 'the second'",
    ]


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
