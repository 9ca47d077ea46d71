"""From one move to the next: every page of a player's leads to the games that wait for them."""

import re
from datetime import timedelta

import pytest

from capsule.gemini.types import Certificate
from tests.support.client import Client, action, certificate, link, links
from tests.support.stories import ALICE, BOB, CAROL, play, start, start_between


def next_from(client: Client, url: str, who: Certificate = ALICE) -> str:
    """Return the address to which the link to the next game leads from the page of a game."""
    answer = client.ask(links(client.get(url, who))["Next game"], who)
    assert answer.status == 30
    return answer.meta


def leads_to(answer: str, page: str) -> bool:
    """Return whether an address is that of a page, new to a browser."""
    return re.fullmatch(rf"{page}\?at-[0-9]+", answer) is not None


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
        "Next game",
        "Refresh",
        "Live (Lagrange shows it as it grows; Amfora only at its end)",
        "Rules of Ultimate",
        "Plan an answer in advance: if … then …",
    ]
    assert leads_to(next_from(client, url), soonest)
    play(client, soonest, ["b2=5"], ALICE)
    assert leads_to(next_from(client, soonest), later)


def test_of_games_with_the_same_time_for_a_move_the_next_one_has_waited_longest(
    client: Client, url: str
) -> None:
    play(client, url, ["e5"], ALICE)
    first = start_between(client, "tinc", ALICE, CAROL)
    client.now += timedelta(minutes=1)
    second = start_between(client, "numeric", ALICE, BOB)
    client.now += timedelta(minutes=1)
    play(client, url, ["d4"], BOB)
    assert leads_to(client.ask("/play/next", ALICE).meta, first)
    play(client, first, ["a1"], ALICE)
    assert leads_to(client.ask("/play/next", ALICE).meta, second)


def test_a_game_is_passed_over_on_the_way_to_the_next_one(client: Client, url: str) -> None:
    game = url.removeprefix("/play/")
    assert leads_to(client.ask("/play/next", ALICE).meta, url)
    assert leads_to(client.ask(f"/play/next?{game}", ALICE).meta, "/play/")
    other = start_between(client, "tinc", ALICE, CAROL)
    assert leads_to(client.ask(f"/play/next?{game}", ALICE).meta, other)
    assert leads_to(client.ask("/play/next?nothing", ALICE).meta, url), "no game has that name"


def test_whoever_is_not_signed_in_comes_to_the_next_game_by_signing_in(
    client: Client, url: str
) -> None:
    way = client.ask("/play/next").meta
    assert client.ask(way).status == 60
    assert leads_to(client.ask(way, ALICE).meta, url)
    assert leads_to(client.ask(way, certificate("somebody new")).meta, "/play/")


def test_the_way_to_the_next_game_stays_in_a_language_that_nobody_has_chosen(
    client: Client,
) -> None:
    answer = client.ask("/play/next?lang=pt", certificate("somebody new"))
    assert re.fullmatch(r"/play/\?pt/at-[0-9]+", answer.meta)


def test_where_it_is_your_turn_nothing_precedes_the_link_to_type_a_move(client: Client) -> None:
    url = start_between(client, "ultimate")
    start_between(client, "tinc")
    assert labels(client.get(url, ALICE))[:2] == ["Type your move", "Rules of Ultimate"]
    assert "Next game" not in links(client.get(url, ALICE))
    quantum = start_between(client, "quantum")
    play(client, quantum, ["a1+b2", "a1+b2"], ALICE, BOB)
    found = labels(client.get(quantum, ALICE))
    assert found[:2] == ["Type your move", "Rules of Quantum"], "though two moves are links"
    assert found[2].startswith("a1: settles o2 in a1")


def test_an_offer_to_answer_waits_too_but_after_the_games_to_move_in(
    client: Client, url: str
) -> None:
    other = start_between(client, "tinc", BOB, ALICE)
    play(client, url, ["e5"], ALICE)
    client.get(link(client.get(other, BOB), "/draw"), BOB)
    assert leads_to(next_from(client, url), other)
    ask = link(client.get("/play/new/numeric", CAROL), "/challenge")
    client.type(ask, "alice", CAROL)
    quantum = start_between(client, "quantum", ALICE, CAROL)
    assert leads_to(next_from(client, url), quantum)
    assert labels(client.get(url, ALICE)).count("Your games") == 1
    assert "All waiting games on one page" in links(client.get("/play/", ALICE))


def test_games_that_are_played_alone_wait_for_nobody(client: Client, url: str) -> None:
    alone = start(client, "numeric", "solo")
    play(client, url, ["e5"], ALICE)
    assert leads_to(next_from(client, url), "/play/")
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
    assert leads_to(next_from(client, url), other)


def test_the_page_of_a_game_says_nothing_of_other_games(client: Client, url: str) -> None:
    play(client, url, ["e5"], ALICE)
    start(client, "numeric", "solo", CAROL)
    before = {who: client.get(url, who) for who in (ALICE, BOB, CAROL)}
    start_between(client, "tinc", ALICE, CAROL)
    start_between(client, "tinc", CAROL, BOB)
    client.forget_pages()
    assert {who: client.get(url, who) for who in before} == before
    assert all("Your games" in links(page) for page in before.values())
    assert "Your games" not in client.get(url)
    assert client.get("/play/", CAROL).startswith("# Your games (1 waiting)\n")


def test_a_rematch_that_is_offered_is_the_next_game(client: Client, url: str) -> None:
    play(client, url, ["e5"], ALICE)
    ended = start_between(client, "tinc", ALICE, CAROL)
    client.type(action(client.get(ended, ALICE), "resign"), "resign", ALICE)
    assert leads_to(next_from(client, url), "/play/")
    rematch = client.ask(link(client.get(ended, CAROL), "/rematch"), CAROL).meta
    offered = links(client.get(rematch, CAROL))["The game that you have offered"]
    assert leads_to(next_from(client, url), offered)


def test_a_game_that_nobody_has_joined_waits_for_an_opponent_whoever_begins(
    client: Client, url: str
) -> None:
    start(client, "numeric", "open")
    client.now += timedelta(hours=4)
    other = start_between(client, "tinc", ALICE, CAROL)

    play(client, url, ["e5"], ALICE)

    assert leads_to(next_from(client, url), other)
    page = client.get("/play/", ALICE)
    assert page.startswith("# Your games (1 waiting)\n")
    assert labels(page)[:3] == [
        "Tinc with carol: move 1, you are X, 7 days left",
        "Start a game",
        "Numeric, no opponent yet: move 1, you are Odd, 6 days left",
    ]
    assert page.index("## Waiting for your opponent") < page.index("Numeric, no opponent yet")
    assert "Numeric" not in client.get("/play/desk", ALICE)
