"""A newcomer's games against bots: casual, whatever the terms say, and the pages say so."""

from __future__ import annotations

import pytest

from tests.support.client import Client, link, links
from tests.support.stories import ALICE, BOB, WON_GAMES, play, start, start_between

CASUAL = "Casual: it does not count for ratings."
RATED = "Rated: it counts for both ratings"
FIRST = "Until you have finished a game, those against bots are casual"


def resign(client: Client, url: str) -> None:
    client.type(link(client.get(url, ALICE), "/resign"), "resign", ALICE)


@pytest.mark.parametrize("page", ["/play/new/", "/play/new/ultimate"])
def test_the_pages_that_start_it_say_so_until_a_game_has_ended(client: Client, page: str) -> None:
    assert FIRST in client.get(page, ALICE), "to visitors who are not players yet"
    url = start(client, "ultimate", "bot-novice")
    assert FIRST in client.get(page, ALICE), "while the first is played"
    second = start(client, "tinc", "bot-novice")
    assert CASUAL in client.get(second, ALICE), "a second one that begins meanwhile is casual, too"
    resign(client, url)
    assert FIRST not in client.get(page, ALICE)


def test_the_first_game_against_a_bot_is_casual_and_the_next_is_rated(client: Client) -> None:
    url = start(client, "ultimate", "bot-novice")
    assert CASUAL in client.get(url, ALICE)
    play(client, url, ["e5"], ALICE)
    resign(client, url)
    url = start(client, "tinc", "bot-club")
    assert RATED in client.get(url, ALICE)


def test_one_link_to_a_first_game_starts_a_casual_one(client: Client) -> None:
    addresses = links(client.get("/play/new/", ALICE)).values()
    (at_once,) = (each for each in addresses if "/ultimate/" in each and each.endswith("bot-club"))
    assert CASUAL in client.get(at_once, ALICE)


def test_a_game_that_was_called_off_makes_nobody_experienced(client: Client) -> None:
    url = start(client, "ultimate", "bot-novice")
    client.type(link(client.get(url, ALICE), "/abort"), "abort", ALICE)
    assert FIRST in client.get("/play/new/ultimate", ALICE)
    assert CASUAL in client.get(start(client, "ultimate", "bot-novice"), ALICE)


def test_a_player_who_has_played_people_is_rated_against_bots(client: Client) -> None:
    play(client, start_between(client, "numeric"), WON_GAMES["numeric"].split(), ALICE, BOB)
    for who in (ALICE, BOB):
        assert FIRST not in client.get("/play/new/numeric", who)
        assert RATED in client.get(start(client, "numeric", "bot-club", who), who)


def test_a_first_game_against_a_person_is_rated(client: Client) -> None:
    assert RATED in client.get(start_between(client, "numeric"), ALICE)


def test_where_the_terms_are_casual_there_is_nothing_more_to_say(client: Client) -> None:
    page = client.get("/play/new/ultimate?rated=no", ALICE)
    assert "The game is casual" in page
    assert FIRST not in page
    start(client, "numeric", "invite", BOB)
    assert FIRST not in client.get("/play/new/ultimate?with=bob", ALICE), "bob is no bot"
