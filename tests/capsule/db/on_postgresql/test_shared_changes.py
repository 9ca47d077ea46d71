"""Pages that are kept by several capsules on one PostgreSQL, and the changes that end them."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from random import Random
from threading import Lock

import pytest
from sqlalchemy import Connection, text

from capsule.db import changes
from capsule.db.changes import SharedChanges
from capsule.gemini.types import CacheTag, Certificate, PlayerGames
from tests.support.client import Client, link
from tests.support.people import known_player
from tests.support.postgresql import Server
from tests.support.query_log import recorded_queries
from tests.support.stories import ALICE, BOB, CAROL, play, start_between

# It has a server of its own.
pytestmark = [pytest.mark.sqlite, pytest.mark.slow]


@pytest.fixture
def other(client: Client) -> Iterator[Client]:
    """Connect another capsule, on another machine."""
    made = Client(client.home, client.now, database_url=client.database_url)
    yield made
    made.database.close()


class News:
    """The changes in a database since they were last asked for."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._changes = SharedChanges(client.database.engine)
        assert self.read() is None, "at first nothing is known"

    def read(self) -> set[CacheTag] | None:
        """Ask what has changed, and return it."""
        self._changes.ask(self._client.now)
        found = self._changes.changed()
        return None if found is None else set(found)


def change(connection: Connection, url: str) -> None:
    """Change something about a game."""
    connection.execute(
        text("UPDATE games SET hints = hints + 1 WHERE id = :id"),
        {"id": url.removeprefix("/play/")},
    )


def concerned(client: Client, url: str, *people: Certificate) -> set[CacheTag]:
    """Return what a change of a game between these people changes."""
    players = (known_player(client.context, who) for who in people)
    return {url.removeprefix("/play/"), *(PlayerGames(each.id) for each in players if each)}


def test_a_change_that_is_stored_after_a_later_one_is_not_missed(client: Client) -> None:
    first, second = start_between(client, "tinc"), start_between(client, "tinc", BOB, CAROL)
    news = News(client)
    engine = client.database.engine
    with engine.connect() as slow, slow.begin() as changing:
        change(slow, first)
        with engine.begin() as fast:
            change(fast, second)
        assert news.read() == concerned(client, second, BOB, CAROL)
        assert news.read() == set()
        changing.commit()
    assert news.read() == concerned(client, first, ALICE, BOB)
    assert news.read() == set()


def test_what_was_rolled_back_leaves_a_gap_and_nothing_else(client: Client) -> None:
    url = start_between(client, "tinc")
    news = News(client)
    engine = client.database.engine
    with engine.connect() as connection, connection.begin() as changing:
        change(connection, url)
        changing.rollback()
    assert news.read() == set()
    with engine.begin() as connection:
        with connection.begin_nested() as attempt:
            change(connection, url)
            attempt.rollback()
        with connection.begin_nested():
            change(connection, url)
    assert news.read() == concerned(client, url, ALICE, BOB)


@pytest.mark.parametrize("seed", [1, 2])
def test_whoever_stores_at_once_with_others_finds_it_among_the_news(
    client: Client, seed: int
) -> None:
    url = start_between(client, "tinc")
    shared = SharedChanges(client.database.engine)
    shared.ask(client.now)
    shared.changed()
    collecting, collected = Lock(), set[str]()

    def store_and_ask(writer: int) -> list[str]:
        random, missed = Random(f"{seed} {writer}"), list[str]()
        for number in range(15):
            own = f"{writer}-{number}"
            with client.database.engine.begin() as connection:
                connection.execute(
                    text(
                        "INSERT INTO changes (transaction_id, game_id)"
                        " VALUES (pg_current_xact_id()::text::bigint, :own)"
                    ),
                    {"own": own},
                )
                connection.execute(text("SELECT pg_sleep(:s)"), {"s": random.random() / 200})
            shared.ask(client.now)
            with collecting:
                collected.update(map(str, shared.changed() or ()))
                if own not in collected:
                    missed.append(own)
        return missed

    with ThreadPoolExecutor(8) as writers:
        assert [*writers.map(store_and_ask, range(8))] == [[]] * 8
    assert url.removeprefix("/play/") not in collected


def test_notes_that_are_deleted_count_as_a_change_of_everything(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(changes, "KEPT_ROWS", 1)
    url = start_between(client, "tinc")
    news = News(client)
    play(client, url, ["a1", "b1"], ALICE, BOB)
    changes.delete_old(client.database)
    assert news.read() is None
    assert news.read() == set()


def test_a_server_that_was_started_again_may_have_changed_anything(
    client: Client, server: Server
) -> None:
    news = News(client)
    server.stop()
    server.start()
    assert news.read() is None
    assert news.read() == set()


def test_who_has_moved_through_one_capsule_sees_it_through_the_other(
    client: Client, other: Client
) -> None:
    url = start_between(client, "ultimate")
    before = {who: [each.get(url, who) for each in (client, other)] for who in (ALICE, BOB)}
    play(client, url, ["e5"], ALICE)
    for who, pages in before.items():
        assert other.get(url, who) == client.get(url, who)
        assert other.get(url, who) not in pages


def test_a_page_is_made_once_for_somebody_until_something_changes(
    client: Client, other: Client
) -> None:
    url, elsewhere = start_between(client, "ultimate"), start_between(client, "tinc", BOB, CAROL)
    addresses = [url, "/play/", "/help/moves"]
    before = [client.get(address, ALICE) for address in addresses]
    play(other, elsewhere, ["a1"], BOB)
    with recorded_queries(client) as recorded:
        assert [client.get(address, ALICE) for address in addresses] == before
    assert not recorded
    play(other, url, ["e5"], ALICE)
    assert client.get(url, ALICE) != before[0]


def test_a_visitor_may_see_what_was_true_a_second_ago(client: Client, other: Client) -> None:
    url = start_between(client, "ultimate")
    before = other.get(url)
    play(client, url, ["e5"], ALICE)
    assert "Move 2" in client.get(url), "who stored it does not show what was before"
    with recorded_queries(other) as recorded:
        assert other.get(url) == before
    assert not recorded
    other.now += timedelta(seconds=1.1)
    assert "Move 2" in other.get(url)


def test_what_is_true_of_a_page_is_not_what_was_found_while_it_was_made(
    client: Client, other: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    from capsule.play.pages import game  # noqa: PLC0415 - what is patched below

    url = start_between(client, "ultimate")
    client.forget_pages()
    made, moves = game.visit_of, iter(["e5"])

    def overtaken(*arguments: object, **named: object) -> object:
        found = made(*arguments, **named)
        for move in moves:
            play(other, url, [move], ALICE)
            client.get("/play/", BOB)
        return found

    monkeypatch.setattr(game, "visit_of", overtaken)
    client.get(url, BOB)
    assert link(client.get(url, BOB), "/move")
