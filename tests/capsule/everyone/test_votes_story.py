"""Casting votes: by links where there are few moves, once for each page, and never as a program."""

import json
from datetime import UTC, datetime, timedelta

import pytest

from capsule.gemini.types import Certificate
from tests.support.client import Client, links
from tests.support.comments import comment
from tests.support.console import Console
from tests.support.everyone import (
    HERE,
    VOTING,
    Begin,
    advance,
    ballot,
    link_of,
    midnight,
    moves_of,
    newest,
    reply,
    vote,
)
from tests.support.stories import ALICE, BOB, CAROL

pytestmark = pytest.mark.usefixtures("people")


def moves_with_links(client: Client, who: Certificate = ALICE) -> list[str]:
    """Return the moves that the page of a voter has links for."""
    found = links(client.get(VOTING, who)).values()
    return [url.partition("/vote?")[2] for url in found if "/vote?" in url]


def test_moves_have_links_where_twelve_or_fewer_are_legal(client: Client, begin: Begin) -> None:
    begin("ultimate")
    assert moves_with_links(client) == [], "81 moves are legal"
    assert client.ask(ballot(client, ALICE), ALICE).status == 10
    vote(client, ALICE, "e5")
    midnight(client, 2)
    reply(client, "d4")
    legal = list(newest(client).stored.variant.replay(["e5", "d4"]).legal_moves())
    assert moves_with_links(client) == legal
    assert len(legal) == 9
    choice = next(url for url in links(client.get(VOTING, ALICE)).values() if "/vote?a3" in url)
    assert client.ask(choice, ALICE).meta == VOTING
    assert moves_with_links(client) == [each for each in legal if each != "a3"]


def test_nobody_learns_the_votes_before_they_vote(client: Client, begin: Begin) -> None:
    begin("ultimate")
    vote(client, ALICE, "e5")
    game = f"/play/{newest(client).stored.id}"
    pages = (HERE, "/everyone/1", VOTING, "/games/", game, f"{game}/history", "/everyone/feed")
    for path in (*pages, f"{game}/state.json", f"{game}/record.json", f"{game}/comments"):
        for who in (None, BOB) if path != VOTING else (BOB,):
            page = client.get(path, who)
            assert "e5" not in page, path
            assert "The votes so far" not in page, path
    assert "* e5: 1 vote" in client.get(VOTING, ALICE)


@pytest.mark.parametrize(("hour", "second", "day"), [(12, 0, 27), (12, 1, 28), (0, 30, 27)])
def test_the_next_count_is_twelve_hours_away_at_least(
    client: Client, begin: Begin, hour: int, second: int, day: int
) -> None:
    begin("quantum")
    vote(client, ALICE, "a1+c3")
    midnight(client, 2)
    reply(client, "a1+c3")
    vote(client, ALICE, "a1")
    client.now = datetime(2026, 11, 26, hour, 0, second, tzinfo=UTC)
    advance(client)
    assert moves_of(client) == ["a1+c3", "a1+c3", "a1"], "the capsule was stopped for days"
    assert f"You can vote until {day} November 2026 at 00:00 UTC" in client.get(HERE)
    vote(client, BOB, "b2+c1")
    client.now = datetime(2026, 11, day, tzinfo=UTC) - timedelta(seconds=1)
    advance(client)
    assert len(moves_of(client)) == 3
    client.now += timedelta(seconds=1)
    advance(client)
    assert len(moves_of(client)) == 4


def test_kept_pages_of_every_process_learn_of_votes_and_moves(
    client: Client, console: Console, begin: Begin
) -> None:
    begin("ultimate")
    other = Client(client.home, client.now)

    def assert_told(*sentences: str) -> None:
        # On PostgreSQL, strangers may be given a page that is a second old.
        client.now = other.now = client.now + timedelta(seconds=2)
        for process in (client, other):
            for who in (None, ALICE):
                page = process.get(HERE, who)
                assert all(each in page for each in sentences), (process, who)

    assert_told("Nobody has voted yet.", "Comments: none yet")
    vote(client, BOB, "e5")
    assert_told("1 person has voted.")
    vote(other, CAROL, "d4")
    assert_told("2 people have voted.")
    console.admin("ban carol cheats")
    assert_told("1 person has voted.")
    comment(client, f"/play/{newest(client).stored.id}", "The middle!", ALICE)
    assert_told("Read 1 comment")
    midnight(client, 2)
    assert_told("the bot is thinking", "Everyone played e5 as move 1", "* e5: 1 vote")
    reply(client, "d4")
    assert_told("The expert bot played d4", "Nobody has voted yet.")
    midnight(client, 8)
    assert_told("# Everyone's game 2", "Game 1, Ultimate: left without a result")
    other.database.close()


def test_a_kept_page_says_to_the_minute_how_long_one_can_vote(client: Client, begin: Begin) -> None:
    begin("ultimate")
    vote(client, ALICE, "e5")
    client.now = datetime(2026, 11, 22, 23, 49, 59, tzinfo=UTC)
    for seconds, left in ((0, "10 minutes left"), (70, "8 minutes left"), (530, "less than a")):
        client.now += timedelta(seconds=seconds)
        for _ in range(2):
            assert f": {left}" in client.get(HERE)
    client.now += timedelta(seconds=1)
    assert "the votes are being counted" in client.get(HERE)


def test_a_kept_page_learns_that_the_time_without_votes_is_up(client: Client) -> None:
    begun = advance(client).stored
    client.now = begun.moved_at + timedelta(days=7) - timedelta(seconds=1)
    assert "Nobody has voted yet." in client.get(HERE)
    client.now += timedelta(seconds=1)
    assert "Nobody has voted yet." not in client.get(HERE)


def test_a_game_without_votes_ended_by_the_date_whenever_that_is_noticed(client: Client) -> None:
    begun = advance(client).stored
    client.now += timedelta(days=30)
    assert advance(client).number == 2
    ended = json.loads(client.get(f"/play/{begun.id}/record.json"))["ended"]
    assert datetime.fromisoformat(ended) == begun.moved_at + timedelta(days=7)


def test_what_was_counted_stays_when_a_voter_is_banned(
    client: Client, console: Console, begin: Begin
) -> None:
    begin("ultimate")
    vote(client, ALICE, "e5")
    midnight(client, 2)
    reply(client, "d4")
    console.admin("ban alice cheats")
    assert "* e5: 1 vote" in client.get(HERE)


def test_a_vote_does_not_outlast_a_ban(client: Client, console: Console, begin: Begin) -> None:
    begin("ultimate")
    prompt = ballot(client, ALICE)
    client.ask(link_of(prompt, "e5"), ALICE)
    console.admin("ban alice cheats --days 1")
    vote(client, BOB, "d4")
    client.now += timedelta(hours=1)
    console.admin("unban alice")
    assert "1 person has voted." in client.get(HERE)
    page = client.get(VOTING, ALICE)
    assert "You have voted" not in page
    assert "The votes so far" not in page
    assert json.loads(client.get("/play/me/export.json", ALICE))["votes"] == []
    assert client.ask(link_of(prompt, "e5"), ALICE).meta == VOTING, "a link acts once"
    assert "You did not vote" in client.ask(link_of(prompt, "a1"), ALICE).body
    assert "You have voted" not in client.get(VOTING, ALICE)
    vote(client, CAROL, "d4")
    vote(client, ALICE, "a1")
    assert "* a1: 1 vote" in client.get(VOTING, ALICE)
    midnight(client, 2)
    assert moves_of(client) == ["d4"]
