"""Pages speak to their reader as you, and of everybody else by name."""

from datetime import timedelta

import pytest

from tests.support.client import Client, links
from tests.support.gemtext import prose
from tests.support.stories import (
    ALICE,
    BOB,
    CAROL,
    WON_GAMES,
    challenge,
    play,
    start,
    start_between,
)
from tests.support.tournaments import resign


@pytest.fixture
def url(client: Client) -> str:
    """The URL of a game of numeric in which alice, Odd, is to move."""
    made = start_between(client, "numeric")
    play(client, made, ["a1=5", "a2=8"], ALICE, BOB)
    return made


def sentences(client: Client, url: str, who: object) -> str:
    """Return the prose of a page without its heading."""
    return prose(client.get(url, who)).partition("\n")[2]


def test_the_turn_and_the_clock(client: Client, url: str) -> None:
    assert "Move 3 is yours. bob (Even) played a2=8 on" in sentences(client, url, ALICE)
    assert "You have until 27 November" in sentences(client, url, ALICE)
    assert "Move 3. alice (Odd) to play. You played a2=8 on" in sentences(client, url, BOB)
    assert "alice (Odd) has until 27 November" in sentences(client, url, BOB)
    for who in (CAROL, None):
        assert "Move 3. alice (Odd) to play. bob (Even) played" in sentences(client, url, who)


def test_a_challenge(client: Client) -> None:
    start(client, "tinc", "solo", BOB)
    url = challenge(client, "bob", "numeric").meta
    for who in (ALICE, BOB):
        assert "seat kept for bob (" in client.get(url, who).splitlines()[0]
    assert "You have challenged bob. The seat of " in sentences(client, url, ALICE)
    challenged = sentences(client, url, BOB)
    assert "alice (Odd) challenges you. The seat of Even is kept for you until" in challenged
    assert "Odd's turn" not in challenged


def test_a_first_move_waits_for_the_player_whose_seat_is_kept(client: Client) -> None:
    start(client, "tinc", "solo", BOB)
    url = challenge(client, "bob", "numeric", terms="?side=o").meta
    for who in (ALICE, BOB, CAROL):
        assert "Move 1. Odd to play." in sentences(client, url, who)
    assert "alice (Even) has challenged bob. The seat of Odd is kept until" in sentences(
        client, url, CAROL
    )


def test_time_that_has_run_out(client: Client, url: str) -> None:
    client.now += timedelta(days=8)
    late, waiting = sentences(client, url, ALICE), sentences(client, url, BOB)
    assert "You ran out of time on 27 November 2026 at 14:02 UTC, but you may still move." in late
    assert "bob (Even) may claim" in late
    assert "alice (Odd) ran out of time on 27 November 2026 at 14:02 UTC. You may claim" in waiting
    assert "you win." in waiting


@pytest.mark.parametrize("path", ["", "/history", "/words", "/4"])
def test_the_result(client: Client, path: str) -> None:
    url = start_between(client, "numeric")
    play(client, url, WON_GAMES["numeric"].split(), ALICE, BOB)
    assert "You lost: " in sentences(client, f"{url}{path}", ALICE)
    assert "You won: " in sentences(client, f"{url}{path}", BOB)
    for who in (CAROL, None):
        assert "bob (Even) wins: " in sentences(client, f"{url}{path}", who)


def test_the_last_move(client: Client, url: str) -> None:
    resign(client, url, ALICE)
    assert "After move 2: you played a2=8 on" in sentences(client, f"{url}/2", BOB)


def test_who_plays_alone_is_called_by_the_sides(client: Client) -> None:
    url = start(client, "numeric", "solo")
    play(client, url, ["a1=5"], ALICE)
    assert "Move 2. Even to play. Odd played a1=5 on" in sentences(client, url, ALICE)


def test_one_word_for_each_way_to_give_up_and_one_way_at_a_time(client: Client) -> None:
    url = start_between(client, "numeric")
    for move in ["a1=5", "a2=8"]:
        found = links(client.get(url, ALICE))
        assert "Abort the game: nobody wins or loses" in found
        assert "Resign" not in found
        play(client, url, [move], ALICE, BOB)
    found = links(client.get(url, ALICE))
    assert "Resign" in found
    assert not [label for label in found if "bort" in label]


def test_a_game_of_a_few_moves_has_no_turning_point(client: Client, url: str) -> None:
    play(client, url, ["c1=1"], ALICE)
    resign(client, url, ALICE)
    assert f"{url}/analysis" not in client.get(url, ALICE)
