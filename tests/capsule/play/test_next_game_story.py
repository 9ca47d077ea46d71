"""From one move to the next: every page of a player's leads to the games that wait for them."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest

from tests.support.client import Client, action, link, links
from tests.support.stored import change_row
from tests.support.stories import ALICE, BOB, CAROL, open_game, play, start, start_between


def next_of(page: str) -> list[str]:
    """Return the labels of a page's links to the next game."""
    return [label for label in links(page) if label.startswith("Next: ")]


def labels(page: str) -> list[str]:
    return re.findall(r"^=> \S+ (.+)$", page, re.MULTILINE)


@pytest.fixture
def url(client: Client) -> str:
    """The URL of a game of ultimate in which alice is to move."""
    return start_between(client, "ultimate")


def test_after_a_move_the_first_link_is_the_game_whose_clock_is_shortest(
    client: Client, url: str
) -> None:
    later = start_between(client, "tinc", ALICE, CAROL)
    client.now += timedelta(hours=4)
    start_between(client, "quantum", ALICE, CAROL)
    client.now -= timedelta(hours=28)
    soonest = start_between(client, "numeric", ALICE, BOB)
    client.now += timedelta(hours=28)

    play(client, url, ["e5"], ALICE)

    page = client.get(url, ALICE)
    assert "You played e5 on" in page
    assert labels(page)[:5] == [
        "Next: Numeric with bob, your turn, 5 days left (2 more waiting)",
        "Refresh",
        "Live (Lagrange shows it as it grows; Amfora only at its end)",
        "Rules of Ultimate",
        "Plan an answer in advance: if … then …",
    ]
    assert links(page)[labels(page)[0]] == f"{soonest}?turn-1"
    play(client, soonest, ["b2=5"], ALICE)
    after = client.get(soonest, ALICE)
    assert links(after)[next_of(after)[0]] == f"{later}?turn-1"


def test_where_it_is_your_turn_nothing_precedes_the_link_to_type_a_move(client: Client) -> None:
    url = start_between(client, "ultimate")
    start_between(client, "tinc")
    assert labels(client.get(url, ALICE))[:2] == ["Type your move", "Rules of Ultimate"]
    assert not next_of(client.get(url, ALICE))
    quantum = start_between(client, "quantum")
    play(client, quantum, ["a1+b2", "a1+b2"], ALICE, BOB)
    found = labels(client.get(quantum, ALICE))
    width = "Is this board too wide for your screen? Choose the width"
    assert found[:3] == ["Type your move", width, "Rules of Quantum"], "though two moves are links"
    assert found[3].startswith("a1: settles o2 in a1")


def test_an_offer_to_answer_waits_too_but_after_the_games_to_move_in(
    client: Client, url: str
) -> None:
    other = start_between(client, "tinc", BOB, ALICE)
    play(client, url, ["e5"], ALICE)
    client.get(link(client.get(other, BOB), "/draw"), BOB)
    assert next_of(client.get(url, ALICE)) == [
        "Next: Tinc with bob, a draw is offered, 7 days left"
    ]
    ask = link(client.get("/play/new/numeric", CAROL), "/challenge")
    client.type(ask, "alice", CAROL)
    start_between(client, "quantum", ALICE, CAROL)
    page = client.get(url, ALICE)
    assert next_of(page) == ["Next: Quantum with carol, your turn, 7 days left (2 more waiting)"]
    assert labels(page).count("Your games") == 1
    assert "All waiting games on one page" in links(client.get("/play/", ALICE))


def test_games_that_are_played_alone_wait_for_nobody(client: Client, url: str) -> None:
    alone = start(client, "numeric", "solo")
    play(client, url, ["e5"], ALICE)
    page = client.get(url, ALICE)
    assert not next_of(page)
    assert "Your games" in links(page)
    listed = client.get("/play/", ALICE)
    assert listed.startswith("# Your games\n")
    assert (
        links(listed.partition("## Games you play alone")[2])["Numeric alone: move 1, Odd to play"]
        == alone
    )
    assert client.get("/play/desk", ALICE).startswith("# Nothing waits for you\n")


def test_a_game_that_ends_leads_on_too(client: Client, url: str) -> None:
    other = start_between(client, "tinc", ALICE, CAROL)
    client.type(action(client.get(url, ALICE), "resign"), "resign", ALICE)
    page = client.get(url, ALICE)
    assert links(page)["Next: Tinc with carol, your turn, 7 days left"] == f"{other}?turn-1"


def test_who_watches_is_told_of_their_own_games(client: Client, url: str) -> None:
    start_between(client, "tinc", CAROL, BOB)
    assert "Your games (1 waiting)" in links(client.get(url, CAROL))
    assert "Your games" not in client.get(url)


def test_a_vacation_gives_time_in_the_next_game_too(client: Client, url: str) -> None:
    start_between(client, "tinc", ALICE, CAROL)
    play(client, url, ["e5"], ALICE)
    client.type(link(client.get("/play/", ALICE), "/vacation"), "3", ALICE)
    assert next_of(client.get(url, ALICE)) == ["Next: Tinc with carol, your turn, 10 days left"]


# Pages that are kept


@pytest.mark.sqlite
def test_a_kept_page_tells_at_once_that_another_game_waits(client: Client, url: str) -> None:
    play(client, url, ["e5"], ALICE)
    other = open_game(client, "tinc", CAROL, ALICE)
    assert not next_of(client.get(url, ALICE))
    play(client, other, ["a1"], CAROL)
    assert next_of(client.get(url, ALICE)) == ["Next: Tinc with carol, your turn, 7 days left"]
    play(client, other, ["c1"], ALICE)
    assert not next_of(client.get(url, ALICE))


@pytest.mark.sqlite
def test_a_kept_page_tells_at_once_of_a_rematch(client: Client, url: str) -> None:
    play(client, url, ["e5"], ALICE)
    ended = start_between(client, "tinc", ALICE, CAROL)
    client.type(action(client.get(ended, ALICE), "resign"), "resign", ALICE)
    assert not next_of(client.get(url, ALICE))
    client.get(link(client.get(ended, CAROL), "/rematch"), CAROL)
    (label,) = next_of(client.get(url, ALICE))
    assert label.startswith("Next: Tinc with carol, a rematch is offered, you would be O")


@pytest.mark.sqlite
@pytest.mark.parametrize(
    ("passed", "before", "after"),
    [
        (timedelta(hours=1), "7 days left", "6 days left"),
        (timedelta(days=6, hours=1), "1 day left", "23 hours left"),
        (timedelta(days=6, hours=23, minutes=47, seconds=5), "13 minutes left", "12 minutes left"),
        (timedelta(days=7), "less than a minute left", "the time is up"),
    ],
)
def test_a_kept_page_says_how_much_time_is_left_to_the_second(
    client: Client, url: str, passed: timedelta, before: str, after: str
) -> None:
    play(client, url, ["e5"], ALICE)
    began = client.now
    start_between(client, "tinc", ALICE, CAROL)
    client.now = began + passed - timedelta(seconds=1)
    assert next_of(client.get(url, ALICE)) == [f"Next: Tinc with carol, your turn, {before}"]
    client.now += timedelta(seconds=2)
    assert next_of(client.get(url, ALICE)) == [f"Next: Tinc with carol, your turn, {after}"]


@pytest.mark.sqlite
def test_a_kept_page_forgets_a_game_that_ends_by_itself(client: Client, url: str) -> None:
    play(client, url, ["e5"], ALICE)
    other = start_between(client, "tinc", ALICE, CAROL)
    with client.database.writing() as connection:
        days = {"days_a_move": 1}
        change_row(connection, other.removeprefix("/play/"), **days)
    client.now += timedelta(days=2) - timedelta(seconds=1)
    assert next_of(client.get(url, ALICE)) == ["Next: Tinc with carol, your turn, the time is up"]
    client.now += timedelta(seconds=1)
    assert not next_of(client.get(url, ALICE))


def test_a_game_that_nobody_has_joined_waits_for_an_opponent_whoever_begins(
    client: Client, url: str
) -> None:
    start(client, "numeric", "open")
    client.now += timedelta(hours=4)
    start_between(client, "tinc", ALICE, CAROL)

    play(client, url, ["e5"], ALICE)

    assert next_of(client.get(url, ALICE)) == ["Next: Tinc with carol, your turn, 7 days left"]
    page = client.get("/play/", ALICE)
    assert page.startswith("# Your games (1 waiting)\n")
    assert labels(page)[:3] == [
        "Tinc with carol: move 1, you are X, 7 days left",
        "Start a game",
        "Numeric, no opponent yet: move 1, you are Odd, 6 days left",
    ]
    assert page.index("## Waiting for your opponent") < page.index("Numeric, no opponent yet")
    assert "Numeric" not in client.get("/play/desk", ALICE)
