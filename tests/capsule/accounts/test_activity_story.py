"""Others see who was here, to the day only, unless the player does not want that."""

import json
from datetime import timedelta

import pytest

from capsule.db.schema.players import players
from capsule.gemini.types import Certificate
from capsule.lobby.pages.players import MAX_ACTIVE, MAX_PLAYERS
from tests.support.client import Client, certificate, link, links
from tests.support.conversation import set_player
from tests.support.ladders import holders, under
from tests.support.stories import ALICE, BOB, CAROL, start

DAY = timedelta(days=1)
NOTICE = "## New: others see when you were here"


def here(client: Client, who: Certificate) -> str:
    """Let somebody look at their games, and return that page."""
    return client.get("/play/", who)


def active(client: Client) -> list[str]:
    """Return how the list of players says who was here."""
    return list(links(under(client.get("/players/"), "Recently active")))


def newest(client: Client) -> list[str]:
    return holders(under(client.get("/players/"), "New here"))


def come_before_the_release(client: Client, *who: Certificate) -> None:
    """Let people play, with what the database had of them before it kept these days."""
    for each in who:
        start(client, "tinc", "solo", each)
        set_player(client, each, active_on=None, activity_shown_from=None)


def choose(client: Client, value: str, who: Certificate = ALICE) -> None:
    client.ask(link(client.get("/play/me/settings", who), f"/activity/{value}"), who)


# The day


def test_a_week_is_today_and_the_six_days_before(client: Client) -> None:
    start(client, "tinc", "solo", ALICE)
    assert NOTICE not in here(client, ALICE), "a new player sees it in the settings"
    assert active(client) == ["alice, today"]
    assert "alice was here today." in client.get("/players/alice")
    client.now += DAY
    for _ in range(6):
        assert active(client) == ["alice, this week"]
        assert "alice was here this week." in client.get("/players/alice")
        client.now += DAY
    assert active(client) == []
    assert "Nobody this week." in client.get("/players/")
    assert "alice was here" not in client.get("/players/alice")


@pytest.mark.parametrize("path", ["/play/", "/play/puzzles/", "/play/daily/", "/play/me/"])
def test_any_page_that_knows_its_reader_counts(client: Client, path: str) -> None:
    start(client, "tinc", "solo", ALICE)
    client.now += 3 * DAY
    client.get(path, ALICE)
    assert active(client) == ["alice, today"]


def test_those_of_today_stand_first(client: Client) -> None:
    for each in (ALICE, BOB, CAROL):
        start(client, "tinc", "solo", each)
    client.now += DAY
    here(client, BOB)
    assert active(client) == ["bob, today", "carol, this week", "alice, this week"]


def test_nothing_is_told_about_a_visitor_without_a_certificate(client: Client) -> None:
    client.get("/")
    client.get("/players/")
    assert active(client) == []
    here(client, certificate("visitor"))
    assert active(client) == [], "who has done nothing here is nobody yet"


def test_nobody_stands_in_both_lists(client: Client) -> None:
    start(client, "tinc", "solo", ALICE)
    client.now += 10 * DAY
    start(client, "tinc", "solo", BOB)
    assert (active(client), newest(client)) == (["bob, today"], ["alice"])
    here(client, ALICE)
    assert (active(client), newest(client)) == (["bob, today", "alice, today"], [])


def test_the_lists_have_an_end(client: Client) -> None:
    today = client.now.date()
    count = MAX_ACTIVE + MAX_PLAYERS + 5
    with client.database.writing() as connection:
        for number in range(count):
            connection.execute(
                players.insert(),
                {
                    "name": f"player-{number:02}",
                    "likeness": f"player{number:02}",
                    "look": f"player{number:02}",
                    "actions": 0,
                    "created_at": client.now,
                    "active_on": today,
                    "activity_shown_from": today,
                },
            )
    assert (len(active(client)), len(newest(client))) == (MAX_ACTIVE, MAX_PLAYERS)


# Who does not want it


def test_a_setting_keeps_the_day_from_being_kept(client: Client) -> None:
    start(client, "tinc", "solo", ALICE)
    choose(client, "off")
    assert "Nobody sees when you were here." in client.get("/play/me/settings", ALICE)
    assert active(client) == []
    client.now += DAY
    here(client, ALICE)
    assert active(client) == []
    assert newest(client) == ["alice"]
    assert "was here" not in client.get("/players/alice")
    assert json.loads(client.get("/play/me/export.json", ALICE))["active_on"] is None


# Those who played here before


def test_players_from_before_are_told_before_they_are_shown(client: Client) -> None:
    come_before_the_release(client, ALICE, BOB)
    client.get("/play/me/", ALICE)
    assert active(client) == []
    assert NOTICE in here(client, ALICE)
    assert active(client) == [], "not on the day on which they are told"
    client.now += DAY
    here(client, BOB)
    assert active(client) == []
    assert NOTICE not in here(client, ALICE)
    assert active(client) == ["alice, today"]


def test_the_notice_has_a_link_against_it(client: Client) -> None:
    come_before_the_release(client, ALICE)
    client.ask(link(here(client, ALICE), "/activity/off"), ALICE)
    assert NOTICE not in here(client, ALICE)
    client.now += DAY
    assert NOTICE not in here(client, ALICE)
    assert active(client) == []
