"""Writers of one process wait for each other in a line, rather than try their luck with SQLite."""

from threading import Event, Thread

import pytest
from sqlalchemy import event

from capsule.db.faults import DatabaseBusy
from tests.support.client import Client
from tests.support.waiting import PATIENCE

pytestmark = pytest.mark.sqlite  # PostgreSQL lets several write


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
