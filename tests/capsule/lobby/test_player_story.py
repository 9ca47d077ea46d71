"""The page of a player: the name, and the games that anyone may see."""

import pytest

from capsule.gemini.types import Response
from tests.support.client import Client, link, links
from tests.support.stories import ALICE, BOB, WON_GAMES, open_game, play, start, start_between


def test_a_players_page_has_their_public_games(client: Client) -> None:
    ended = open_game(client, "numeric")
    play(client, ended, WON_GAMES["numeric"].split(), ALICE, BOB)
    running = open_game(client, "ultimate")
    private = start_between(client, "tinc")

    page = client.get("/players/alice")

    assert page.startswith("# alice\n\nalice has played here since 20 November 2026.")
    going_on, _, over = page.partition("## Recently finished games")
    assert f"=> {running} Ultimate: alice (X) – bob (O), move 1, since" in going_on
    assert f"=> {ended}?end Lost to bob, Numeric, on " in over
    assert private not in page


def test_a_name_is_found_in_any_case(client: Client) -> None:
    start(client, "tinc", "open")
    assert client.ask("/players/ALICE") == Response(30, "/players/alice")


@pytest.mark.parametrize("name", ["nobody-here", "al1ce", "x", "a" * 300])
def test_a_name_that_is_nobodys_is_not_found(client: Client, name: str) -> None:
    start(client, "tinc", "open")
    assert client.ask(f"/players/{name}").status == 51


def test_a_game_leads_to_its_players_and_not_to_bots(client: Client) -> None:
    url = start_between(client, "tinc")
    assert links(client.get(f"{url}/more"))["Ratings and games of alice"] == "/players/alice"
    assert links(client.get(f"{url}/more"))["Ratings and games of bob"] == "/players/bob"
    url = start(client, "tinc", "bot-club")
    found = set(links(client.get(f"{url}/more")).values())
    people = {each for each in found if each.startswith("/players/")}
    assert people == {"/players/alice", "/players/ladder/tinc"}


def test_an_erased_player_has_no_page(client: Client) -> None:
    url = open_game(client, "tinc")
    client.type(link(client.get("/play/me/", ALICE), "/erase"), "erase", ALICE)
    assert client.ask("/players/alice").status == 51
    assert "Ratings and games of alice" not in links(client.get(url))
