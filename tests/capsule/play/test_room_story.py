"""Everybody has room for a hundred games, and every way into one knows; a few can be offered."""

from collections.abc import Callable

import pytest

from tests.support.client import Client, link
from tests.support.stored import numbered_id, store_solo_games
from tests.support.stories import ALICE, BOB, CAROL, record, start, start_between


def invited(client: Client) -> tuple[str, str]:
    return start(client, "tinc", "invite", BOB), "join"


def challenged(client: Client) -> tuple[str, str]:
    page = client.get("/play/new/tinc", BOB)
    return client.type(link(page, "/challenge"), "alice", BOB).meta, "accept"


def _ended(client: Client) -> str:
    url = start_between(client, "tinc")
    client.type(link(client.get(url, BOB), "/abort"), "abort", BOB)
    return url


def rematch_offered(client: Client) -> tuple[str, str]:
    url = _ended(client)
    client.ask(link(client.get(url, BOB), "/rematch"), BOB)
    return url, "accept"


def rematch(client: Client) -> tuple[str, str]:
    return _ended(client), "rematch"


@pytest.mark.parametrize("way", [invited, challenged, rematch_offered, rematch])
def test_no_way_leads_into_one_game_too_many(
    client: Client, way: Callable[[Client], tuple[str, str]]
) -> None:
    start(client, "tinc", "solo")
    url, verb = way(client)
    store_solo_games(client, ALICE, 99)
    before = record(client, url)
    for _ in range(2):
        page = client.get(link(client.get(url, ALICE), f"/{verb}"), ALICE)
        assert page.startswith(
            "# Too many games\n\nYou have 100 unfinished games. The limit is 100. "
            "Finish one first, or abort one that has hardly begun.\n"
        )
        assert link(page, url) == url, "back to where the seat stays open"
    assert record(client, url) == before

    done = f"/play/{numbered_id(1000)}"
    client.type(link(client.get(done, ALICE), "/abort"), "abort", ALICE)
    assert client.ask(link(client.get(url, ALICE), f"/{verb}"), ALICE).status == 30
    page = client.get(link(client.get("/play/new/tinc", ALICE), "/solo"), ALICE)
    assert page.startswith("# Too many games\n"), "the game that was entered is the hundredth"


def test_a_full_player_can_still_decline(client: Client) -> None:
    start(client, "tinc", "solo")
    url, _ = challenged(client)
    store_solo_games(client, ALICE, 99)
    client.get(link(client.get(url, ALICE), "/decline"), ALICE)
    assert record(client, url)["status"] == "aborted"


def test_the_name_that_was_typed_for_a_challenge_is_shown_again(client: Client) -> None:
    start(client, "tinc", "solo", BOB)
    start(client, "tinc", "solo")
    ask = link(client.get("/play/new/tinc", ALICE), "/challenge")
    store_solo_games(client, ALICE, 99)
    page = client.type(ask, "bob", ALICE).body
    assert page.startswith("# Too many games\n")
    assert "\n\nYour text was:\n> bob\n\n=> /play/new/tinc Back\n" in page


def test_six_games_can_be_offered_to_anyone_at_once(client: Client) -> None:
    offered = [start(client, variant, "open") for variant in ("tinc", "ultimate", "numeric") * 2]
    page = client.get(link(client.get("/play/new/quantum", ALICE), "/open"), ALICE)
    assert page.startswith("# Too many games\n\nYou offer 6 games that wait for an opponent. ")
    assert link(page, "/play/new/quantum")
    assert start(client, "tinc", "invite").startswith("/play/"), "an invitation is not listed"
    assert start(client, "tinc", "open", BOB).startswith("/play/"), "others offer their own"

    client.get(link(client.get(offered[0], CAROL), "/join"), CAROL)
    assert start(client, "quantum", "open").startswith("/play/"), "a game with players is no offer"
    page = client.get(link(client.get("/play/new/quantum", ALICE), "/open"), ALICE)
    assert page.startswith("# Too many games\n")
