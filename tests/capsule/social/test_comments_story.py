"""Comments on public games that are over: anyone reads them, and people who have played write."""

import json
from datetime import timedelta

import pytest

from capsule.gemini.types import Response
from capsule.social.line_queries import COMMENTS
from tests.support import everyone
from tests.support.client import BEGINNING, Client, action, certificate, link, links
from tests.support.comments import act_on_comment, comment, comments_on, public_game, resigned_game
from tests.support.conversation import ended_game, name_in_list, set_player
from tests.support.feeds import private_feed
from tests.support.stored import on_disk, player_id
from tests.support.stories import ALICE, BOB, CAROL, ROOM, open_game, start, undone

DAVE = certificate("dave")


@pytest.fixture
def url(client: Client) -> str:
    """The URL of a public game of alice and bob, on which they and carol may comment."""
    return public_game(client)


# Writing


def test_people_comment_on_a_game_and_anyone_reads_it(client: Client, url: str) -> None:
    assert links(client.get(url))["Comments: none yet"] == f"{url}/comments"
    page = client.get(f"{url}/comments", CAROL)
    assert page.startswith("# Comments on Ultimate: alice (X) – bob (O)\n")
    assert "There are no comments yet." in page
    prompt = links(page)["Write a comment"]
    assert client.ask(prompt, CAROL).meta == f"{ROOM} Your comment, which anyone can read"
    assert client.type(prompt, "  A fine game ", CAROL) == Response(30, f"{url}/comments")
    client.now += timedelta(days=1)
    comment(client, url, "Thank you", ALICE)
    comment(client, url, "It was close", BOB)
    for who in (None, ALICE, BOB, CAROL, certificate("new")):
        assert comments_on(client, url, who) == [
            *("## 21 November 2026", "carol: A fine game"),
            *("## 22 November 2026", "alice: Thank you", "bob: It was close"),
        ]
        assert links(client.get(url, who))["Read 3 comments"] == f"{url}/comments"


def test_a_player_writes_five_comments_a_day_on_all_games(client: Client, url: str) -> None:
    other = resigned_game(client)
    for number in range(5):
        assert comment(client, (url, other)[number % 2], f"{number}", ALICE).status == 30
        client.now += timedelta(minutes=1)
    prompt = link(client.get(f"{url}/comments", ALICE), "/comment")
    refused = "You can write 5 comments a day. Try again on 22 November 2026 at 14:02 UTC."
    assert undone(client, prompt, ALICE, f"{url}/comments") == f"Nothing was sent. {refused}"
    said_so = undone(client, f"{prompt}?more", ALICE, f"{url}/comments")
    assert said_so == f"Nothing was sent. {refused} Your text was:\n> more"
    assert comment(client, url, "But I may", BOB).status == 30
    client.type(act_on_comment(client, url, "remove", 1, ALICE), "remove", ALICE)
    assert client.ask(prompt, ALICE).status == 20, "what was removed counts"
    client.now = BEGINNING + timedelta(days=2)
    assert client.ask(f"{prompt}?more", ALICE).status == 30, "the same prompt still fits"


# Who may write, and on what


def test_only_people_who_have_played_write(client: Client, url: str) -> None:
    assert links(client.get(f"{url}/comments"))["Sign in to write a comment"] == (
        f"/play/?{url.removeprefix('/play/')}/comments"
    )
    stranger = certificate("new")
    terms = "To comment, first finish a game against a person, or three against bots."
    assert terms in client.get(f"{url}/comments", stranger)
    goal = f"/play/?{url.removeprefix('/play/')}/comments"
    assert client.get(goal, CAROL) == client.get(f"{url}/comments", CAROL)
    start(client, "tinc", "solo", DAVE)
    page = client.get(f"{url}/comments", DAVE)
    assert terms in page
    assert "/comment " not in page


def test_a_newcomer_writes_after_a_day(client: Client, url: str) -> None:
    resigned_game(client, DAVE, CAROL)
    client.now += timedelta(days=1) - timedelta(seconds=1)
    assert "/comment " not in client.get(f"{url}/comments", DAVE)
    client.now += timedelta(seconds=1)
    assert comment(client, url, "hello", DAVE).status == 30


def test_a_first_game_that_ends_lets_its_player_write_at_once(client: Client, url: str) -> None:
    start(client, "tinc", "solo", DAVE)
    client.now += timedelta(days=2)
    assert "/comment " not in client.get(f"{url}/comments", DAVE)
    resigned_game(client, DAVE, CAROL)
    assert comment(client, url, "hello", DAVE).status == 30


def test_a_program_writes_nothing(client: Client, url: str) -> None:
    prompt = link(client.get(f"{url}/comments", CAROL), "/comment")
    set_player(client, CAROL, program_since=client.now)
    assert "Programs write no comments." in client.get(f"{url}/comments", CAROL)
    said_so = undone(client, f"{prompt}?hi", CAROL, f"{url}/comments")
    assert said_so == "Nothing was sent. Programs write no comments. Your text was:\n> hi"


def test_games_that_are_private_or_go_on_take_no_comments(client: Client) -> None:
    running, private = open_game(client), ended_game(client)
    aborted = open_game(client)
    client.type(action(client.get(aborted, ALICE), "abort"), "abort", ALICE)
    client.now += timedelta(days=1)
    for each in (running, private, aborted):
        for who in (None, ALICE):
            assert f"{each}/comments" not in client.get(each, who)
            page = client.get(f"{each}/comments", who)
            assert "Comments are for public games that are over, and for everyone's game." in page
            assert "/comment " not in page
            assert "close-comments" not in page
    assert client.ask("/play/aaaaaaaaaa/comments").status == 51


def test_everyones_game_is_commented_on_while_it_is_played(client: Client, url: str) -> None:
    game = everyone.advance(client)
    here = f"/play/{game.stored.id}"
    for path in ("/everyone/", here):
        assert links(client.get(path))["Comments: none yet"] == f"{here}/comments"
    assert comment(client, here, "Take the middle!", ALICE) == Response(30, f"{here}/comments")
    for path in ("/everyone/", "/play/everyone/", here):
        assert links(client.get(path, BOB))["Read 1 comment"] == f"{here}/comments"
    for who in (None, ALICE, BOB):
        assert comments_on(client, here, who)[1:] == ["alice: Take the middle!"]
        assert "-comments " not in client.get(f"{here}/comments", who), "nobody closes them"
    assert "/comments" not in client.get(private_feed(client, BOB))
    comment(client, url, "and here", ALICE)
    client.type(act_on_comment(client, here, "remove", 1, ALICE), "remove", ALICE)
    assert "Comments: none yet" in links(client.get("/everyone/"))


# Reading


def test_a_page_has_ten_comments_and_the_newest_come_first_to_mind(
    client: Client, url: str
) -> None:
    alice, game_id = player_id(client, ALICE), url.removeprefix("/play/")
    with client.database.writing() as connection:
        for number in range(1, 26):
            COMMENTS.add(connection, game_id, alice, f"number {number}", client.now)
    last = client.get(f"{url}/comments")
    assert comments_on(client, url)[1:] == [f"alice: number {n}" for n in range(16, 26)]
    assert "Later comments" not in last
    middle = links(last)["Earlier comments"]
    assert middle == f"{url}/comments?6"
    assert comments_on(client, middle)[1:] == [f"alice: number {n}" for n in range(6, 16)]
    first = links(client.get(middle))["Earlier comments"]
    assert comments_on(client, first)[1:] == [f"alice: number {n}" for n in range(1, 6)] + [
        f"alice: number {n}" for n in range(6, 11)
    ]
    assert "Earlier comments" not in client.get(first)
    later = links(client.get(first))["Later comments"]
    assert comments_on(client, later)[1:] == [f"alice: number {n}" for n in range(11, 21)]
    for query in ("?0", "?x", "?999999", "?" + "1" * 400):
        assert client.get(f"{url}/comments{query}") == last


def test_a_reader_is_shown_nothing_of_those_they_have_muted_or_blocked(
    client: Client, url: str
) -> None:
    comment(client, url, "one", CAROL)
    comment(client, url, "two", BOB)
    before = {who: client.get(f"{url}/comments", who) for who in (ALICE, CAROL)}
    name_in_list(client, "mute", "carol", ALICE)
    assert comments_on(client, url, ALICE)[1:] == ["bob: two"]
    assert client.get(f"{url}/comments", CAROL) == before[CAROL], "carol does not learn of it"
    client.get(link(client.get("/play/me/people", ALICE), "unmute?carol"), ALICE)
    assert len(comments_on(client, url, ALICE)) == 3
    name_in_list(client, "block", "carol", ALICE)
    assert comments_on(client, url, ALICE)[1:] == ["bob: two"]


def test_a_block_keeps_off_the_comments_on_ones_games(client: Client, url: str) -> None:
    prompt = link(client.get(f"{url}/comments", CAROL), "/comment")
    name_in_list(client, "block", "carol", ALICE)
    refusal = "You cannot comment on games of alice."
    assert refusal in client.get(f"{url}/comments", CAROL)
    said_so = undone(client, f"{prompt}?hello", CAROL, f"{url}/comments")
    assert said_so == f"Nothing was sent. {refusal} Your text was:\n> hello"
    other = resigned_game(client, CAROL, BOB)
    page = client.get(f"{other}/comments", ALICE)
    assert "You have blocked carol, so you cannot comment here." in page
    assert comment(client, url, "I still may", BOB).status == 30


def test_the_operators_mute_is_told_until_when(client: Client, url: str) -> None:
    client.get(f"{url}/comments", ALICE)
    set_player(client, ALICE, silenced_until=client.now + timedelta(minutes=3))
    muted = "The operator has muted you until 21 November 2026 at 14:05 UTC."
    assert muted in client.get(f"{url}/comments", ALICE)
    client.now += timedelta(minutes=3)
    assert comment(client, url, "sorry", ALICE).status == 30


# Closing and opening


@pytest.mark.parametrize(("first", "second"), [(ALICE, ALICE), (ALICE, BOB), (BOB, ALICE)])
def test_either_player_closes_the_comments_and_opens_them_again(
    client: Client, url: str, first: object, second: object
) -> None:
    comment(client, url, "hello", CAROL)
    prompt = link(client.get(f"{url}/comments", CAROL), "/comment")
    close = link(client.get(f"{url}/comments", first), "/close-comments")
    assert client.ask(close, first) == Response(30, f"{url}/comments")
    closed = "The players have closed the comments on this game."
    for who in (None, ALICE, BOB, CAROL, certificate("new")):
        page = client.get(f"{url}/comments", who)
        assert closed in page
        assert "/comment " not in page
        assert comments_on(client, url, who)[1:] == ["carol: hello"], "nothing is hidden"
    said_so = undone(client, f"{prompt}?again", CAROL, f"{url}/comments")
    assert said_so == f"Nothing was sent. {closed} Your text was:\n> again"
    assert client.ask(close, first) == Response(30, f"{url}/comments"), "it has been followed"
    reopen = link(client.get(f"{url}/comments", second), "/open-comments")
    assert client.ask(reopen, second) == Response(30, f"{url}/comments")
    assert client.ask(f"{prompt}?again", CAROL).status == 30
    assert client.ask(close, first) == Response(30, f"{url}/comments"), "and does so no more"
    client.now += timedelta(days=8)
    said_so = undone(client, close, first, f"{url}/comments")
    assert said_so == "That link was out of date: nothing was changed."
    assert comments_on(client, url)[1:] == ["carol: hello", "carol: again"]


def test_nobody_else_closes_them(client: Client, url: str) -> None:
    page = client.get(f"{url}/comments", CAROL)
    assert "close-comments" not in page
    close = link(client.get(f"{url}/comments", ALICE), "/close-comments")
    for who in (BOB, CAROL, certificate("new")):
        assert undone(client, close, who, f"{url}/comments")
    key = action_key_of(client, url, CAROL)
    assert undone(client, f"{url}/{key}/close-comments", CAROL, f"{url}/comments")
    assert "closed the comments" not in client.get(f"{url}/comments")


def action_key_of(client: Client, url: str, who: object) -> str:
    """Return the key with which somebody acts on the comments on a game."""
    comment(client, url, "mine", who)
    found = act_on_comment(client, url, "remove", 1, who)
    return found.removeprefix(f"{url}/").partition("/")[0]


def test_kept_pages_of_every_process_learn_of_each_change(client: Client, url: str) -> None:
    other = Client(client.home, client.now)
    here = f"{url}/comments"

    def assert_told(*lines: str, closed: bool = False) -> None:
        # On PostgreSQL, strangers may be given a page that is a second old.
        client.now = other.now = client.now + timedelta(seconds=2)
        for process in (client, other):
            for who in (None, ALICE, CAROL):
                assert comments_on(process, url, who)[1:] == [*lines], (process, who)
                assert ("The players have closed" in process.get(here, who)) is closed

    assert_told()
    comment(client, url, "hello", CAROL)
    assert_told("carol: hello")
    comment(other, url, "and you", BOB)
    assert_told("carol: hello", "bob: and you")
    client.type(link(client.get("/play/me/", BOB), "/name"), "robert", BOB)
    assert_told("carol: hello", "robert: and you")
    other.get(link(other.get(here, ALICE), "/close-comments"), ALICE)
    assert_told("carol: hello", "robert: and you", closed=True)
    client.get(link(client.get(here, ALICE), "/open-comments"), ALICE)
    client.type(act_on_comment(client, url, "remove", 1, CAROL), "remove", CAROL)
    assert_told("robert: and you")
    other.type(link(other.get("/play/me/", BOB), "/erase"), "erase", BOB)
    assert_told()
    other.database.close()


# Removing


def test_an_author_removes_a_comment(client: Client, url: str) -> None:
    comment(client, url, "the words of carol", CAROL)
    comment(client, url, "and mine", ALICE)
    remove = act_on_comment(client, url, "remove", 1, CAROL)
    assert client.ask(remove, CAROL).meta == "Type remove to remove your comment for good"
    assert client.type(remove, "no", CAROL).status == 10
    assert client.type(remove, " Remove ", CAROL) == Response(30, f"{url}/comments")
    assert comments_on(client, url)[1:] == ["alice: and mine"]
    assert "Read 1 comment\n" in client.get(url)
    assert client.ask(f"{remove}?%20Remove%20", CAROL) == Response(30, f"{url}/comments")
    assert undone(client, f"{remove}?remove", CAROL, f"{url}/comments"), "another request"
    assert "Comment: carol" not in client.get(private_feed(client, ALICE))
    assert json.loads(client.get("/play/me/export.json", CAROL))["comments"] == []
    assert b"the words of carol" not in on_disk(client)


def test_nobody_removes_the_comment_of_another(client: Client, url: str) -> None:
    comment(client, url, "mine", CAROL)
    comment(client, url, "and mine", ALICE)
    chosen = client.get(f"{url}/comments/choose", ALICE)
    assert "/remove-comment/1" not in chosen
    own = act_on_comment(client, url, "remove", 2, ALICE)
    assert undone(client, own.replace("/2", "/1") + "?remove", ALICE, f"{url}/comments")
    carols = act_on_comment(client, url, "remove", 1, CAROL)
    assert undone(client, f"{carols}?remove", ALICE, f"{url}/comments")
    assert undone(client, f"{own[:-2]}/99?remove", ALICE, f"{url}/comments")
    other = resigned_game(client)
    elsewhere = own.replace(url, other)
    assert undone(client, f"{elsewhere}?remove", ALICE, f"{other}/comments")
    assert len(comments_on(client, url)) == 3


def test_the_page_where_one_chooses_is_for_players(client: Client, url: str) -> None:
    comment(client, url, "mine", CAROL)
    where = f"{url}/comments/choose?1"
    assert client.ask(where).status == 30
    assert client.ask(where, certificate("new")) == Response(30, f"{url}/comments")
    assert "/choose" not in client.get(f"{url}/comments")
    page = client.get(where, ALICE)
    assert "Report this comment by carol" in page
    assert links(page)["Mute or block somebody"] == "/play/me/people"
    assert "Remove your comment" in client.get(where, CAROL)


# Feeds


def test_a_comment_is_in_the_feeds_of_the_two_players(client: Client, url: str) -> None:
    comment(client, url, "not for the feed", CAROL)
    client.now += timedelta(minutes=1)
    comment(client, url, "mine", ALICE)
    found = {}
    for who in (ALICE, BOB, CAROL):
        lines = client.get(private_feed(client, who)).splitlines()
        found[who] = [line for line in lines if "/comments?" in line]
    ends = {who: [line.partition(" - ")[2] for line in lines] for who, lines in found.items()}
    assert ends == {
        ALICE: ["Comment: carol, Ultimate"],
        BOB: ["Comment: alice, Ultimate", "Comment: carol, Ultimate"],
        CAROL: [],
    }
    assert comments_on(client, found[ALICE][0].split()[1], ALICE)[1] == "carol: not for the feed"
    assert "not for the feed" not in client.get(private_feed(client, ALICE))
    name_in_list(client, "mute", "carol", ALICE)
    assert "Comment: carol" not in client.get(private_feed(client, ALICE))


def test_who_wants_no_messages_is_not_told_of_comments(client: Client, url: str) -> None:
    comment(client, url, "hello", CAROL)
    set_player(client, ALICE, takes_messages=False)
    assert "/comments" not in client.get(private_feed(client, ALICE))
    set_player(client, BOB, disabled_news=("messages",))
    assert "/comments" not in client.get(private_feed(client, BOB))


# Erasure


def test_comments_of_an_erased_player_are_gone(client: Client, url: str) -> None:
    comment(client, url, "the words of carol", CAROL)
    comment(client, url, "the words of alice", ALICE)
    client.type(link(client.get("/play/me/", CAROL), "/erase"), "erase", CAROL)
    assert comments_on(client, url)[1:] == ["alice: the words of alice"]
    assert "Read 1 comment\n" in client.get(url)
    kept = on_disk(client)
    assert b"the words of carol" not in kept
    assert b"the words of alice" in kept
