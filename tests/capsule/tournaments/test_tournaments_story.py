"""Tournaments from their announcement to their end, and what pages and feeds say of them."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

import pytest

from capsule.gemini.types import Response
from tests.support.client import Client, certificate, link, links
from tests.support.gemtext import blocks, prose
from tests.support.pseudo_translation import pseudo_translated, untranslated
from tests.support.stories import ALICE, BOB, CAROL, WON_GAMES, play, start
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

if TYPE_CHECKING:
    from capsule.gemini.types import Certificate

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
    assert "=> /players/alice 1. alice: 2½ points, 4 games played, Sonneborn–Berger 2.75\n" in page
    assert (
        "=> /players/carol 3. carol: 1 point, 3 games played and 1 to play, Sonneborn–Berger 1.5\n"
        in page
    )

    client.now += timedelta(hours=1)
    resign(client, played["carol", "bob"], BOB)
    page = client.get(url)
    assert page.startswith("# The autumn cup\n\nIt is over: alice won with 2½ points.\n")
    assert "## Final standings" in page
    assert keep_time(client) == 1
    assert client.get(url) == page, "what the sweep stores is what the page has shown"
    assert keep_time(client) == 0


def test_the_same_is_told_in_words_beside_the_table(client: Client) -> None:
    url = begin(client, "variant=numeric&seats=3")
    resign(client, games(client, url)["alice", "bob"], ALICE)
    told = prose(client.get(url))
    assert "1. bob: 1 point, 1 game played and 3 to play, Sonneborn–Berger 0\n" in told
    assert "2. alice: 0 points, 1 game played and 3 to play, Sonneborn–Berger 0\n" in told
    assert "alice (X) – bob (O): 0 : 1, 2026-11-20 at 14:02 UTC\n" in told
    assert "alice (X) – carol (O): move 1, X to play\n" in told


def test_each_game_is_linked_and_knows_its_tournament(client: Client) -> None:
    url = begin(client, "variant=tinc&seats=3&days=5&rated=no")
    for (x, o), game in games(client, url).items():
        page = client.get(game)
        assert page.startswith(f"# Tinc: {x} (X) – {o} (O)\n")
        assert "a move may take 5 days" in page
        assert "Casual" in page
        for where in (game, f"{game}/0"):
            assert links(client.get(where))["Its tournament: alice's tinc"] == url
    assert all(game in client.get("/games/tinc") for game in games(client, url).values())


def test_players_level_in_everything_share_first_place(client: Client) -> None:
    url = begin(client, "variant=numeric&seats=3")
    for (x, o), game in games(client, url).items():
        agree_on_draw(client, game, PEOPLE[x], PEOPLE[o])
    assert (
        "It is over. First place is shared, with 2 points each and every tie-break equal, by "
        "alice, bob, carol.\n" in client.get(url)
    )


def test_a_player_finds_their_games_and_their_tournament(client: Client) -> None:
    url = begin(client)
    own = client.get(url, ALICE).partition("## Your games in progress\n")[2].partition("##")[0]
    assert len(links(own)) == 4
    assert next(iter(links(own))).startswith("alice (X)"), "those first where it is her turn"
    assert "Your games in progress" not in client.get(url, DAVE)
    assert "## Yours\n" in client.get(HERE, BOB)
    assert "## Yours\n" not in client.get(HERE, DAVE)
    assert client.get("/play/", ALICE).startswith("# (2) Your games")


def test_anyone_reads_the_pages_and_nobody_is_asked_for_a_certificate(client: Client) -> None:
    url = announce(client)
    for path in (HERE, url, f"{url}/feed", f"{url}/feed.xml"):
        assert client.ask(path).status == 20
    assert client.ask("/play/tournaments") == Response(30, HERE)
    assert client.ask(f"{HERE}new") == Response(30, "/play/")
    assert client.ask(f"{HERE}aaaaaaaaaa").status == 51
    assert client.ask(f"{HERE}aaaaaaaaaa/feed").status == 51
    assert client.ask(f"{HERE}aaaaaaaaaa/key/join", ALICE).status == 51


def test_a_stranger_signs_in_and_comes_back_to_the_tournament(client: Client) -> None:
    url = announce(client)
    sign_in = links(client.get(url))["Sign in with a certificate to take part"]
    assert client.ask(sign_in).status == 60
    assert client.ask(sign_in, BOB) == Response(30, url)


@pytest.mark.parametrize(
    ("terms", "words"),
    [
        (
            "seats=4&starts=full",
            "as soon as all 4 seats are taken. If some are still empty on 2026-12-20",
        ),
        ("starts=3", "It starts on 2026-11-23 at 15:00 UTC, or earlier if all 6 seats are taken."),
        ("bots=club", "Bots take the seats that are still empty then: the club bot first"),
        ("variant=quantum&days=14&rated=no", "Quantum, 14 days a move, casual."),
    ],
)
def test_the_terms_are_told_before_the_start(client: Client, terms: str, words: str) -> None:
    assert words in client.get(announce(client, terms))


@pytest.mark.parametrize("terms", ["seats=2", "seats=13", "starts=full&bots=club", "days=0", "x"])
def test_terms_that_there_are_not_announce_nothing(client: Client, terms: str) -> None:
    page = client.get(f"{HERE}new?{terms}", ALICE)
    assert page == client.get(f"{HERE}new", ALICE), "they are as if they were not there"
    key = link(page, "/announce").removeprefix(HERE).partition("/")[0]
    assert client.ask(f"{HERE}{key}/{terms}/announce?cup", ALICE) == Response(30, f"{HERE}new")
    assert "None at the moment." in client.get(HERE).partition("## Being played")[0]


def test_every_link_of_the_terms_leads_to_a_page_that_can_announce(client: Client) -> None:
    page = client.get(f"{HERE}new?bots=club", ALICE)
    others = [url for url in links(page).values() if url.startswith(f"{HERE}new")]
    assert len(others) == 4 + 4 + 5 + 9 + 5 + 1
    for url in others:
        changed = client.get(url, ALICE)
        assert changed != page
        assert links(changed)["Announce it under another name"].endswith("/announce")
    without_a_day = next(url for url in others if "starts=full" in url)
    assert "bots" not in without_a_day


@pytest.mark.parametrize(
    ("title", "reason"),
    [
        ("  ", "There is nothing to read in it."),
        ("\u202e\u2028", "There is nothing to read in it."),
        ("x" * 61, "That has 61 characters, and 60 are the most."),
    ],
)
def test_a_name_that_cannot_be_is_asked_for_again(client: Client, title: str, reason: str) -> None:
    prompt = link(client.get(f"{HERE}new", ALICE), "/announce")
    answer = client.type(prompt, title, ALICE)
    assert answer.status == 10
    assert answer.meta.startswith(f"{reason} The tournament's name")
    assert client.get("/play/", ALICE).startswith("# Welcome"), "nobody became a player by it"
    assert client.type(prompt, "x" * 60, ALICE).status == 30, "the page still holds"


def test_no_line_is_forged_by_a_name(client: Client) -> None:
    url = announce(client, "seats=3", title="cup\r\n=> gemini://example.org a trap\n# ```")
    join(client, url, BOB, CAROL)
    title = "cup => gemini://example.org a trap # ```"
    game = next(iter(games(client, url).values()))
    for path in (url, HERE, f"{url}/feed", game, f"{game}/0"):
        page = client.get(path, ALICE)
        assert title in page
        assert "gemini://example.org" not in links(page).values()
        blocks(page)
    assert client.get(url).startswith(f"# {title}\n")


@pytest.mark.parametrize("sign", ["\ufffe", "\uffff", "\x01", "&", "<b>", "]]>", "\U0001ffff"])
def test_no_name_keeps_a_reader_from_the_feeds(client: Client, sign: str) -> None:
    url = announce(client, title=f"The{sign}cup")
    for feed in ("/feed.xml", "/games/ultimate/feed.xml", f"{url}/feed.xml"):
        assert "cup is announced" in client.get(feed)
        ET.fromstring(client.get(feed))


def test_a_page_announces_once(client: Client) -> None:
    page = client.get(f"{HERE}new", ALICE)
    assert client.ask(usual(page), ALICE).meta.startswith(HERE)
    assert client.ask(usual(page), ALICE) == Response(30, f"{HERE}new")
    assert client.ask(usual(page), BOB) == Response(30, f"{HERE}new")
    assert client.ask(usual(page)) == Response(30, "/play/")
    assert client.get(HERE).count("alice's ultimate") == 1


def test_nobody_has_more_than_three_that_have_not_started(client: Client) -> None:
    for _ in range(3):
        first = announce(client)
    page = client.get(usual(client.get(f"{HERE}new", ALICE)), ALICE)
    assert page.startswith("# Not possible\n\nYou have announced 3 tournaments")
    act(client, first, "cancel", ALICE, "cancel")
    announce(client)


def test_old_pages_and_planted_links_change_nothing(client: Client) -> None:
    url = announce(client, "seats=4")
    for_bob = link(client.get(url, BOB), "/join")
    assert client.ask(for_bob, CAROL) == Response(30, url), "carol cannot use bob's link"
    assert client.ask(for_bob) == Response(30, "/play/")
    assert client.ask(f"{url}/aaaaaaaaaaaaaaaaaaaaaaaaaa/join", CAROL) == Response(30, url)
    assert "Players: 1 of 4" in client.get(url)
    assert client.ask(for_bob, BOB) == Response(30, url)
    assert client.ask(for_bob, BOB) == Response(30, url), "once more does nothing"
    assert "Players: 2 of 4" in client.get(url)
    leave = link(client.get(url, BOB), "/leave")
    client.ask(f"{leave}?leave", BOB)
    client.ask(f"{leave}?leave", BOB)
    client.ask(for_bob, BOB)
    assert "Players: 1 of 4" in client.get(url), "an old page does not take the seat again"


def test_a_participant_cannot_take_a_second_seat(client: Client) -> None:
    url = announce(client, "seats=3")
    page = client.get(url, ALICE)
    assert "Take part" not in links(page)
    forged = link(page, "/leave").replace("/leave", "/join")
    assert client.ask(forged, ALICE) == Response(30, url)
    assert "Players: 1 of 3" in client.get(url)


def test_two_at_once_do_not_take_the_same_seat(client: Client) -> None:
    url = announce(client, "seats=3")
    join(client, url, BOB)
    carols, daves = (link(client.get(url, who), "/join") for who in (CAROL, DAVE))
    client.ask(carols, CAROL)
    assert client.ask(daves, DAVE) == Response(30, url)
    assert len(games(client, url)) == 6
    assert "dave" not in client.get(url)
    assert client.get("/play/", DAVE).startswith("# Welcome"), "nobody became a player by it"


def test_a_seat_is_given_up_before_the_start(client: Client) -> None:
    url = announce(client, "seats=4")
    join(client, url, BOB, CAROL)
    prompt = link(client.get(url, ALICE), "/leave")
    assert client.ask(prompt, ALICE) == Response(10, "Type leave to give up your seat:")
    assert client.type(prompt, "no", ALICE).status == 10
    assert "Players: 3 of 4" in client.get(url)
    assert client.type(prompt, " Leave ", ALICE) == Response(30, url)
    page = client.get(url, ALICE)
    assert "Players: 2 of 4" in page
    assert "Announced by alice" in page
    join(client, url, ALICE)
    assert "Players: 3 of 4" in client.get(url)


def test_the_announcer_alone_calls_it_off(client: Client) -> None:
    url = announce(client)
    join(client, url, BOB)
    assert "Call the tournament off" not in links(client.get(url, BOB))
    forged = link(client.get(url, BOB), "/leave").replace("/leave", "/cancel?cancel")
    assert client.ask(forged, BOB) == Response(30, url)
    prompt = link(client.get(url, ALICE), "/cancel")
    assert client.type(prompt, "yes", ALICE).status == 10
    assert client.type(prompt, "cancel", ALICE) == Response(30, url)
    page = client.get(url, CAROL)
    assert "The player who announced it called it off on 2026-11-20 at 14:02 UTC." in page
    assert "Take part" not in links(page)
    assert url not in client.get(HERE)


def test_nothing_is_called_off_or_joined_after_the_start(client: Client) -> None:
    url = begin(client)
    page = client.get(url, ALICE)
    assert "Call the tournament off" not in links(page)
    leave = link(page, "/leave")
    assert client.ask(leave.replace("/leave", "/cancel?cancel"), ALICE) == Response(30, url)
    assert BEGUN in client.get(url)
    assert "Take part" not in links(client.get(url, DAVE))


def test_a_tournament_that_never_fills_lapses(client: Client) -> None:
    url = announce(client, "seats=4&starts=full")
    join(client, url, BOB, CAROL)
    client.now += timedelta(days=29, hours=23)
    assert "Players: 3 of 4" in client.get(url)
    client.now += timedelta(hours=1)
    page = client.get(url, DAVE)
    assert "It was cancelled: its seats were not all taken by 2026-12-20 at 14:02 UTC." in page
    assert "Take part" not in links(page)
    assert keep_time(client) == 1
    assert client.get(url, DAVE) == page


def test_it_starts_on_its_day_with_those_who_are_there(client: Client) -> None:
    url = announce(client, "starts=3")
    join(client, url, BOB, CAROL)
    client.now += timedelta(days=3)
    assert keep_time(client) == 0, "it starts on the hour"
    client.now += timedelta(hours=1)
    page = client.get(url, DAVE)
    assert "It starts in a moment." in page
    assert "Take part" not in links(page)
    assert keep_time(client) == 1
    assert keep_time(client) == 0, "it starts once"
    assert f"{BEGUN}: 0 of 6 games have ended." in client.get(url)


def test_two_are_too_few_on_its_day(client: Client) -> None:
    url = announce(client, "starts=3")
    join(client, url, BOB)
    client.now += timedelta(days=4)
    page = client.get(url)
    assert (
        "when it was to start, on 2026-11-23 at 15:00 UTC, it had fewer than three players." in page
    )
    assert keep_time(client) == 1
    assert client.get(url) == page
    assert not games(client, url)


def test_bots_take_the_empty_seats_each_level_once(client: Client) -> None:
    url = announce(client, "seats=6&starts=1&bots=club")
    join(client, url, BOB)
    client.now += timedelta(days=2)
    assert keep_time(client) == 1
    page = client.get(url)
    assert f"{BEGUN}: 0 of 30 games have ended." in page
    assert {x for x, _ in games(client, url)} == {
        *("alice", "bob", "club bot", "casual bot", "expert bot", "novice bot"),
    }
    assert links(client.get(games(client, url)["alice", "club bot"], ALICE))["Type your move"]


def test_five_bots_are_all_there_are(client: Client) -> None:
    url = announce(client, "seats=12&starts=1&bots=master")
    client.now += timedelta(days=2)
    keep_time(client)
    assert f"{BEGUN}: 0 of 30 games have ended." in client.get(url)


def test_bots_alone_play_no_tournament(client: Client) -> None:
    url = announce(client, "seats=6&starts=1&bots=club")
    act(client, url, "leave", ALICE, "leave")
    client.now += timedelta(days=2)
    keep_time(client)
    assert "It was cancelled" in client.get(url)


def test_a_player_with_too_many_games_cannot_join(client: Client) -> None:
    hosts = [certificate(name) for name in ("erin", "frank", "grace", "heidi", "ivan")]
    urls = [announce(client, "seats=12&starts=full", who) for who in hosts]
    join(client, *urls[:1], ALICE)
    for url in urls[1:4]:
        join(client, url, ALICE)
    page = client.get(link(client.get(urls[4], ALICE), "/join"), ALICE)
    assert page.startswith(
        "# Not possible\n\nIt may bring you 22 games. You have 88 unfinished games already, "
        "with those that other tournaments may bring, and the limit is 100.\n"
    )
    assert "Players: 1 of 12" in client.get(urls[4])


def test_games_to_come_have_their_room(client: Client) -> None:
    for name in ("erin", "frank", "grace", "heidi"):
        join(client, announce(client, "seats=12&starts=full", certificate(name)), ALICE)
    for _ in range(12):
        start(client, "tinc", "open")
    page = client.get(link(client.get("/play/new/tinc", ALICE), "/open"), ALICE)
    assert page.startswith("# Too many games\n")


def test_a_player_with_too_many_games_against_bots_cannot_join(client: Client) -> None:
    url = announce(client, "seats=5&bots=club", BOB)
    for _ in range(5):
        start(client, "tinc", "bot-club")
    page = client.get(link(client.get(url, ALICE), "/join"), ALICE)
    assert "It may bring you 6 games against bots. You have 5 unfinished ones" in page
    without = announce(client, "seats=5", BOB)
    join(client, without, ALICE)


def test_players_who_blocked_each_other_do_not_meet_in_a_tournament(client: Client) -> None:
    url = announce(client, "seats=4")
    start(client, "tinc", "solo", BOB)
    people = client.get("/play/me/people", BOB)
    assert client.type(link(people, "/block"), "alice", BOB).status == 30
    page = client.get(link(client.get(url, BOB), "/join"), BOB)
    assert page.startswith("# Not possible\n\nSomebody takes part whom you cannot play against")
    assert "Players: 1 of 4" in client.get(url)
    act(client, url, "leave", ALICE, "leave")
    join(client, url, BOB)


def test_a_block_made_later_changes_nothing(client: Client) -> None:
    url = announce(client, "seats=3")
    join(client, url, BOB)
    client.type(link(client.get("/play/me/people", BOB), "/block"), "alice", BOB)
    join(client, url, CAROL)
    assert len(games(client, url)) == 6


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
    assert sorted(results.values()) == sorted(games(client, url).values())
    for path in entries.values():
        if path:
            assert client.ask(path).status == 20
    assert links(feed)["To the tournament"] == url
    atom = client.get(f"{url}/feed.xml")
    assert f"<id>gemini://localhost{url}?finished</id>" in atom
    keep_time(client)
    assert client.get(f"{url}/feed.xml") == atom, "looking at it and storing it changes nothing"


def test_the_feed_tells_of_a_cancellation(client: Client) -> None:
    url = announce(client, "starts=1")
    client.now += timedelta(days=3)
    (path,) = (
        path
        for label, path in links(client.get(f"{url}/feed")).items()
        if label.endswith("2026-11-21 - alice's ultimate is cancelled")
    )
    assert path == f"{url}?cancelled"


def test_the_public_feed_has_announcements_but_no_flood_of_games(client: Client) -> None:
    url = begin(client, "variant=numeric&seats=3")
    for feed in ("/feed", "/games/numeric/feed"):
        assert f"{url}?announced" in client.get(feed)
        assert "New game" not in client.get(feed), "six began at once"
    assert f"{url}?announced" not in client.get("/games/tinc/feed")
    resign(client, games(client, url)["alice", "bob"], ALICE)
    assert "bob (O) beats alice (X)" in client.get("/feed")


def test_the_lists_lead_to_what_was_announced_earlier(client: Client) -> None:
    for number in range(25):
        client.now += timedelta(minutes=1)
        announce(client, who=certificate(f"player{number:02}"))
    first = client.get(HERE)
    older = client.get(links(first)["More, announced earlier"])
    shown = [re.findall(r"player\d\d's ultimate", page) for page in (first, older)]
    assert [len(each) for each in shown] == [20, 5]
    assert shown[0] + shown[1] == [f"player{number:02}'s ultimate" for number in range(24, -1, -1)]
    assert client.get(f"{HERE}?announced-zz-aaaaaaaaaa") == first


def test_a_reader_who_wants_words_first_has_them_first(client: Client) -> None:
    url = begin(client)
    words_first = next(
        url
        for url in links(client.get("/play/me/settings", ALICE)).values()
        if url.endswith("/words/first")
    )
    client.ask(words_first, ALICE)
    page = client.get(url, ALICE)
    assert page.index("## Standings") < page.index("```Crosstable")
    assert client.get(url).index("```Crosstable") < client.get(url).index("## Standings")


@pytest.mark.parametrize("who", [None, ALICE])
def test_translators_see_every_word(client: Client, who: Certificate | None) -> None:
    urls = [
        begin(client, "variant=quantum&seats=3"),
        begin(client, "variant=tinc&seats=3&rated=no"),
        announce(client, "bots=club"),
        announce(client, "starts=full"),
    ]
    act(client, urls[0], "leave", CAROL, "leave")
    resign(client, games(client, urls[1])["alice", "bob"], ALICE)
    cancelled = announce(client)
    act(client, cancelled, "cancel", ALICE, "cancel")
    names = ["alice", "bob", "carol", "Tinc", "Quantum", "Ultimate", "club", "Oxonaut"]
    names += ["alice's ultimate", "alice's quantum", "alice's tinc", "UTC"]
    for path in (HERE, *urls, cancelled, *([f"{HERE}new"] if who else [])):
        with pseudo_translated():
            page = client.get(path, who)
        titled = [line for line in untranslated(page, names) if not line.startswith("=> /rules")]
        assert [line for line in titled if "/new?variant" not in line] == [], path
