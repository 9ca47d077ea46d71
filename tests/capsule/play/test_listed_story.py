"""Which games are listed, told by feeds, and counted by the explorer."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select

from capsule.boards import explorer
from capsule.db.schema.games import games as stored_games
from tests.support.client import link
from tests.support.feeds import addresses, entries
from tests.support.stories import (
    ALICE,
    BOB,
    CAROL,
    WON_GAMES,
    open_game,
    play,
    start,
)
from tests.support.tournaments import begin, games, keep_time, resign

if TYPE_CHECKING:
    from capsule.gemini.types import Certificate
    from tests.support.client import Client

PEOPLE = {"alice": ALICE, "bob": BOB, "carol": CAROL}
PUBLIC = ("/", "/games/", "/games/numeric", "/feed", "/games/numeric/feed", "/players/alice/feed")
"""Public pages that could show a game of numeric."""


def declare(client: Client, *programs: Certificate) -> None:
    """Declare players programs."""
    for who in programs:
        client.type(link(client.get("/play/me/program", who), "/declare"), "program", who)


def shown(client: Client, url: str) -> set[str]:
    """Return the public pages that lead to a game."""
    return {page for page in PUBLIC if url in client.get(page)}


def explored(client: Client) -> int:
    """Have the explorer count what is due, and return how many games it has counted."""
    explorer.count_due(client.database)
    with client.database.reading() as connection:
        found = connection.execute(select(stored_games.c.id).where(stored_games.c.explored))
        return len(found.all())


def test_a_program_that_takes_a_programs_seat_takes_the_game_off_the_lists(client: Client) -> None:
    declare(client, ALICE, BOB)
    url = start(client, "numeric", "open")
    assert shown(client, url) == {*PUBLIC}, "the seat is open to people"
    client.get(link(client.get(url, BOB), "/join"), BOB)
    assert not shown(client, url)
    play(client, url, WON_GAMES["numeric"].split(), ALICE, BOB)
    assert not shown(client, url)
    assert not explored(client)
    assert url in client.get(f"{url}/feed")


@pytest.mark.parametrize("way", ["solo", "bot-club"])
def test_what_a_program_plays_alone_or_with_a_bot_is_never_listed(client: Client, way: str) -> None:
    declare(client, ALICE)
    page = client.get("/play/new/numeric?listed=yes", ALICE)
    url = client.ask(link(page, f"/{way}"), ALICE).meta
    assert not shown(client, url)


def test_the_rematch_of_two_programs_is_not_listed_either(client: Client) -> None:
    declare(client, ALICE, BOB)
    url = open_game(client, "numeric")
    play(client, url, WON_GAMES["numeric"].split(), ALICE, BOB)
    client.get(link(client.get(url, ALICE), "/rematch"), ALICE)
    client.get(link(client.get(url, BOB), "/accept"), BOB)
    (game,) = json.loads(client.get("/play/desk.json", BOB))["games"]
    assert not shown(client, game["page"])


def test_games_that_run_are_listed_no_more_once_no_person_plays_them(client: Client) -> None:
    page = client.get("/play/new/numeric?rated=no", ALICE)
    url = client.ask(link(page, "/open"), ALICE).meta
    client.get(link(client.get(url, BOB), "/join"), BOB)
    declare(client, ALICE)
    assert url in client.get("/games/"), "bob is a person"
    declare(client, BOB)
    assert not shown(client, url)


def test_games_between_people_are_explored(client: Client) -> None:
    url = open_game(client, "numeric")
    play(client, url, WON_GAMES["numeric"].split(), ALICE, BOB)
    assert explored(client) == 1


def test_a_tournament_is_one_entry_when_it_begins_and_one_when_it_ends(client: Client) -> None:
    url = begin(client, "variant=numeric&seats=3")
    beginning = f"{url}?announced"
    for feed in ("/feed", "/games/numeric/feed"):
        assert addresses(client, feed) == [beginning]
        assert entries(client, feed) == ["alice's numeric begins: Numeric"]
    client.now += timedelta(hours=1)
    for (x, o), game in games(client, url).items():
        assert game in client.get("/games/"), "two people play it"
        resign(client, game, PEOPLE[max(x, o)])
    keep_time(client)
    for feed in ("/feed", "/games/numeric/feed"):
        assert addresses(client, feed) == [f"{url}?finished", beginning]
    assert not addresses(client, "/players/alice/feed")


def test_the_games_of_a_tournament_are_listed_if_people_play_them(client: Client) -> None:
    declare(client, BOB, CAROL)
    url = begin(client, "variant=numeric&seats=3")
    for names, game in games(client, url).items():
        assert ("alice" in names) == (game in client.get("/games/")), names
