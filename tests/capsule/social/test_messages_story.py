"""Messages under a game: between two players, once each, in one line, and read by whom they let."""

from datetime import timedelta
from threading import Barrier, Thread

import pytest
from sqlalchemy import update

from capsule.db.schema.social import messages
from capsule.gemini.types import Response
from capsule.languages.time_zones import local_time
from capsule.ui.user_text import UNPRINTABLE
from tests.support.client import BEGINNING, Client, certificate, link, links
from tests.support.conversation import (
    act,
    block_in,
    ended_game,
    said,
    say,
    section,
    set_player,
    the_lines_of,
)
from tests.support.feeds import private_feed
from tests.support.stored import on_disk
from tests.support.stories import ALICE, BOB, CAROL, ROOM, play, start, start_between, undone

TRAPS = [
    "=> gemini://example.org a trap",
    "# Ultimate: mallory (X) – bob (O)",
    "### heading",
    "> quoted",
    "* item",
    "```",
    "hello\r\n=> gemini://example.org a trap",
    "hello\n```\nbob, 20 November 2026 at 14:02 UTC: I give up",
    "\u2028# heading",
    "\u202etfel ot thgir",
    "\u2066=> x",
    "\x1b[2Jcleared",
    "\x85# next line",
    "%(text)s {name} {{ 7 * 7 }} %% endif",
]


@pytest.fixture
def url(client: Client) -> str:
    """The URL of a game of alice and bob."""
    return start_between(client, "ultimate")


# Sending


def test_two_players_write_to_each_other(client: Client, url: str) -> None:
    page = client.get(url, ALICE)
    prompt = links(page)["Write a message to bob"]
    assert prompt.startswith(f"{url}/")
    assert prompt.endswith("/say")
    assert client.ask(prompt, ALICE).meta == f"{ROOM} Your message to bob"
    assert client.type(prompt, "  Good luck! ", ALICE) == Response(30, url)
    client.now += timedelta(minutes=1)
    assert say(client, url, "And you", BOB) == Response(30, url)
    for who in (ALICE, BOB):
        assert section(client.get(url, who), "Messages")[:2] == [
            "alice, 20 November 2026 at 14:02 UTC: Good luck!",
            "bob, 20 November 2026 at 14:03 UTC: And you",
        ]


def test_two_devices_that_send_at_the_same_moment_send_one(client: Client, url: str) -> None:
    prompt = link(client.get(url, ALICE), "/say")
    ready = Barrier(4)

    def press() -> None:
        ready.wait()
        client.ask(f"{prompt}?hello", ALICE)

    presses = [Thread(target=press) for _ in range(4)]
    for each in presses:
        each.start()
    for each in presses:
        each.join()
    assert said(client, url, BOB) == ["alice: hello"]


@pytest.mark.parametrize("way", ["solo", "bot-club", "invite", "open"])
def test_without_another_person_there_is_nobody_to_write_to(client: Client, way: str) -> None:
    url = start(client, "ultimate", way)
    assert "Messages" not in client.get(url, ALICE)
    assert "This is not one." in client.get(f"{url}/messages", ALICE)


@pytest.mark.parametrize("text", ["", "   ", "\r\n\t", "\x00\x1b", "\u200b\u2060", "\u3164\u2800"])
def test_an_empty_message_is_asked_for_again(client: Client, url: str, text: str) -> None:
    answer = say(client, url, text, ALICE)
    assert answer.status == 10
    assert answer.meta.endswith("Your message to bob")
    assert not said(client, url, BOB)


def test_a_message_has_at_most_280_characters(client: Client, url: str) -> None:
    answer = say(client, url, "x" * 281, ALICE)
    expected = "Your text has 281 characters, but only 280 fit. Your message to bob"
    assert answer == Response(10, expected)
    prompt = link(client.get(url, ALICE), "/say")
    assert client.ask(f"{prompt}?%20{'é' * 280}%0A", ALICE) == Response(30, url)
    assert said(client, url, BOB) == [f"alice: {'é' * 280}"]


def test_a_game_takes_five_messages_in_ten_minutes(client: Client, url: str) -> None:
    other = start_between(client, "tinc")
    for number in range(5):
        assert say(client, url, f"message {number}", ALICE) == Response(30, url)
        client.now += timedelta(minutes=1)
    expected = (
        "You can send 5 messages in ten minutes under one game. Try again on"
        " 20 November 2026 at 14:12 UTC."
    )
    prompt = link(client.get(url, ALICE), "/say")
    assert undone(client, prompt, ALICE, url) == f"Nothing was sent. {expected}"
    said_so = undone(client, f"{prompt}?more", ALICE, url)
    assert said_so == f"Nothing was sent. {expected} Your text was:\n> more"
    assert say(client, url, "But I may", BOB) == Response(30, url)
    assert say(client, other, "And here I may too", ALICE) == Response(30, other)
    client.now = BEGINNING + timedelta(minutes=10)
    assert client.ask(f"{prompt}?more", ALICE) == Response(30, url), "the same prompt still fits"
    next_prompt = link(client.get(url, ALICE), "/say")
    assert undone(client, f"{next_prompt}?and%20more", ALICE, url).endswith("> and more")


@pytest.mark.sqlite
def test_a_player_sends_fifty_messages_a_day(client: Client, url: str) -> None:
    other = start_between(client, "tinc")
    for number in range(50):
        assert say(client, url, f"message {number}", ALICE).status == 30
        client.now += timedelta(minutes=10)
    prompt = link(client.get(other, ALICE), "/say")
    assert undone(client, f"{prompt}?one%20more", ALICE, other) == (
        "Nothing was sent. You can send 50 messages a day. Try again on 21 November 2026 at 14:02 "
        "UTC. Your text was:\n> one more"
    )
    client.now = BEGINNING + timedelta(days=1)
    assert say(client, other, "one more", ALICE).status == 30


def test_players_write_until_thirty_days_after_the_end(client: Client) -> None:
    url = ended_game(client)
    client.now += timedelta(days=30) - timedelta(seconds=1)
    prompt = link(client.get(url, ALICE), "/say")
    assert client.type(prompt, "Well played", ALICE) == Response(30, url)
    late = link(client.get(url, BOB), "/say")
    client.now += timedelta(seconds=1)
    assert undone(client, f"{late}?thanks", BOB, url)
    for who in (ALICE, BOB):
        page = client.get(url, who)
        shown = client.get(f"{url}/messages", who)
        assert "Messages end 30 days after the game." in shown
        assert said(client, url, who) == ["alice: Well played"]
        assert "/say" not in page


# Feeds


def test_a_message_is_in_the_feed_of_its_recipient(client: Client, url: str) -> None:
    say(client, url, "between us", ALICE)
    client.now += timedelta(minutes=1)
    say(client, url, "and again", ALICE)
    feed = client.get(private_feed(client, BOB))
    found = [line for line in feed.splitlines() if "/messages?" in line]
    assert len(set(found)) == len(found) == 2
    # Two entries that would read alike are numbered.
    ends = [line.partition(" - ")[2] for line in found]
    assert ends == ["Message: alice, Ultimate", "Message: alice, Ultimate (2)"]
    assert "between us" not in feed, "anyone who has the feed's address could read it"
    assert "/messages" not in client.get(private_feed(client, ALICE))
    first = min(line.split()[1] for line in found)
    assert "UTC: between us" in client.get(first, BOB)
    assert "Message: alice" in client.get(f"{private_feed(client, BOB)}.xml")


def test_the_page_of_games_lists_recent_messages(client: Client, url: str) -> None:
    other = start_between(client, "tinc")
    for game in (url, url, other):
        say(client, game, "hello", ALICE)
        client.now += timedelta(minutes=1)
    lines = section(client.get("/play/", BOB), "Recent messages to you")
    assert [line.split(" ", 2)[2] for line in lines] == [
        "alice, under a game of Tinc, on 20 November 2026 at 14:04 UTC",
        "alice, under a game of Ultimate, on 20 November 2026 at 14:03 UTC",
    ]
    assert "UTC: hello" in client.get(lines[0].split()[1], BOB)
    assert "Recent messages to you" not in client.get("/play/", ALICE)
    client.now += timedelta(days=3)
    assert "Recent messages to you" not in client.get("/play/", BOB)


# What can be typed


def assert_nothing_forged(client: Client, url: str) -> None:
    """See that the only message of a game stands on one line of each page, after its author."""
    pages = [(path, who) for path in (url, f"{url}/messages") for who in (ALICE, BOB)]
    for line in the_lines_of(client, messages.c.text, pages):
        assert line.startswith(f"alice, {local_time(client.now, 'UTC')}: ")
        assert not UNPRINTABLE.search(line)


@pytest.mark.parametrize("text", TRAPS)
def test_no_message_forges_a_line(client: Client, url: str, text: str) -> None:
    assert say(client, url, text, ALICE).status == 30
    assert_nothing_forged(client, url)
    for who in (ALICE, BOB):
        act(client, url, "show", who)
    (line,) = the_lines_of(client, messages.c.text, [(url, None)])
    assert line.startswith("alice, ")


# Reading


def test_the_page_of_the_game_has_the_last_messages_and_another_page_all(
    client: Client, url: str
) -> None:
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
def test_any_other_query_shows_the_last_messages(client: Client, url: str, query: str) -> None:
    say(client, url, "hello", ALICE)
    assert "UTC: hello" in client.get(f"{url}/messages{query}", BOB)
    assert client.ask(f"/play/aaaaaaaaaa/messages{query}").status == 51


def test_messages_are_shown_to_nobody_else(client: Client, url: str) -> None:
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
    for who in (CAROL, certificate("new"), None):
        page = client.get(url, who)
        assert "/say" not in page
        assert "## Messages" not in page


def test_visitors_read_what_both_players_let_them(client: Client, url: str) -> None:
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


def test_a_player_who_takes_no_messages_gets_none(client: Client, url: str) -> None:
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


def test_a_player_muted_by_the_operator_is_told_until_when(client: Client, url: str) -> None:
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


def test_a_muted_player_is_not_told(client: Client, url: str) -> None:
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


def test_a_blocked_player_can_send_nothing(client: Client, url: str) -> None:
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


def test_a_removed_message_leaves_its_place(client: Client, url: str) -> None:
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
    client.type(link(client.get("/play/me/", ALICE), "/erase"), "erase", ALICE)
    assert said(client, url, BOB) == said(client, url) == ["bob: the words of bob"]
    page = client.get(url, BOB)
    assert "A former player reads no messages." in client.get(f"{url}/messages", BOB)
    assert "/say" not in page
    kept = on_disk(client)
    assert b"the words of alice" not in kept
    assert b"the words of bob" in kept
