"""Certificates cost nothing, so an address makes twenty players an hour of them, and no more."""

from collections.abc import Callable, Mapping
from datetime import timedelta
from urllib.parse import unquote

import pytest

from capsule.accounts.players import NewcomerLimit, TooManyNewcomers
from capsule.gemini.types import Certificate, Request, Response
from tests.support.client import Client, certificate, link
from tests.support.stories import ALICE, BOB
from tests.support.tournaments import HERE, announce

LIMIT = 20
NEW = certificate("new")


def ask(client: Client, url: str, who: Certificate, address: str = "house") -> Response:
    """Return the answer to a request from an address."""
    path, mark, query = url.partition("?")
    request = Request(unquote(path), unquote(query) if mark else None, who, address)
    return client.ask_for(request)


def solo(client: Client, who: Certificate, address: str = "house") -> Response:
    """Start a game from an address."""
    return ask(client, link(client.get("/play/new/tinc", who), "/solo"), who, address)


def players(client: Client) -> int:
    with client.database.reading() as connection:
        return connection.exec_driver_sql("SELECT count(*) FROM players").scalar_one()


@pytest.fixture
def crowded(client: Client) -> Client:
    """A capsule where twenty people have just begun to play from one address."""
    for number in range(LIMIT):
        assert solo(client, certificate(f"pupil-{number}")).status == 30
    return client


def test_the_twenty_first_waits(crowded: Client) -> None:
    assert solo(crowded, NEW) == Response(44, "180")
    assert players(crowded) == LIMIT
    assert ask(crowded, "/play/", NEW).status == 20, "looking is free"
    assert ask(crowded, "/play/new/tinc", NEW).status == 20
    assert solo(crowded, certificate("pupil-3")).status == 30, "those who play go on playing"
    assert solo(crowded, certificate("elsewhere"), "another house").status == 30
    crowded.now += timedelta(seconds=179)
    assert solo(crowded, NEW) == Response(44, "1")
    crowded.now += timedelta(seconds=1)
    assert solo(crowded, NEW).status == 30
    assert solo(crowded, certificate("newer")) == Response(44, "180")
    crowded.now += timedelta(hours=1)
    assert [solo(crowded, certificate(f"late-{each}")).status for each in range(LIMIT + 1)] == [
        *[30] * LIMIT,
        44,
    ]


def taking_a_seat(client: Client) -> str:
    url = client.ask(link(client.get("/play/new/tinc", ALICE), "/invite"), ALICE).meta
    return link(client.get(url, NEW), "/join")


WAYS: Mapping[str, Callable[[Client], str]] = {
    "seat": taking_a_seat,
    "challenge": lambda client: f"{link(client.get('/play/new/tinc', NEW), '/challenge')}?pupil-1",
    "name": lambda client: f"{link(client.get('/play/', NEW), '/name')}?zelda",
    "choice": lambda client: link(client.get("/play/me/settings", NEW), "/boards/unicode"),
    "tournament": lambda client: link(client.get(announce(client, who=BOB), NEW), "/join"),
    "announcement": lambda client: f"{link(client.get(f'{HERE}new', NEW), '/announce')}?cup",
}


@pytest.mark.parametrize("way", WAYS)
def test_every_first_action_counts(crowded: Client, way: str) -> None:
    for who in (ALICE, BOB):
        crowded.ask(link(crowded.get("/play/new/tinc", who), "/solo"), who)
    url = WAYS[way](crowded)
    known = players(crowded)
    assert ask(crowded, url, NEW) == Response(44, "180")
    assert players(crowded) == known
    crowded.now += timedelta(seconds=180)
    assert ask(crowded, url, NEW).status == 30
    assert players(crowded) == known + 1


def test_a_name_that_is_refused_makes_no_player_and_does_not_count(client: Client) -> None:
    client.ask(link(client.get("/play/new/tinc", ALICE), "/solo"), ALICE)
    for number in range(LIMIT + 5):
        who = certificate(f"imitator-{number}", common_name="")
        rename = link(client.get("/play/", who), "/name")
        assert ask(client, f"{rename}?alice", who).status == 10
    assert solo(client, NEW).status == 30


def test_there_need_be_no_limit() -> None:
    unlimited = NewcomerLimit(0, lambda: 0.0)
    for _ in range(1000):
        with unlimited.counted("house"):
            pass


def test_who_has_no_address_is_not_counted() -> None:
    limit = NewcomerLimit(1, lambda: 0.0)
    for _ in range(3):
        with limit.counted(None):
            pass
    with limit.counted("house"):
        pass
    with pytest.raises(TooManyNewcomers) as refusal, limit.counted("house"):
        pytest.fail("nobody is admitted")
    assert refusal.value.seconds == 3600
