"""The people of a cup: how they are seeded, who goes in the middle of it, and what winners keep."""

import json
import logging
from datetime import timedelta

import pytest
from sqlalchemy import update

from capsule.cups import course
from capsule.db import schema
from capsule.games.eligibility import games_ahead
from capsule.gemini.types import Certificate
from capsule.moderation.actions import ban
from capsule.timekeeping.watching import watch
from tests.support.acting import operate
from tests.support.client import Client, context_of, link, links
from tests.support.cups import (
    OWN,
    act,
    at,
    begin_cup,
    enter,
    lose,
    make_count,
    names_in,
    open_entry,
    parts,
    people,
    sweep,
    travel,
)
from tests.support.feeds import private_feed
from tests.support.people import erase
from tests.support.results import rate
from tests.support.stored import player_id, store_solo_games
from tests.support.stories import ALICE, BOB, CAROL
from tests.support.tournaments import games, resign

WHOLE = "Cup of January 2027"


# Entry


def test_the_strongest_by_rating_are_drawn_apart(client: Client) -> None:
    open_entry(client, 8)
    enter(client, *people(8))
    for number, who in enumerate(reversed(people(8))):
        rate(client, "numeric", who.common_name, 1500 + 50 * number)
        rate(client, "tinc", who.common_name, 1500 - 50 * number)
    travel(client, "2027-01-01 00:01")
    first, second = (names_in(client, url) for url in parts(client, "2027-01").values())
    order = [who.common_name for who in people(8)]
    assert first == {order[place] for place in (0, 3, 4, 7)}
    assert second == {order[place] for place in (1, 2, 5, 6)}


@pytest.mark.parametrize("verb", ["enter", "leave"])
def test_entry_ends_with_the_month_whenever_the_capsule_notices(client: Client, verb: str) -> None:
    open_entry(client, 4)
    enter(client, *people(4)[:3])
    who = people(4)[3 if verb == "enter" else 2]
    client.now = at("2027-01-01 00:00") - timedelta(seconds=1)
    address = link(client.get(OWN, who), f"/{verb}")
    client.now += timedelta(seconds=1)
    assert client.ask(address, who).status == 20
    assert "3 players" in client.get("/cups/2027-01")
    sweep(client)
    ((_, url),) = parts(client, "2027-01").items()
    assert names_in(client, url) == {"alice", "bob", "carol"}


def test_each_link_enters_or_leaves_once_and_leads_back_when_followed_again(client: Client) -> None:
    open_entry(client, 4)
    entering = link(client.get(OWN, ALICE), "/enter")
    client.ask(entering, ALICE)
    leaving = link(client.get(OWN, ALICE), "/leave")
    client.ask(leaving, ALICE)
    assert client.ask(entering, ALICE).meta == OWN
    assert "/players/alice" not in client.get("/cups/2027-01")
    assert act(client, "enter", ALICE).meta == OWN
    assert client.ask(leaving, ALICE).meta == OWN
    assert "/players/alice" in client.get("/cups/2027-01")


def test_entry_opens_with_the_20th_and_not_before(client: Client) -> None:
    client.now = at("2026-11-24 12:00")
    make_count(client, people(3))
    sweep(client)
    client.now = at("2026-12-19 23:59")
    sweep(client)
    assert "/enter" not in client.get(OWN, ALICE)
    client.now = at("2026-12-20 00:00")
    sweep(client)
    assert act(client, "enter", ALICE).meta == OWN


def test_who_has_no_room_for_the_games_may_not_enter(client: Client) -> None:
    open_entry(client, 3)
    store_solo_games(client, ALICE, 91)
    reason = "It may bring you 10 games. With 91 unfinished already, that exceeds the limit of 100."
    assert f"You cannot enter now. {reason}" in client.get(OWN, ALICE)


def test_places_for_the_games_are_kept_free_among_all_others(client: Client) -> None:
    open_entry(client, 3)
    store_solo_games(client, ALICE, 90)
    enter(client, ALICE)
    page = client.get(start_link(client, ALICE), ALICE)
    assert "You have 100 unfinished games (tournaments included). The limit is 100." in page
    act(client, "leave", ALICE)
    assert client.ask(start_link(client, ALICE), ALICE).status == 30


def start_link(client: Client, who: Certificate) -> str:
    return link(client.get("/play/new/tinc", who), "/solo")


def test_entrants_are_told_that_nothing_is_played_and_stay_entered(client: Client) -> None:
    begin_cup(client, 2)
    assert "It was not played" in client.get("/cups/2027-01")
    for who in (ALICE, BOB):
        told = client.get(private_feed(client, who))
        assert "The cup of January 2027 is not played. You stay entered for the next" in told
        assert "You are entered in the cup of February 2027, Quantum, and may leave it" in told
        assert "you are entered for February 2027" in client.get("/play/", who)
    assert "The cup of January 2027 is not played: too few" in client.get("/cups/feed")
    act(client, "leave", ALICE)
    travel(client, "2027-01-20 12:00")
    enter(client, ALICE)
    assert "/players/alice" in client.get("/cups/2027-02"), "who has left may come back"


def test_a_clock_that_is_in_doubt_begins_no_cup(client: Client) -> None:
    open_entry(client, 3)
    enter(client, *people(3))
    client.restart()
    client.jump(timedelta(days=20))
    course.advance_cups(client.context)
    assert not parts(client, "2027-01")
    client.jump(timedelta(days=-20))
    assert "Entry is open until the cup begins" in client.get("/cups/2027-01")


def test_a_cup_that_begins_while_the_clock_is_ahead_ends_on_time(client: Client) -> None:
    open_entry(client, 3)
    enter(client, *people(3))
    client.now = at("2027-01-01 00:01")
    watch(client.context, logging.getLogger("oxonaut.test"))
    client.jump(timedelta(days=60))
    course.advance_cups(client.context)
    client.jump(timedelta(days=-60))
    assert parts(client, "2027-01")
    assert "These games end on 15 February 2027" in client.get("/cups/2027-01")


# The final


@pytest.mark.slow
def test_who_stays_in_a_cup_that_takes_months_is_entered_in_the_next_to_begin(
    client: Client,
) -> None:
    begin_cup(client, 8)
    go_on_until(client, "2027-01-20 12:00")
    winners = []
    for url in parts(client, "2027-01").values():
        winners.append(min(names_in(client, url)))
        lose(client, url, winners[-1])
    sweep(client)
    go_on_until(client, "2027-02-10 12:00")
    lose(client, parts(client, "2027-01")[f"{WHOLE}, final"], winners[0])
    sweep(client)
    assert f"{winners[0]} won the cup on 10 February 2027." in client.get("/cups/2027-01")
    assert "It was not played" in client.get("/cups/2027-02")
    assert "## 8 players" in client.get("/cups/2027-03")
    assert "You are entered in the cup of March 2027, Extreme" in client.get(OWN, CAROL)


def go_on_until(client: Client, moment: str) -> None:
    """Let time pass in which everybody moves in time."""
    client.now = at(moment)
    table = schema.games.games
    with client.database.writing() as connection:
        connection.execute(
            update(table).where(table.c.status == "playing").values(moved_at=client.now)
        )


# Those who go in the middle


def beaten(client: Client, url: str, winner: str, of: int, *, apart_from: int = 0) -> None:
    """Have games of a group resigned against a winner, apart from some of the winner's own."""
    by_name = {each.common_name: each for each in people(of)}
    own = [pair for pair in games(client, url) if winner in pair]
    for (x, o), game in games(client, url).items():
        if winner in (x, o) and (x, o) in own[:apart_from]:
            continue
        resign(client, game, by_name[o if x == winner else x])


def test_a_group_without_its_banned_winner_sends_another_to_the_final(client: Client) -> None:
    begin_cup(client, 8)
    first, second = parts(client, "2027-01").values()
    banned, other = min(names_in(client, first)), min(names_in(client, second))
    beaten(client, first, banned, 8, apart_from=1)
    operate(ban, context_of(client), banned, "cheating", None)
    lose(client, second, other)
    sweep(client)
    final = parts(client, "2027-01")[f"{WHOLE}, final"]
    assert banned not in names_in(client, final)
    assert other in names_in(client, final)
    assert len(names_in(client, final)) >= 2


def test_who_leads_a_group_and_leaves_does_not_win_it(client: Client) -> None:
    begin_cup(client, 8)
    first, second = parts(client, "2027-01").values()
    by_name = {each.common_name: each for each in people(8)}
    leaver, other = min(names_in(client, first)), min(names_in(client, second))
    beaten(client, first, leaver, 8, apart_from=1)
    assert places_kept(client, by_name[leaver]) == 2, "for the final"
    client.type(link(client.get(first, by_name[leaver]), "/leave"), "leave", by_name[leaver])
    assert places_kept(client, by_name[leaver]) == 0
    sweep(client)
    page = client.get("/cups/2027-01")
    assert leaver not in page.partition("group 1: won by ")[2].partition("\n")[0]
    assert "group 1: won by " in page
    lose(client, second, other)
    sweep(client)
    final = parts(client, "2027-01")[f"{WHOLE}, final"]
    assert leaver not in names_in(client, final)
    assert other in names_in(client, final)
    assert len(names_in(client, final)) >= 2
    assert f"/players/{leaver}" not in client.get("/cups/2027-02")


def places_kept(client: Client, who: Certificate) -> int:
    """Return for how many games to come places are kept free."""
    number = player_id(client, who)
    with client.database.reading() as connection:
        return games_ahead(connection, number)[0]


def test_a_player_erased_in_the_middle_of_a_cup_loses_what_is_left(client: Client) -> None:
    begin_cup(client, 4)
    ((_, url),) = parts(client, "2027-01").items()
    erase(client, ALICE)
    assert "alice" not in client.get(url)
    assert "alice" not in client.get("/cups/2027-01")
    assert "* A former player" in client.get("/cups/2027-01")
    lose_of_others(client, url, "carol")
    sweep(client)
    assert "carol won the cup" in client.get("/cups/2027-01")
    assert "3 players" in client.get("/cups/2027-02"), "without the former one"


def lose_of_others(client: Client, url: str, winner: str) -> None:
    """Have the games that still run resigned against a winner."""
    by_name = {each.common_name: each for each in people(10)}
    for (x, o), game in games(client, url).items():
        loser = by_name.get(o if x == winner else x)
        if loser is not None and "/resign" in client.get(game, loser):
            resign(client, game, loser)


# What winners keep


def test_winners_stand_on_their_profiles_and_in_the_list_for_ever(client: Client) -> None:
    begin_cup(client, 3)
    lose(client, next(iter(parts(client, "2027-01").values())), "bob")
    sweep(client)
    for now in ("2027-01-02 12:00", "2029-06-01 12:00"):
        client.now = at(now)
        page = client.get("/players/bob")
        assert links(page)["January 2027, Numeric"] == "/cups/2027-01"
        assert "Cups won" not in client.get("/players/alice")
        assert "January 2027, Numeric: bob" in client.get("/cups/")
    exported = json.loads(client.get("/play/me/export.json", BOB))
    assert exported["cups_won"] == [
        {"month": "2027-01", "group": None},
        {"month": "2027-01", "group": 1},
    ]
    assert [each["month"] for each in exported["cup_entries"]] == ["2027-01", "2027-02"]


def test_a_cup_of_an_erased_winner_stays(client: Client) -> None:
    begin_cup(client, 3)
    lose(client, next(iter(parts(client, "2027-01").values())), "bob")
    sweep(client)
    erase(client, BOB)
    assert "A former player won the cup on 1 January 2027." in client.get("/cups/2027-01")
    assert "January 2027, Numeric: a former player" in client.get("/cups/")
    assert "A former player wins the cup of January 2027" in client.get("/cups/feed")
    for path in ("/cups/", "/cups/2027-01", "/cups/feed", "/cups/2027-02", "/feed"):
        assert "bob" not in client.get(path), path
