"""Readers of messages, and players who can be sent none."""

import json
from datetime import timedelta

import pytest
from sqlalchemy import update

from capsule.db.schema.social import messages
from capsule.gemini.types import Response
from tests.support.client import Client, certificate, link, links
from tests.support.conversation import act, block_in, ended_game, said, say, set_player
from tests.support.feeds import private_feed
from tests.support.stored import on_disk
from tests.support.stories import ALICE, BOB, CAROL, play, start, start_between, undone

# Reading


def test_the_page_of_the_game_has_the_last_messages_and_another_page_all(client: Client) -> None:
    url = start_between(client, "ultimate")
    for number in range(7):
        say(client, url, f"message {number}", ALICE)
        client.now += timedelta(minutes=3)
    assert said(client, url, BOB) == [f"alice: message {number}" for number in range(2, 7)]
    whole = client.get(
        links(client.get(url, BOB))["All messages; mute, block or report alice"], BOB
    )
    assert whole.startswith("# Messages: Ultimate: alice (X) – bob (O)\n")
    for number in range(7):
        assert f"UTC: message {number}\n" in whole


@pytest.mark.parametrize("query", ["?0", "?-1", "?x", "?999999", "?" + "1" * 400, "?1%0A"])
def test_any_other_query_shows_the_last_messages(client: Client, query: str) -> None:
    url = start_between(client, "ultimate")
    say(client, url, "hello", ALICE)
    assert "UTC: hello" in client.get(f"{url}/messages{query}", BOB)
    assert client.ask(f"/play/aaaaaaaaaa/messages{query}").status == 51


def test_messages_are_shown_to_nobody_else(client: Client) -> None:
    url = start_between(client, "ultimate")
    play(client, url, ["e5", "d4"], ALICE, BOB)
    say(client, url, "between us", ALICE)
    start(client, "tinc", "solo", CAROL)
    paths = ["", "/messages", "/messages?1", "/words", "/history", "/1", "/feed", "/feed.xml"]
    paths += ["/record.txt", "/record.json"]
    for path in paths:
        for who in (CAROL, certificate("new"), None):
            assert "between us" not in client.get(url + path, who), path
    for path in ("/", "/games/", "/feed", "/players/alice", "/players/alice/feed"):
        assert "between us" not in client.get(path), path
    assert "The two players keep their messages to themselves." in client.get(f"{url}/messages")


def test_visitors_read_what_both_players_let_them(client: Client) -> None:
    url = start_between(client, "ultimate")
    say(client, url, "hello", ALICE)
    neither = "Visitors cannot read the messages unless both of you agree."
    for who in (ALICE, BOB):
        assert neither in client.get(f"{url}/messages", who)

    assert act(client, url, "show", BOB) == Response(30, url)

    assert "You have agreed, but alice has not." in client.get(f"{url}/messages", BOB)
    assert "bob has agreed, but you have not." in client.get(f"{url}/messages", ALICE)
    for who in (CAROL, None):
        assert not said(client, url, who)

    assert act(client, url, "show", ALICE) == Response(30, url)

    for who in (ALICE, BOB):
        assert "Visitors can read the messages, since" in client.get(f"{url}/messages", who)
    for who in (CAROL, None):
        assert said(client, url, who) == ["alice: hello"]
        assert "UTC: hello" in client.get(f"{url}/messages", who)
        for page in (client.get(url, who), client.get(f"{url}/messages", who)):
            assert "/say" not in page
            assert "/hide" not in page
    prompt = link(client.get(url, ALICE), "/say")
    assert "visitors can read too" in client.ask(prompt, ALICE).meta

    assert act(client, url, "hide", BOB) == Response(30, url)

    for who in (CAROL, None):
        assert not said(client, url, who)
        assert "hello" not in client.get(f"{url}/messages", who)
    assert said(client, url, BOB) == ["alice: hello"]


# Who is not to be written to


def test_a_player_who_takes_no_messages_gets_none(client: Client) -> None:
    url = start_between(client, "ultimate")
    say(client, url, "first", ALICE)
    prompt = link(client.get(url, ALICE), "/say")
    set_player(client, BOB, takes_messages=False)
    page = client.get(f"{url}/messages", ALICE)
    assert "bob takes no messages." in page
    assert "/say" not in client.get(url, ALICE) + page
    assert undone(client, f"{prompt}?second", ALICE, url)
    assert "UTC: first" not in client.get(url, BOB)
    page = client.get(f"{url}/messages", BOB)
    assert "You take no messages, so you can send none. Your settings say so." in page
    assert links(page)["Your settings: take messages again"] == "/play/me/settings"
    assert "UTC: first" in page
    assert "Message: alice" not in client.get(private_feed(client, BOB))
    assert "Recent messages to you" not in client.get("/play/", BOB)
    set_player(client, BOB, takes_messages=True)
    assert said(client, url, BOB) == ["alice: first"]


def test_a_player_muted_by_the_operator_is_told_until_when(client: Client) -> None:
    url = start_between(client, "ultimate")
    prompt = link(client.get(url, ALICE), "/say")
    set_player(client, ALICE, silenced_until=client.now + timedelta(days=2))
    expected = "The operator has muted you until 22 November 2026 at 14:02 UTC."
    assert expected in client.get(f"{url}/messages", ALICE)
    said_so = undone(client, f"{prompt}?hello", ALICE, url)
    assert said_so == f"Nothing was sent. {expected} Your text was:\n> hello"
    assert not said(client, url, BOB)
    assert "operator has muted" not in client.get(f"{url}/messages", BOB)
    client.now += timedelta(days=2)
    assert client.ask(f"{prompt}?hello", ALICE) == Response(30, url)
    assert said(client, url, BOB) == ["alice: hello"]


def test_a_muted_player_is_not_told(client: Client) -> None:
    url = start_between(client, "ultimate")
    say(client, url, "before", ALICE)
    before = client.get(url, ALICE)
    act(client, url, "mute", BOB)
    assert client.get(url, ALICE) == before
    assert say(client, url, "after", ALICE) == Response(30, url)
    assert said(client, url, ALICE) == ["alice: before", "alice: after"]
    assert not said(client, url, BOB)
    assert "before" not in client.get(f"{url}/messages", BOB)
    assert "Message: alice" not in client.get(private_feed(client, BOB))
    assert "Recent messages to you" not in client.get("/play/", BOB)
    assert "You have muted alice" in client.get(f"{url}/messages", BOB)
    assert say(client, url, "I still can", BOB) == Response(30, url)
    assert said(client, url, ALICE)[-1] == "bob: I still can"
    act(client, url, "unmute", BOB)
    assert len(said(client, url, BOB)) == 3


def test_a_blocked_player_can_send_nothing(client: Client) -> None:
    url = start_between(client, "ultimate")
    say(client, url, "before", ALICE)
    prompts = {who: link(client.get(url, who), "/say") for who in (ALICE, BOB)}
    block_in(client, url, BOB)
    assert "You cannot send messages to bob." in client.get(f"{url}/messages", ALICE)
    blocked = "You have blocked alice, so there are no messages between you."
    assert blocked in client.get(f"{url}/messages", BOB)
    for who, prompt in prompts.items():
        assert undone(client, f"{prompt}?after", who, url)
    assert said(client, url, ALICE) == ["alice: before"]
    assert not said(client, url, BOB)


def test_a_removed_message_leaves_its_place(client: Client) -> None:
    url = start_between(client, "ultimate")
    say(client, url, "rude", ALICE)
    with client.database.writing() as connection:
        connection.execute(update(messages).values(text="", removed=True))
    line = "alice, 20 November 2026 at 14:02 UTC: (removed by the operator)"
    for who in (ALICE, BOB):
        assert line in client.get(url, who)
        assert line in client.get(f"{url}/messages", who)
    assert "Message: alice" not in client.get(private_feed(client, BOB))
    assert say(client, url, "sorry", ALICE) == Response(30, url)


def test_messages_of_an_erased_player_are_gone(client: Client) -> None:
    url = ended_game(client)
    say(client, url, "the words of alice", ALICE)
    say(client, url, "the words of bob", BOB)
    for who in (ALICE, BOB):
        act(client, url, "show", who)
    exported = json.loads(client.get("/play/me/export.json", ALICE))
    assert [each["text"] for each in exported["messages"]] == ["the words of alice"]
    client.type(link(client.get("/play/me/", ALICE), "/erase"), "erase", ALICE)
    assert said(client, url, BOB) == said(client, url) == ["bob: the words of bob"]
    page = client.get(url, BOB)
    assert "A former player reads no messages." in client.get(f"{url}/messages", BOB)
    assert "/say" not in page
    kept = on_disk(client)
    assert b"the words of alice" not in kept
    assert b"the words of bob" in kept
