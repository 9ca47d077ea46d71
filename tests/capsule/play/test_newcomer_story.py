"""A newcomer's games against bots: casual, whatever the terms say, and the pages say so."""

import re

from tests.support.client import Client, action, link, links
from tests.support.stories import ALICE, BOB, WON_GAMES, play, start, start_between

CASUAL = "Casual: no rating changes."
RATED = "Rated, as long as nobody uses a hint"
AGAINST_BOTS = "Rated, against bots too"


def resign(client: Client, url: str) -> None:
    client.type(action(client.get(url, ALICE), "resign"), "resign", ALICE)


def rate_bots(client: Client) -> None:
    """Let Alice's games against bots count for ratings."""
    settings = client.get("/play/me/settings", ALICE)
    client.get(links(settings)["Let games against bots count for ratings"], ALICE)


def test_rated_games_against_bots_are_offered_once_a_game_has_ended(client: Client) -> None:
    rate_bots(client)
    for page in ("/play/", "/play/new/"):
        assert "Ultimate with the novice bot, casual" in client.get(page, ALICE)
    terms = "/play/new/ultimate/terms"
    assert AGAINST_BOTS not in client.get(f"{terms}?rated=no", ALICE)
    assert re.search(
        r"Novice bot, \d+, casual: ", client.get("/play/new/ultimate?rated=yes", ALICE)
    )
    url = start(client, "ultimate", "bot-novice")
    assert "Ultimate with the novice bot, casual" in client.get("/play/new/", ALICE)
    resign(client, url)
    assert "Ultimate with the novice bot, rated" in client.get("/play/new/", ALICE)
    assert AGAINST_BOTS in client.get(f"{terms}?rated=no", ALICE)
    assert re.search(r"Novice bot, \d+, rated: ", client.get("/play/new/ultimate", ALICE))


def test_an_address_that_leaves_it_open_starts_a_casual_game_first_and_then_rated_ones(
    client: Client,
) -> None:
    url = start(client, "ultimate", "bot-novice")
    assert CASUAL in client.get(url, ALICE)
    assert CASUAL in client.get(start(client, "tinc", "bot-novice"), ALICE), "one begun meanwhile"
    play(client, url, ["e5"], ALICE)
    resign(client, url)
    url = start(client, "tinc", "bot-club")
    assert RATED in client.get(url, ALICE)


def test_a_game_that_was_aborted_makes_nobody_experienced(client: Client) -> None:
    url = start(client, "ultimate", "bot-novice")
    client.type(link(client.get(url, ALICE), "/abort"), "abort", ALICE)
    assert AGAINST_BOTS not in client.get("/play/new/ultimate/terms", ALICE)
    assert CASUAL in client.get(start(client, "ultimate", "bot-novice"), ALICE)


def test_a_player_who_has_played_people_may_be_rated_against_bots(client: Client) -> None:
    play(client, start_between(client, "numeric"), WON_GAMES["numeric"].split(), ALICE, BOB)
    for who in (ALICE, BOB):
        assert AGAINST_BOTS in client.get("/play/new/numeric/terms", who)
        assert RATED in client.get(start(client, "numeric", "bot-club", who), who)


def test_a_first_game_against_a_person_is_rated(client: Client) -> None:
    page = client.get(start_between(client, "numeric"), ALICE)
    assert "Rated, as long as nobody takes a move back." in page


def test_nothing_is_said_of_bots_to_somebody_who_challenges_a_person(client: Client) -> None:
    start(client, "numeric", "invite", BOB)
    for page in ("/play/new/ultimate?with=bob", "/play/new/ultimate/terms?with=bob"):
        assert "bots" not in client.get(page, ALICE)
