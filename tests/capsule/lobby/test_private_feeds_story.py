"""Private feeds: what a player has to know, and nobody else."""

import re
from datetime import timedelta

import pytest

from capsule.accounts.model import Player
from capsule.context import AppContext
from capsule.games import moves, offers
from capsule.gemini.types import Certificate, Response
from capsule.play import challenges
from capsule.play.terms import GameTerms
from engine import VARIANTS
from tests.support.acting import act, answer
from tests.support.beginning import begin, challenge
from tests.support.client import BEGINNING, Client, context_of, link
from tests.support.feeds import addresses, entries, ids, private_feed
from tests.support.people import become_player
from tests.support.stories import (
    ALICE,
    BOB,
    CAROL,
    WON_GAMES,
    open_game,
    play,
    start,
    start_between,
)

NOWHERE = Response(51, "There is nothing at this address")
HOUR = timedelta(hours=1)


# Private feeds


def test_the_opponents_move_makes_exactly_one_your_turn(client: Client) -> None:
    url = start_between(client, "tinc")
    mine, theirs = private_feed(client, ALICE), private_feed(client, BOB)
    assert entries(client, mine) == ["Your turn in Tinc: you begin against bob"]
    assert not entries(client, theirs)

    play(client, url, ["a1"], ALICE, BOB)

    assert len(entries(client, mine)) == 1, "a move of my own is no news to me"
    assert entries(client, theirs) == ["Your turn in Tinc: alice played a1"]
    assert ids(client, theirs) == [f"{url}/1"]
    for _ in range(3):
        client.now += HOUR
        assert entries(client, theirs) == ["Your turn in Tinc: alice played a1"]


def test_a_private_feed_needs_no_certificate_and_leads_to_where_one_can_move(
    client: Client,
) -> None:
    url = start_between(client, "tinc")
    (address,) = addresses(client, private_feed(client, ALICE))
    assert link(client.get(address, ALICE), "/move") == link(client.get(url, ALICE), "/move")
    play(client, url, ["a1"], ALICE, BOB)
    (address,) = addresses(client, private_feed(client, BOB))
    assert client.get(address, BOB) == client.get(url, BOB)
    assert "Your turn." in client.get(address, BOB)


def test_a_bonus_move_gives_the_turn_once(client: Client) -> None:
    url = start_between(client, "extreme")
    moves = WON_GAMES["extreme"].split()
    play(client, url, moves, ALICE, BOB)
    start_position = VARIANTS["extreme"].start
    turns = [start_position.turn]
    position = start_position
    for move in moves:
        position = position.play(move)
        turns.append(position.turn)
    for who, side in ((ALICE, "X"), (BOB, "O")):
        given = [
            ply
            for ply, turn in enumerate(turns[:-1])
            if turn.value == side and (not ply or turns[ply - 1].value != side)
        ]
        found = ids(client, private_feed(client, who))
        assert [each for each in found if each != url] == [f"{url}/{ply}" for ply in given[::-1]]


def test_players_hear_of_an_end_that_the_opponent_made(client: Client) -> None:
    url = start_between(client, "numeric")
    play(client, url, WON_GAMES["numeric"].split(), ALICE, BOB)
    assert entries(client, private_feed(client, ALICE))[0] == "Lost to bob, Numeric"
    assert addresses(client, private_feed(client, ALICE))[0] == f"{url}?end"
    assert not [
        each for each in entries(client, private_feed(client, BOB)) if each.startswith("You ")
    ]


def test_games_alone_are_no_news_to_their_player(client: Client) -> None:
    for way in ("solo", "bot-expert"):
        url = start(client, "tinc", way)
        client.type(link(client.get(url, ALICE), "/move"), "a1", ALICE)
    assert not entries(client, private_feed(client, ALICE))


def test_x_may_move_before_anyone_has_come(client: Client) -> None:
    url = start(client, "tinc", "invite")
    play(client, url, ["a1"], ALICE)
    client.now += HOUR
    client.get(link(client.get(url, BOB), "/join"), BOB)
    assert not entries(client, private_feed(client, ALICE))
    assert entries(client, private_feed(client, BOB)) == ["Your turn in Tinc: alice played a1"]


def test_a_new_address_ends_the_old_one(client: Client) -> None:
    start_between(client, "tinc")
    old = private_feed(client, ALICE)
    change = link(client.get("/play/me/", ALICE), "/feed")

    assert client.ask(change, ALICE) == Response(30, "/play/me/")

    new = private_feed(client, ALICE)
    assert new != old
    assert client.ask(old) == client.ask(f"{old}.xml") == NOWHERE
    assert entries(client, new) == ["Your turn in Tinc: you begin against bob"]


def test_nobody_is_led_to_a_private_feed(client: Client) -> None:
    url = open_game(client, "tinc")
    mine = private_feed(client, ALICE)
    assert re.fullmatch("/feed/[a-z2-7]{32}", mine)
    for path in ("/", "/robots.txt", "/feed", "/games/", "/players/alice/feed", url, "/help/"):
        assert mine not in client.get(path), path
    assert mine not in client.get("/play/me/", BOB)


def test_a_newcomer_has_no_feed_yet(client: Client) -> None:
    assert "/feed/" not in client.get("/play/me/", ALICE)


# What players do with each other


@pytest.fixture
def context(client: Client) -> AppContext:
    """Return the context of pages, for steps that other stories take page by page."""
    return context_of(client)


def player(context: AppContext, who: Certificate) -> Player:
    """Return the player with a certificate."""
    return become_player(context, who)


def game_id(url: str) -> str:
    """Return a game's id."""
    return url.removeprefix("/play/")


def test_a_move_made_again_is_another_event(client: Client, context: AppContext) -> None:
    url = start_between(client, "ultimate")
    play(client, url, ["e5"], ALICE, BOB)
    hers, his = private_feed(client, ALICE), private_feed(client, BOB)
    (known,) = ids(client, his)
    assert known == f"{url}/1"
    game_feed = set(ids(client, f"{url}/feed"))

    client.now += HOUR
    act(offers.take_back, context, player(context, ALICE), game_id(url))
    act(offers.accept_takeback, context, player(context, BOB), game_id(url))

    assert not entries(client, his)
    assert entries(client, hers)[0] == "Your turn in Ultimate: bob agreed to the takeback"
    again = ids(client, hers)[0]

    client.now += HOUR
    play(client, url, ["d4"], ALICE, BOB)

    assert entries(client, his) == ["Your turn in Ultimate: alice played d4"]
    (anew,) = ids(client, his)
    assert len({anew, known, again, url, *game_feed}) == 3 + len(game_feed)
    assert ids(client, f"{url}/feed")[0] == anew
    assert client.ask(anew).body == client.ask(f"{url}/1").body


def test_somebody_who_is_challenged_hears_of_it_and_of_the_first_turn(
    client: Client, context: AppContext
) -> None:
    start_between(client, "tinc", x=BOB, o=CAROL)
    start(client, "tinc", "solo", ALICE)
    his = private_feed(client, BOB)
    before = len(entries(client, his))
    client.now += HOUR
    challenge_id = challenge(context, player(context, ALICE), VARIANTS["numeric"], "bob")
    assert entries(client, his)[0] == "Challenge: Numeric, alice"
    assert ids(client, his)[0] == f"/play/{challenge_id}/0"
    assert link(client.get(addresses(client, his)[0], BOB), "/accept")
    assert not entries(client, private_feed(client, ALICE))

    client.now += HOUR
    answer(challenges.accept, context, player(context, BOB), challenge_id)

    assert entries(client, private_feed(client, ALICE)) == [
        "Your turn in Numeric: you begin against bob"
    ]
    assert len(entries(client, his)) == before, "what he has answered is no news to him"


def test_a_declined_challenge_is_news_to_the_challenger(
    client: Client, context: AppContext
) -> None:
    start_between(client, "tinc", x=BOB, o=CAROL)
    start(client, "tinc", "solo", ALICE)
    challenge_id = challenge(context, player(context, ALICE), VARIANTS["numeric"], "bob")
    answer(challenges.decline, context, player(context, BOB), challenge_id)
    assert entries(client, private_feed(client, ALICE)) == [
        "Aborted: Numeric, bob declined the challenge"
    ]
    assert "Numeric" not in client.get(private_feed(client, BOB))


def game_with_days(client: Client, context: AppContext, days: int) -> str:
    """Start a game between alice and bob with this many days a move, and return its URL."""
    start(client, "tinc", "solo", ALICE)
    terms = GameTerms(days=days)
    made = begin(context, player(context, ALICE), VARIANTS["ultimate"], "invite", terms)
    client.get(link(client.get(f"/play/{made}", BOB), "/join"), BOB)
    return f"/play/{made}"


def test_the_feed_reminds_when_a_quarter_of_the_time_is_left(
    client: Client, context: AppContext
) -> None:
    url = game_with_days(client, context, 5)
    play(client, url, ["e5"], ALICE, BOB)
    his = private_feed(client, BOB)
    known = entries(client, his)

    client.now += timedelta(days=5) * 3 / 4 - timedelta(seconds=1)
    assert entries(client, his) == known
    client.now += timedelta(seconds=1)
    assert entries(client, his) == [
        "30 hours left: Ultimate, alice, until 25 November 2026 at 14:02 UTC",
        *known,
    ]
    assert ids(client, his)[0] == f"{url}/1?reminder-1"
    assert client.get(addresses(client, his)[0], BOB) == client.get(url, BOB)
    assert len(set(addresses(client, his))) == 2
    reminded = client.get(f"{his}.xml")
    client.now += HOUR
    assert client.get(f"{his}.xml") == reminded, "one reminder is enough"

    client.now = BEGINNING + timedelta(days=5) - HOUR
    assert entries(client, his) == [
        "One hour left: Ultimate, alice, until 25 November 2026 at 14:02 UTC",
        "30 hours left: Ultimate, alice, until 25 November 2026 at 14:02 UTC",
        *known,
    ]
    assert client.get(addresses(client, his)[0], BOB) == client.get(url, BOB)
    assert len(set(addresses(client, his))) == len(set(ids(client, his))) == 3

    play(client, url, ["d4"], ALICE, BOB)
    assert entries(client, his) == known
    assert entries(client, private_feed(client, ALICE))[0] == "Your turn in Ultimate: bob played d4"


def test_nobody_is_reminded_where_time_does_not_run(client: Client) -> None:
    url = start(client, "tinc", "solo")
    play(client, url, ["a1"], ALICE)
    mine = private_feed(client, ALICE)
    client.now += timedelta(days=60)
    assert not entries(client, mine)


def test_time_that_has_run_out_is_news_to_both(client: Client, context: AppContext) -> None:
    url = game_with_days(client, context, 1)
    play(client, url, ["e5", "d4"], ALICE, BOB)
    client.now += timedelta(days=2, seconds=1)
    assert entries(client, private_feed(client, ALICE))[0] == "Lost to bob on time, Ultimate"
    assert entries(client, private_feed(client, BOB))[0] == "Won against alice on time, Ultimate"


def test_an_answer_that_was_planned_needs_no_call(client: Client, context: AppContext) -> None:
    url = start_between(client, "ultimate")
    add_line = moves.add_line
    act(add_line, context, player(context, BOB), game_id(url), "if e5 then d4")
    play(client, url, ["e5"], ALICE, BOB)
    assert not entries(client, private_feed(client, BOB))
    assert entries(client, private_feed(client, ALICE))[0] == "Your turn in Ultimate: bob played d4"
