"""A PostgreSQL that falls silent: nobody waits for long, and nobody who needs it not at all."""

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing

import pytest
from sqlalchemy import Connection, event, insert, make_url, select

from capsule.app import build_app
from capsule.db.changes import SharedChanges
from capsule.db.database import PATIENCE, Database
from capsule.db.faults import CommitOutcomeUnknown, DatabaseUnavailable
from capsule.db.postgresql import postgresql_engine
from capsule.db.schema.players import secrets
from capsule.gemini.types import Request, Response
from tests.support.client import BEGINNING, Client, answer_at_once, link
from tests.support.postgresql import Server
from tests.support.stories import ALICE, BOB, record, start_between
from tests.support.waiting import wait_until

# It has a server of its own.
pytestmark = [pytest.mark.sqlite, pytest.mark.slow]

IMPATIENCE = 0.5
"""Seconds for which statements are waited for: more than a busy machine takes for one."""

KNOWN = "away a moment ago"
"""Words of a refusal that nobody waited for, since another had."""

CONNECTIONS = 4
"""Connections that are open when the server falls silent."""

AWAY = Response(41, "The database does not answer. Try again soon")
NOT_STORED = Response(41, "Your move was not stored. Try again later")

NEEDS_NO_DATABASE = (
    "/favicon.txt",
    "/robots.txt",
    "/help/",
    "/help/moves",
    "/rules/tinc",
    "/about",
)


@pytest.fixture
def impatient(database_url: str) -> Iterator[Database]:
    """Connect as a capsule does that gives statements a fraction of their time."""
    with closing(Database(postgresql_engine(make_url(database_url), patience=IMPATIENCE))) as made:
        with ExitStack() as connected:
            for _ in range(CONNECTIONS):
                connected.enter_context(made.reading()).execute(select(1))
        yield made


def names(database: Database) -> set[str]:
    with database.reading() as connection:
        return set(connection.execute(select(secrets.c.name)).scalars())


def is_back(database: Database) -> bool:
    try:
        names(database)
    except DatabaseUnavailable:
        return False
    return True


def wait_until_back(database: Database) -> None:
    wait_until(lambda: is_back(database))


def test_a_visitor_who_asks_a_silent_server_learns_it_and_others_do_not_wait(
    server: Server, impatient: Database
) -> None:
    with server.silenced():
        with pytest.raises(DatabaseUnavailable, match="does not answer"):
            names(impatient)
        for _ in range(20):
            with pytest.raises(DatabaseUnavailable, match=KNOWN):
                names(impatient)
    wait_until_back(impatient)
    assert "action keys" in names(impatient)


def test_those_who_ask_a_silent_server_for_changes_do_not_wait_for_one_another(
    server: Server, impatient: Database
) -> None:
    shared = SharedChanges(impatient.engine)
    shared.ask(BEGINNING)
    shared.changed()

    def ask(_number: int) -> bool:
        """Return whether somebody is told at once, since another has waited."""
        with pytest.raises(DatabaseUnavailable) as told:
            shared.ask(BEGINNING)
        return KNOWN in str(told.value)

    with ThreadPoolExecutor(CONNECTIONS) as threads, server.silenced():
        assert sum(threads.map(ask, range(CONNECTIONS))) == CONNECTIONS - 1
    wait_until_back(impatient)
    shared.ask(BEGINNING)
    assert shared.changed() is None, "it is not known what has changed meanwhile"


def store_while_it_falls_silent(database: Database, server: Server, silence: ExitStack) -> None:
    with database.writing(0.1) as connection:
        connection.execute(insert(secrets).values(name="told", value=b"to nobody"))
        silence.enter_context(server.silenced())


def test_what_was_to_be_stored_when_the_server_fell_silent_may_be_stored(
    server: Server, impatient: Database
) -> None:
    with ExitStack() as silence, pytest.raises(CommitOutcomeUnknown):
        store_while_it_falls_silent(impatient, server, silence)
    wait_until_back(impatient)
    assert "told" in names(impatient)


def test_what_the_server_has_not_heard_of_when_it_falls_silent_is_not_stored(
    server: Server, impatient: Database
) -> None:
    with (
        server.silenced(),
        pytest.raises(DatabaseUnavailable) as found,
        impatient.writing(0.1) as connection,
    ):
        connection.execute(insert(secrets).values(name="told", value=b"to nobody"))
    assert not isinstance(found.value, CommitOutcomeUnknown)
    wait_until_back(impatient)
    assert "told" not in names(impatient)


@pytest.mark.parametrize("path", NEEDS_NO_DATABASE)
def test_what_needs_no_database_needs_no_thread(client: Client, path: str) -> None:
    answer = answer_at_once(build_app(client.context), Request(path))
    assert isinstance(answer, Response)
    assert answer.status == 20
    assert answer == client.ask(path)


@pytest.mark.parametrize("path", ["/", "/games/", "/play/abcdefghij"])
def test_what_needs_the_database_waits_for_it_on_a_thread(client: Client, path: str) -> None:
    assert answer_at_once(build_app(client.context), Request(path)) is None


def test_who_asks_a_capsule_whose_database_is_silent_is_answered_all_the_same(
    client: Client, server: Server
) -> None:
    url = start_between(client, "ultimate")
    prompt = link(client.get(url, ALICE), "/move")
    asked = [(url, None), (url, ALICE), ("/play/", BOB), (f"{prompt}?e5", ALICE)]
    with ThreadPoolExecutor(len(asked)) as threads, server.silenced():
        begun = time.monotonic()
        answers = [threads.submit(client.ask, *each) for each in asked]
        assert [client.ask(path).status for path in NEEDS_NO_DATABASE] == [20] * len(
            NEEDS_NO_DATABASE
        )
        assert time.monotonic() - begun < PATIENCE, "they waited for the others"
        expected = [AWAY, AWAY, AWAY, NOT_STORED]
        assert [answer.result() for answer in answers] == expected
        assert time.monotonic() - begun < len(asked) * PATIENCE, "one after the other"
        begun = time.monotonic()
        assert [client.ask(*each) for each in asked] == expected
        assert time.monotonic() - begun < PATIENCE, "it was known to be silent"
    wait_until_back(client.database)
    assert record(client, url)["moves"] == []
    assert client.ask(f"{prompt}?e5", ALICE) == Response(30, url)


def test_who_moved_when_the_database_fell_silent_is_asked_to_look_first(
    client: Client, server: Server
) -> None:
    url = start_between(client, "ultimate")
    page = client.get(url, ALICE)
    prompt, message = link(page, "/move"), link(page, "/say")
    for asked, words in (
        (f"{prompt}?e5", "Your move may have been stored. Look at the game before you try again"),
        (f"{message}?Hello", "This may have been stored. Look at the page before you try again"),
    ):
        with ExitStack() as silence:

            def fall_silent(_connection: Connection, silence: ExitStack = silence) -> None:
                silence.enter_context(server.silenced())

            event.listen(client.database.engine, "commit", fall_silent)
            assert client.ask(asked, ALICE) == Response(41, words)
            event.remove(client.database.engine, "commit", fall_silent)
        wait_until_back(client.database)
    assert record(client, url)["moves"] == ["e5"]
    assert "Hello" in client.get(url, BOB)
    assert client.ask(f"{prompt}?e5", ALICE) == Response(30, url)
