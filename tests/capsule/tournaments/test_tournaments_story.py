"""Tournaments from their announcement to their end, and what pages and feeds say of them."""

import re
from datetime import timedelta
from xml.etree import ElementTree as ET

import pytest

from capsule.gemini.types import Response
from tests.support.client import Client, certificate, link, links
from tests.support.gemtext import blocks, prose
from tests.support.stories import ALICE, BOB, CAROL, WON_GAMES, play, undone
from tests.support.tournaments import (
    BEGUN,
    DAVE,
    HERE,
    act,
    agree_on_draw,
    announce,
    begin,
    games,
    join,
    keep_time,
    resign,
    usual,
)

PEOPLE = {"alice": ALICE, "bob": BOB, "carol": CAROL, "dave": DAVE}


def test_three_play_a_tournament_to_its_end(client: Client) -> None:
    url = announce(client, "variant=numeric&seats=3&days=2", title="The autumn  cup")
    join(client, url, BOB)
    assert "Players: 2 of 3" in client.get(url)
    join(client, url, CAROL)
    assert f"{BEGUN}: 0 of 6 games have ended." in client.get(url)

    played = games(client, url)
    assert set(played) == {
        (x, o) for x in PEOPLE for o in PEOPLE if x != o and "dave" not in (x, o)
    }
    client.now += timedelta(hours=1)
    # Even wins this one; so bob wins the first.
    play(client, played["alice", "bob"], WON_GAMES["numeric"].split(), ALICE, BOB)
    resign(client, played["alice", "carol"], CAROL)
    agree_on_draw(client, played["bob", "alice"], ALICE, BOB)
    resign(client, played["bob", "carol"], BOB)
    resign(client, played["carol", "alice"], CAROL)
    page = client.get(url)
    assert f"{BEGUN}: 5 of 6 games have ended." in page
    (table,) = blocks(page)
    assert list(table.rows) == [
        "          1  2  3 pts   SB",
        " 1 alice ## 0½ 11  2½ 2.75",
        " 2 bob   ½1 ## 0.  1½ 3.75",
        " 3 carol 00 .1 ##   1  1.5",
    ]
    assert "=> /players/alice 1. alice: 2½ points, 4 games played\n" in page
    assert "=> /players/carol 3. carol: 1 point, 3 games played and 1 to play\n" in page

    client.now += timedelta(hours=1)
    resign(client, played["carol", "bob"], BOB)
    page = client.get(url)
    assert page.startswith("# The autumn cup\n\nIt is over: alice won with 2½ points.\n")
    assert "## Final standings" in page
    assert keep_time(client) == 1
    assert client.get(url) == page, "what the sweep stores is what the page has shown"
    assert keep_time(client) == 0


def test_the_same_is_said_in_words_beside_the_table(client: Client) -> None:
    url = begin(client, "variant=numeric&seats=3")
    resign(client, games(client, url)["alice", "bob"], ALICE)
    shown = prose(client.get(url))
    assert "1. bob: 1 point, 1 game played and 3 to play\n" in shown
    assert "2. alice: 0 points, 1 game played and 3 to play\n" in shown
    assert "alice (Odd) – bob (Even): 0 : 1, 20 November 2026 at 14:02 UTC\n" in shown
    assert "alice (Odd) – carol (Even): move 1, Odd to play\n" in shown
    assert "once as Odd and once as Even" in shown
    assert "## Games of alice as Odd" in client.get(url)


def test_the_tie_break_is_said_of_those_who_are_tied(client: Client) -> None:
    url = begin(client)
    resign(client, games(client, url)["alice", "bob"], ALICE)
    resign(client, games(client, url)["carol", "alice"], ALICE)
    shown = prose(client.get(url))
    assert "1. bob: 1 point, 1 game played and 3 to play, Sonneborn–Berger 0\n" in shown
    assert "carol: 1 point, 1 game played and 3 to play, Sonneborn–Berger 0\n" in shown
    assert "3. alice: 0 points, 2 games played and 2 to play\n" in shown


def test_each_game_is_linked_and_knows_its_tournament(client: Client) -> None:
    url = begin(client, "variant=tinc&seats=3&days=5&rated=no")
    for (x, o), game in games(client, url).items():
        page = client.get(game)
        assert page.startswith(f"# Tinc: {x} (X) – {o} (O)\n")
        assert "A move may take 5 days." in page
        assert "Casual" in page
        for where in (game, f"{game}/0"):
            assert links(client.get(where))["Its tournament: alice's Tinc"] == url
    assert all(game in client.get("/games/tinc") for game in games(client, url).values())


def test_players_level_in_everything_share_first_place(client: Client) -> None:
    url = begin(client, "variant=numeric&seats=3")
    for (x, o), game in games(client, url).items():
        agree_on_draw(client, game, PEOPLE[x], PEOPLE[o])
    assert (
        "It is over. alice, bob, carol share first place, with 2 points each and equal "
        "tie-breaks.\n" in client.get(url)
    )


def test_a_player_finds_their_games_and_their_tournament(client: Client) -> None:
    url = begin(client)
    own = client.get(url, ALICE).partition("## Your games in progress\n")[2].partition("##")[0]
    assert len(links(own)) == 4
    assert next(iter(links(own))).startswith("alice (X)"), "those first where it is her turn"
    assert "Your games in progress" not in client.get(url, DAVE)
    assert "## Yours\n" in client.get(HERE, BOB)
    assert "## Yours\n" not in client.get(HERE, DAVE)
    assert client.get("/play/", ALICE).startswith("# Your games (2 waiting)")


def test_anyone_reads_the_pages_and_nobody_is_asked_for_a_certificate(client: Client) -> None:
    url = announce(client)
    for path in (HERE, url, f"{url}/feed", f"{url}/feed.xml"):
        assert client.ask(path).status == 20
    assert client.ask("/play/tournaments") == Response(30, HERE)
    assert client.ask(f"{HERE}new") == Response(30, "/play/?tournaments/new")
    assert client.ask(f"{HERE}aaaaaaaaaa").status == 51
    assert client.ask(f"{HERE}aaaaaaaaaa/feed").status == 51
    assert client.ask(f"{HERE}aaaaaaaaaa/key/join", ALICE).status == 51


def test_a_stranger_signs_in_and_comes_back_to_the_tournament(client: Client) -> None:
    url = announce(client)
    sign_in = links(client.get(url))["Sign in with a certificate to take part"]
    assert client.ask(sign_in).status == 60
    assert client.get(sign_in, BOB) == client.get(url, BOB)


@pytest.mark.parametrize(
    ("terms", "words"),
    [
        (
            "seats=4&starts=full",
            "when all 4 seats are taken. It is cancelled if some are still free on 20 December",
        ),
        (
            "starts=3",
            "It starts on 23 November 2026 at 15:00 UTC, or earlier if all 6 seats are taken.",
        ),
        ("bots=club", "The club bot comes first, then those nearest to it in strength."),
        ("variant=quantum&days=14&rated=no", "Quantum, 14 days a move, casual."),
    ],
)
def test_the_terms_are_shown_before_the_start(client: Client, terms: str, words: str) -> None:
    assert words in client.get(announce(client, terms))


@pytest.mark.parametrize(
    "terms", ["seats=2", "seats=13", "starts=full&bots=club", "starts=now", "days=0", "x"]
)
def test_terms_that_there_are_not_announce_nothing(client: Client, terms: str) -> None:
    page = client.get(f"{HERE}new?{terms}", ALICE)
    assert page == client.get(f"{HERE}new", ALICE), "they are as if they were not there"
    key = link(page, "/announce").removeprefix(HERE).partition("/")[0]
    assert undone(client, f"{HERE}{key}/{terms}/announce?cup", ALICE, f"{HERE}new")
    assert "There are none at the moment." in client.get(HERE)


def test_every_link_of_the_terms_leads_to_a_page_that_can_announce(client: Client) -> None:
    page = client.get(f"{HERE}new?bots=club", ALICE)
    terms = client.get(links(page)["Change the terms"], ALICE)
    pages = [client.get(url, ALICE) for url in links(terms).values() if f"{HERE}new/" in url]
    listed = [url for each in (terms, *pages) for url in links(each).values()]
    others = {url for url in listed if url.startswith(f"{HERE}new?")} - {
        links(terms)["Keep the terms as they are"]
    }
    assert len(others) == 4 + 5 + 5 + 9 + 5 + 1
    for url in others:
        changed = client.get(url, ALICE)
        assert changed != page
        verb = "Start it now" if "starts=now" in url else "Announce it"
        rated = "rated" if "rated=yes" in url else "casual"
        assert links(changed)[f"{verb}, {rated}, under another name"].endswith("/announce")
    without_a_day = next(url for url in others if "starts=full" in url)
    assert "bots" not in without_a_day


@pytest.mark.parametrize(
    ("title", "reason"),
    [
        ("  ", "There is nothing to read in it."),
        ("\u202e\u2028", "There is nothing to read in it."),
        ("x" * 61, "Your text has 61 characters, but only 60 fit."),
    ],
)
def test_a_name_that_cannot_be_is_asked_for_again(client: Client, title: str, reason: str) -> None:
    prompt = link(client.get(f"{HERE}new", ALICE), "/announce")
    answer = client.type(prompt, title, ALICE)
    assert answer.status == 10
    assert answer.meta.startswith(f"{reason} The tournament's name")
    assert client.get("/play/", ALICE).startswith("# Welcome"), "nobody became a player by it"
    assert client.type(prompt, "x" * 60, ALICE).status == 30, "the page still holds"


@pytest.mark.parametrize("sign", ["\ufffe", "\uffff", "\x01", "&", "<b>", "]]>", "\U0001ffff"])
def test_no_name_keeps_a_reader_from_the_feeds(client: Client, sign: str) -> None:
    url = announce(client, title=f"The{sign}cup")
    for feed in ("/feed.xml", "/games/ultimate/feed.xml", f"{url}/feed.xml"):
        assert "cup is announced" in client.get(feed)
        ET.fromstring(client.get(feed))


def test_nobody_has_more_than_three_that_have_not_started(client: Client) -> None:
    for _ in range(3):
        first = announce(client)
    page = client.get(f"{HERE}new", ALICE)
    assert "It cannot be announced on these terms. You have announced 3 tournaments" in page
    assert not [label for label in links(page) if label.startswith("Announce it")]
    key = usual(page).split("/")[3]
    here = f"{HERE}new?rated=yes"
    refused = undone(client, f"{HERE}{key}/rated=yes/announce?one%20more", ALICE, here)
    assert refused.startswith("No tournament was announced. You have announced 3 tournaments")
    assert refused.endswith(" Your text was:\n> one more")
    act(client, first, "cancel", ALICE, "cancel")
    announce(client)


def test_a_link_that_was_followed_leads_where_it_led_whatever_has_happened_since(
    client: Client,
) -> None:
    url = announce(client, "seats=4")
    seat = link(client.get(url, BOB), "/join")
    assert client.ask(seat, BOB) == Response(30, url)
    act(client, url, "leave", BOB, "leave")
    assert client.ask(seat, BOB) == Response(30, url)
    assert "Players: 1 of 4" in client.get(url), "it acts once"


def test_the_feed_tells_of_all_that_happens(client: Client) -> None:
    url = announce(client, "variant=numeric&seats=3", title="cup")
    join(client, url, BOB, CAROL)
    client.now += timedelta(minutes=1)
    for (x, o), game in games(client, url).items():
        client.now += timedelta(minutes=1)
        resign(client, game, PEOPLE[max(x, o)])
    feed = client.get(f"{url}/feed")
    entries = {label.partition(" - ")[2]: path for label, path in links(feed).items()}
    assert entries["cup is announced: Numeric, 3 players at most"] == f"{url}?announced"
    assert entries["cup starts: 3 players, 6 games"] == f"{url}?started"
    assert entries["cup is over: alice wins, points: 4"] == f"{url}?finished"
    results = {label: path for label, path in entries.items() if "by resignation" in label}
    assert sorted(results.values()) == sorted(f"{game}?end" for game in games(client, url).values())
    for path in entries.values():
        if path:
            assert client.ask(path).status == 20
    assert links(feed)["Back to the tournament"] == url
    atom = client.get(f"{url}/feed.xml")
    assert f"<id>gemini://localhost{url}?finished</id>" in atom
    keep_time(client)
    assert client.get(f"{url}/feed.xml") == atom, "looking at it and storing it changes nothing"


def test_the_public_feed_has_a_tournament_but_none_of_its_games(client: Client) -> None:
    url = begin(client, "variant=numeric&seats=3")
    for feed in ("/feed", "/games/numeric/feed"):
        assert f"{url}?started" in client.get(feed)
        assert "New game" not in client.get(feed), "six began at once"
    assert f"{url}?started" not in client.get("/games/tinc/feed")
    resign(client, games(client, url)["alice", "bob"], ALICE)
    for feed in ("/feed", "/games/numeric/feed", "/players/alice/feed"):
        assert "bob beats alice" not in client.get(feed)
    assert games(client, url)["alice", "bob"] in client.get("/games/"), "people play it"


def test_the_public_feed_tells_who_won_a_tournament(client: Client) -> None:
    url = begin(client, "variant=numeric&seats=3")
    client.now += timedelta(hours=1)
    for (x, o), game in games(client, url).items():
        resign(client, game, PEOPLE[max(x, o)])
    keep_time(client)
    expected = "alice's Numeric is over: alice wins, points: 4"
    for feed in ("/feed", "/games/numeric/feed", f"{url}/feed"):
        assert f"=> {url}?finished 2026-11-20 - {expected}\n" in client.get(feed), feed
    assert "is over" not in client.get("/games/tinc/feed")
    first = client.get("/feed.xml")
    client.now += timedelta(days=3)
    assert client.get("/feed.xml") == first


def test_the_lists_lead_to_what_was_announced_earlier(client: Client) -> None:
    for number in range(25):
        client.now += timedelta(minutes=1)
        announce(client, who=certificate(f"friend{number:02}"))
    first = client.get(HERE)
    older = client.get(links(first)["More, announced earlier"])
    shown = [re.findall(r"friend\d\d's Ultimate", page) for page in (first, older)]
    assert [len(each) for each in shown] == [20, 5]
    assert shown[0] + shown[1] == [f"friend{number:02}'s Ultimate" for number in range(24, -1, -1)]
    assert client.get(f"{HERE}?announced-zz-aaaaaaaaaa") == first
