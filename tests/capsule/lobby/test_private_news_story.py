"""News in private feeds other than turns and results, and kinds of news that players leave out."""

from datetime import timedelta

import pytest

from capsule.accounts.model import NewsKind
from capsule.gemini.types import Certificate, Response
from tests.support.choices import FEED as SETTINGS, choose
from tests.support.client import Client, action, link, links
from tests.support.conversation import say
from tests.support.feeds import addresses, entries, ids, private_feed
from tests.support.stories import ALICE, BOB, CAROL, play, start, start_between
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

HOUR = timedelta(hours=1)


def offer(client: Client, url: str, verb: str, who: Certificate) -> None:
    """Make an offer by the link of the game's page."""
    assert client.ask(link(client.get(url, who), f"/{verb}"), who) == Response(30, url)


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
    offer(client, url, verb, BOB)

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
    offer(client, url, "draw", BOB)
    first = ids(client, hers)[0]
    play(client, url, ["b3+d3", "d4"], ALICE, BOB)
    assert first not in ids(client, hers)
    offer(client, url, "draw", BOB)
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


def test_players_get_news_when_their_tournament_begins_and_ends(client: Client) -> None:
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


def test_everybody_except_the_announcer_gets_news_of_a_cancelled_tournament(client: Client) -> None:
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
    """Give alice's feed news of every kind, and return its path."""
    start(client, "tinc", "solo")
    begin(client, "variant=numeric&seats=3")
    offered = start_between(client, "tinc")
    play(client, offered, ["a1", "c1"], ALICE, BOB)
    offer(client, offered, "draw", BOB)
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


def test_each_kind_of_news_can_be_left_out_and_included_again(client: Client) -> None:
    mine = everything(client)
    all_news = entries(client, mine)
    for kind, beginnings in BEGINNINGS.items():
        assert any(each.startswith(beginnings) for each in all_news), kind
        choose(client, f"news-{kind}/off")
        assert entries(client, mine) == [
            each for each in all_news if not each.startswith(beginnings)
        ], kind
        choose(client, f"news-{kind}/on")
        assert entries(client, mine) == all_news, kind


def test_the_account_and_the_feed_lead_to_the_choice(client: Client) -> None:
    start(client, "tinc", "solo")
    assert links(client.get("/play/me/", ALICE))["Choose what your feed tells you"] == SETTINGS
    page = client.get(private_feed(client, ALICE))
    assert links(page)["Choose what this feed tells you"] == SETTINGS
