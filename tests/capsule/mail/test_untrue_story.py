"""What has become untrue while a letter waits is not sent; what is still true in it is."""

from datetime import timedelta

import pytest

from capsule.games import deadlines
from capsule.mail.relay import SendOutcome
from tests.support.acting import meanwhile
from tests.support.client import Client, action, link
from tests.support.console import Console
from tests.support.conversation import act, block_in, say
from tests.support.mail import DAY, HOUR, MINUTE, Post, bobs_move, text_of
from tests.support.people import erase
from tests.support.stories import ALICE, BOB, CAROL, challenge, play, start, start_between

ADDRESS = "alice@example.net"

SECOND = timedelta(seconds=1)

OF_ALL = ("offers", "messages", "results", "events")


@pytest.fixture(autouse=True)
def alice_wants_all_mail(client: Client, post: Post) -> None:
    for who in (ALICE, BOB, CAROL):
        start(client, "tinc", "solo", who)
    post.subscribe(ALICE, ADDRESS)
    for kind in OF_ALL:
        post.choose(ALICE, f"{kind}/on")
    client.now += MINUTE


def tried(post: Post, time: timedelta = timedelta(0)) -> int:
    """Let the relay put letters off for a time, and return how many letters it was offered."""
    offered: list[int] = []
    post.relay.outcome, post.relay.on_letter = SendOutcome.DEFERRED, lambda: offered.append(1)
    post.deliver()
    if time:
        post.pass_time(time, max(HOUR, time / 24))
    post.relay.outcome, post.relay.on_letter = SendOutcome.ACCEPTED, lambda: None
    return len(offered)


def to_move(client: Client) -> str:
    """Return the address of a game in which both have moved, and alice is to move."""
    url = start_between(client, "ultimate", BOB, ALICE)
    play(client, url, ["e5", "d4", "a1"], ALICE, BOB)
    return url


def follow(client: Client, url: str, verb: str) -> None:
    client.get(link(client.get(url, BOB), f"/{verb}"), BOB)


def withdraw(client: Client, url: str) -> None:
    client.type(link(client.get(url, BOB), "/abort"), "abort", BOB)


@pytest.mark.parametrize("answer", ["accept", "decline", "withdraw", "block", "erase"])
def test_a_challenge_that_is_over_is_not_told(client: Client, post: Post, answer: str) -> None:
    url = challenge(client, "alice", "quantum", BOB).meta
    assert tried(post) == 1
    if answer == "withdraw":
        withdraw(client, url)
    elif answer == "block":
        client.type(link(client.get("/play/me/people", ALICE), "/block"), "bob", ALICE)
    elif answer == "erase":
        erase(client, BOB)
    else:
        client.ask(link(client.get(url, ALICE), f"/{answer}"), ALICE)
    letters = post.pass_time(HOUR, 10 * MINUTE)
    assert not [each for each in letters if "challenges you" in text_of(each)]


def test_a_challenge_that_waits_is_told(client: Client, post: Post) -> None:
    challenge(client, "alice", "quantum", BOB)
    assert tried(post) == 1
    (letter,) = post.pass_time(HOUR, 10 * MINUTE)
    assert letter["Subject"] == "bob challenges you: Quantum (Oxonaut)"


@pytest.mark.parametrize("verb", ["draw", "takeback"])
@pytest.mark.parametrize("answer", ["decline", "move", "resign"])
def test_an_offer_that_is_answered_is_not_told(
    client: Client, post: Post, verb: str, answer: str
) -> None:
    url = to_move(client)
    follow(client, url, verb)
    assert tried(post) == 1
    client.now += MINUTE
    if answer == "decline":
        client.get(link(client.get(url, ALICE), "/decline"), ALICE)
    elif answer == "move":
        play(client, url, ["c3"], ALICE)
    else:
        client.type(action(client.get(url, ALICE), "resign"), "resign", ALICE)
    letters = post.pass_time(HOUR, 10 * MINUTE)
    assert not [each for each in letters if "offers a draw" in text_of(each)]
    assert not [each for each in letters if "asks for a takeback" in text_of(each)]


def test_a_rematch_is_told_once(client: Client, post: Post) -> None:
    url = to_move(client)
    client.type(action(client.get(url, BOB), "resign"), "resign", BOB)
    post.deliver()
    client.ask(link(client.get(url, BOB), "/rematch"), BOB)
    (letter,) = post.pass_time(DAY, HOUR)
    assert letter["Subject"] == "bob offers a rematch: Ultimate (Oxonaut)"


@pytest.mark.slow
@pytest.mark.parametrize("change", ["remove", "mute", "block", "refuse", "erase"])
def test_a_message_that_alice_is_not_to_see_is_not_told(
    client: Client, post: Post, console: Console, change: str
) -> None:
    url = start_between(client, "ultimate", ALICE, BOB)
    say(client, url, "hello", BOB)
    assert tried(post) == 1
    if change == "remove":
        console.admin("remove-message 1 no insults")
    elif change == "mute":
        act(client, url, "mute", ALICE)
    elif change == "block":
        block_in(client, url, ALICE)
    elif change == "refuse":
        client.ask(link(client.get("/play/me/settings", ALICE), "/set/messages/off"), ALICE)
    else:
        erase(client, BOB)
    letters = post.pass_time(DAY, HOUR)
    assert not [each for each in letters if "wrote to you" in text_of(each)]


@pytest.mark.slow
@pytest.mark.parametrize("end", ["resign", "abort", "time"])
def test_a_turn_in_a_game_that_is_over_is_not_told(client: Client, post: Post, end: str) -> None:
    url = bobs_move(client)
    if end != "time":
        assert tried(post, DAY)
        client.type(action(client.get(url, BOB), end), end, BOB)
    else:
        assert tried(post, 15 * DAY)
        deadlines.end_overdue(client.context)
    letters = post.pass_time(DAY, HOUR)
    assert not [each for each in letters if "Your turn" in f"{each['Subject']}{text_of(each)}"]


def test_time_that_has_run_out_is_not_called_left(client: Client, post: Post) -> None:
    """The opponent has not claimed the game: it is still alice's turn."""
    bobs_move(client)
    assert tried(post, 8 * DAY)
    (letter,) = post.pass_time(DAY, HOUR)
    text = text_of(letter)
    assert "Your turn against bob: Ultimate\n" in text
    assert "left" not in text


def test_what_is_still_true_in_a_letter_is_told(client: Client, post: Post) -> None:
    one, other = to_move(client), to_move(client)
    assert tried(post, DAY)
    play(client, one, ["c3"], ALICE)
    (letter,) = post.pass_time(DAY, HOUR)
    assert letter["Subject"] == "Your turn in 1 game at Oxonaut"
    assert other in text_of(letter)
    assert one not in text_of(letter)


def test_what_was_seen_while_the_letter_waits_is_not_told(client: Client, post: Post) -> None:
    url = to_move(client)
    assert tried(post, DAY)
    client.get(url, ALICE)
    assert not post.pass_time(DAY, HOUR)


@pytest.mark.slow
@pytest.mark.parametrize("choice", ["turns/off", "stop"])
def test_what_is_not_wanted_any_more_is_not_sent(client: Client, post: Post, choice: str) -> None:
    to_move(client)
    assert tried(post, DAY)
    if choice == "stop":
        client.ask(post.link(ALICE, "/stop"), ALICE)
    else:
        post.choose(ALICE, choice)
    assert not post.pass_time(2 * DAY, HOUR)


def test_a_view_while_a_move_waits_to_be_stored_is_no_view_of_the_move(
    client: Client, post: Post, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = start_between(client, "ultimate", BOB, ALICE)
    client.now += HOUR
    move = link(client.get(url, BOB), "/move")

    def view() -> None:
        client.now += SECOND
        client.get(url, ALICE)
        client.now += SECOND

    meanwhile(monkeypatch, view)
    assert client.ask(f"{move}?e5", BOB).status == 30
    assert post.pass_time(DAY, HOUR), "Alice has seen the game only as it was before"
