"""Ending a game before its last move: resigning, agreeing on a draw, calling it off."""

import pytest

from engine import VARIANTS
from tests.support.client import Client, action, link, links
from tests.support.stories import ALICE, BOB, play, record, start, start_between, undone


def test_resigning_asks_for_the_word(client: Client, url: str) -> None:
    resign = action(client.get(url, BOB), "resign")
    assert client.ask(resign, BOB).meta == "Type resign to give up this game"
    assert client.type(resign, "no", BOB).status == 10
    assert record(client, url)["status"] == "playing"

    assert client.type(resign, " Resign", BOB).status == 30

    assert "bob (O) resigned: alice (X) wins.\n" in client.get(url)
    assert record(client, url) | {"id": ""} == {
        "variant": "ultimate",
        "id": "",
        "players": {"X": "alice", "O": "bob"},
        "moves": [],
        "status": "resigned",
        "winner": "X",
        "points": [1, 0],
        "created": "2026-11-20T14:02:00Z",
        "ended": "2026-11-20T14:02:00Z",
    }


def test_in_a_solo_game_the_side_to_move_resigns(client: Client) -> None:
    url = start(client, "ultimate", "solo")
    play(client, url, ["e5"], ALICE)
    client.type(action(client.get(url, ALICE), "resign"), "resign", ALICE)
    assert record(client, url)["winner"] == "X"


def test_the_page_of_a_resigned_game_acts_no_more(client: Client, url: str) -> None:
    page = client.get(url, ALICE)
    client.type(action(client.get(url, BOB), "resign"), "resign", BOB)
    for old in (link(page, "/move") + "?e5", action(page, "resign") + "?resign"):
        assert undone(client, old, ALICE, url)
    assert record(client, url)["winner"] == "X"
    assert record(client, url)["moves"] == []


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_draw_is_offered_and_accepted(client: Client, variant: str) -> None:
    url = start_between(client, variant)
    bob = "bob (Even)" if variant == "numeric" else "bob (O)"
    page = client.get(link(client.get(url, BOB), "/draw"), BOB)
    assert "You have offered a draw." in page
    assert f"{bob} has offered a draw." in client.get(url)
    page = client.get(url, ALICE)
    assert "Your opponent offers a draw." in page

    page = client.get(link(page, "/accept"), ALICE)

    assert "You drew by agreement." in page
    assert record(client, url)["winner"] is None
    assert record(client, url)["points"] == list(VARIANTS[variant].draw_points)


def test_two_offers_make_a_draw(client: Client, url: str) -> None:
    alices_offer = link(client.get(url, ALICE), "/draw")
    client.get(link(client.get(url, BOB), "/draw"), BOB)
    client.get(alices_offer, ALICE)
    assert record(client, url)["status"] == "agreed"


def test_a_game_is_aborted_before_its_second_move(client: Client, url: str) -> None:
    play(client, url, ["e5"], ALICE, BOB)
    abort = link(client.get(url, BOB), "/abort")
    assert client.ask(abort, BOB).meta == "Type abort to abort this game"
    client.type(abort, "abort", BOB)
    assert "bob aborted the game. Nobody won or lost." in client.get(url)
    assert record(client, url)["status"] == "aborted"
    assert record(client, url)["points"] is None


def test_a_game_is_not_aborted_after_its_second_move(client: Client, url: str) -> None:
    play(client, url, ["e5", "d4"], ALICE, BOB)
    page = client.get(url, ALICE)
    assert "Call the game off" not in links(page)
    abort = link(page, "/move").replace("/move", "/abort")
    client.ask(f"{abort}?abort", ALICE)
    assert record(client, url)["status"] == "playing"
