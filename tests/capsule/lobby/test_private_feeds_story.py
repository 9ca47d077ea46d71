"""Private feeds: what a player has to know and has not left out, and nobody else."""

import re
from datetime import timedelta

import pytest

from capsule.accounts.model import NewsKind
from capsule.gemini.types import Certificate, Response
from engine import VARIANTS
from tests.support.choices import FEED as SETTINGS, choose
from tests.support.client import BEGINNING, Client, action, link, links
from tests.support.conversation import say
from tests.support.feeds import addresses, entries, ids, private_feed
from tests.support.stories import (
    ALICE,
    BOB,
    CAROL,
    WON_GAMES,
    open_game,
    play,
    played,
    start,
    start_between,
)
from tests.support.tournaments import (
    act,
    agree_on_draw,
    announce,
    begin,
    games,
    join,
    keep_time,
    resign,
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
    url = played(client, "numeric")
    assert entries(client, private_feed(client, ALICE))[0] == "Lost to bob, Numeric"
    assert addresses(client, private_feed(client, ALICE))[0] == f"{url}?end"
    assert "Won against" not in client.get(private_feed(client, BOB))


def test_games_alone_are_in_no_feed_of_their_player(client: Client) -> None:
    for way in ("solo", "bot-expert"):
        url = start(client, "tinc", way)
        client.type(link(client.get(url, ALICE), "/move"), "a1", ALICE)
    client.now += timedelta(days=60)
    assert not entries(client, private_feed(client, ALICE)), "nor is there anything to remind of"


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


def challenged(client: Client) -> str:
    """Have alice challenge bob to a game of numeric, and return its URL."""
    prompt = link(client.get("/play/new/numeric", ALICE), "/challenge")
    return client.type(prompt, "bob", ALICE).meta


def follow(client: Client, url: str, verb: str, who: Certificate) -> None:
    """Follow a link of a game's page."""
    assert client.ask(link(client.get(url, who), f"/{verb}"), who).status == 30


def test_a_move_made_again_is_another_event(client: Client) -> None:
    url = start_between(client, "ultimate")
    play(client, url, ["e5"], ALICE, BOB)
    hers, his = private_feed(client, ALICE), private_feed(client, BOB)
    (known,) = ids(client, his)
    assert known == f"{url}/1"
    game_feed = set(ids(client, f"{url}/feed"))

    client.now += HOUR
    follow(client, url, "takeback", ALICE)
    follow(client, url, "accept", BOB)

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


def test_a_challenged_player_hears_of_it_and_of_the_first_turn(client: Client) -> None:
    start_between(client, "tinc", x=BOB, o=CAROL)
    start(client, "tinc", "solo", ALICE)
    his = private_feed(client, BOB)
    before = len(entries(client, his))
    client.now += HOUR
    url = challenged(client)
    assert entries(client, his)[0] == "Challenge: Numeric, alice"
    assert ids(client, his)[0] == f"{url}/0"
    assert link(client.get(addresses(client, his)[0], BOB), "/accept")
    assert not entries(client, private_feed(client, ALICE))

    client.now += HOUR
    follow(client, url, "accept", BOB)

    assert entries(client, private_feed(client, ALICE)) == [
        "Your turn in Numeric: you begin against bob"
    ]
    assert len(entries(client, his)) == before, "what he has answered is no news to him"


def test_the_feed_reminds_when_a_quarter_of_the_time_is_left(client: Client) -> None:
    url = start_between(client, "ultimate", terms="?days=5")
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


def test_time_that_has_run_out_is_in_the_feeds_of_both(client: Client) -> None:
    url = start_between(client, "ultimate", terms="?days=1")
    play(client, url, ["e5", "d4"], ALICE, BOB)
    client.now += timedelta(days=2, seconds=1)
    assert entries(client, private_feed(client, ALICE))[0] == "Lost to bob on time, Ultimate"
    assert entries(client, private_feed(client, BOB))[0] == "Won against alice on time, Ultimate"


def test_an_answer_that_was_planned_needs_no_call(client: Client) -> None:
    url = start_between(client, "ultimate")
    client.type(link(client.get(url, BOB), "/plan"), "if e5 then d4", BOB)
    play(client, url, ["e5"], ALICE, BOB)
    assert not entries(client, private_feed(client, BOB))
    assert entries(client, private_feed(client, ALICE))[0] == "Your turn in Ultimate: bob played d4"


# Offers


@pytest.mark.parametrize(
    ("verb", "expected"),
    [("draw", "Draw offered: Tinc, bob"), ("takeback", "Takeback requested: Tinc, bob")],
)
def test_an_offer_is_listed_while_it_waits_and_leads_to_its_answer(
    client: Client, verb: str, expected: str
) -> None:
    url = start_between(client, "tinc")
    play(client, url, ["a1", "c1"], ALICE, BOB)
    hers, his = private_feed(client, ALICE), private_feed(client, BOB)
    before, unconcerned = entries(client, hers), client.get(his)
    client.now += HOUR
    follow(client, url, verb, BOB)

    assert entries(client, hers) == [expected, *before]
    assert client.get(his) == unconcerned, "what he did himself is no news to him"
    feed = client.get(f"{hers}.xml")
    assert "<updated>2026-11-20T15:02:00+00:00</updated>" in feed
    client.now += HOUR
    client.restart()
    assert client.get(f"{hers}.xml") == feed
    page = client.get(addresses(client, hers)[0], ALICE)

    assert client.ask(link(page, "/decline"), ALICE) == Response(30, url)
    assert entries(client, hers) == before


def test_an_offer_of_another_turn_is_another_event(client: Client) -> None:
    url = start_between(client, "tinc")
    play(client, url, ["a1", "c1"], ALICE, BOB)
    hers = private_feed(client, ALICE)
    follow(client, url, "draw", BOB)
    first = ids(client, hers)[0]
    play(client, url, ["b3+d3", "d4"], ALICE, BOB)
    assert first not in ids(client, hers)
    follow(client, url, "draw", BOB)
    assert entries(client, hers)[0] == "Draw offered: Tinc, bob"
    assert ids(client, hers)[0] != first


def test_a_rematch_is_announced_as_one(client: Client) -> None:
    url = start_between(client, "numeric")
    play(client, url, ["b2=5", "a1=4"], ALICE, BOB)
    client.type(action(client.get(url, BOB), "resign"), "resign", BOB)
    client.now += HOUR
    client.get(link(client.get(url, BOB), "/rematch"), BOB)
    hers = private_feed(client, ALICE)
    assert entries(client, hers)[:2] == [
        "Rematch offered: Numeric, bob",
        "Won against bob by resignation, Numeric",
    ]
    assert link(client.get(addresses(client, hers)[0], ALICE), "/accept")


# Tournaments


def test_players_read_that_their_tournament_begins_and_ends(client: Client) -> None:
    url = announce(client, "variant=numeric&seats=3", title="Spring cup")
    join(client, url, BOB)
    hers = private_feed(client, ALICE)
    assert not entries(client, hers)
    client.now += HOUR
    join(client, url, CAROL)
    assert "Begins: Spring cup, Numeric, 3 players" in entries(client, hers)
    assert f"{url}?started" in ids(client, hers)

    for (x, o), game in games(client, url).items():
        client.now += HOUR
        loser = max(x, o)
        resign(client, game, {"alice": ALICE, "bob": BOB, "carol": CAROL}[loser])
    keep_time(client)
    for who in (ALICE, BOB, CAROL):
        shown = entries(client, private_feed(client, who))
        assert shown.count("Over: Spring cup, alice wins") == 1
    path = addresses(client, hers)[entries(client, hers).index("Over: Spring cup, alice wins")]
    assert path == f"{url}?finished"
    assert client.get(path, ALICE) == client.get(url, ALICE)


def test_those_who_share_the_first_place_are_named(client: Client) -> None:
    people = {"alice": ALICE, "bob": BOB, "carol": CAROL}
    url = begin(client, "variant=numeric&seats=3")
    for (x, o), game in games(client, url).items():
        agree_on_draw(client, game, people[x], people[o])
    keep_time(client)
    assert "Over: alice's Numeric, alice, bob, carol share first place" in entries(
        client, private_feed(client, ALICE)
    )


def test_all_players_except_the_announcer_read_that_a_tournament_is_cancelled(
    client: Client,
) -> None:
    url = announce(client, "variant=numeric&seats=3")
    join(client, url, BOB)
    act(client, url, "cancel", ALICE, "cancel")
    assert entries(client, private_feed(client, BOB)) == ["Cancelled: alice's Numeric"]
    assert not entries(client, private_feed(client, ALICE))


def test_who_has_left_a_tournament_hears_of_it_no_more(client: Client) -> None:
    url = begin(client, "variant=numeric&seats=3")
    act(client, url, "leave", CAROL, "leave")
    assert not [each for each in entries(client, private_feed(client, CAROL)) if "Begins" in each]


# Choosing


def everything(client: Client) -> str:
    """Give alice's feed an entry of every kind, and return its path."""
    start(client, "tinc", "solo")
    begin(client, "variant=numeric&seats=3")
    offered = start_between(client, "tinc")
    play(client, offered, ["a1", "c1"], ALICE, BOB)
    follow(client, offered, "draw", BOB)
    say(client, offered, "hello", BOB)
    over = start_between(client, "tinc")
    play(client, over, ["a1", "c1"], ALICE, BOB)
    client.type(action(client.get(over, BOB), "resign"), "resign", BOB)
    client.get(link(client.get(over, BOB), "/rematch"), BOB)
    # The tournament's games allow three days.
    client.now += timedelta(days=2, hours=12)
    return private_feed(client, ALICE)


BEGINNINGS = {
    NewsKind.TURNS: ("Your turn in ",),
    NewsKind.CHALLENGES: ("Rematch offered: ",),
    NewsKind.OFFERS: ("Draw offered: ",),
    NewsKind.MESSAGES: ("Message: ",),
    NewsKind.REMINDERS: ("18 hours left: ",),
    NewsKind.RESULTS: ("Won against ",),
    NewsKind.TOURNAMENTS: ("Begins: ",),
}


def test_each_kind_of_entry_can_be_left_out_and_included_again(client: Client) -> None:
    mine = everything(client)
    all_entries = entries(client, mine)
    for kind, beginnings in BEGINNINGS.items():
        assert any(each.startswith(beginnings) for each in all_entries), kind
        choose(client, f"news-{kind}/off")
        assert entries(client, mine) == [
            each for each in all_entries if not each.startswith(beginnings)
        ], kind
        choose(client, f"news-{kind}/on")
        assert entries(client, mine) == all_entries, kind


def test_the_account_and_the_feed_lead_to_the_choice(client: Client) -> None:
    start(client, "tinc", "solo")
    assert links(client.get("/play/me/", ALICE))["Choose what your feed tells you"] == SETTINGS
    page = client.get(private_feed(client, ALICE))
    assert links(page)["Choose what this feed tells you"] == SETTINGS
