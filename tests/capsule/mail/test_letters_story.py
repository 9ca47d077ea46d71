"""Letters over a fortnight: each thing is told once, in few letters, and only while it is true."""

from collections.abc import Sequence
from contextlib import suppress
from datetime import timedelta
from email.message import EmailMessage
from itertools import pairwise

import pytest

from capsule.gemini.types import Request
from capsule.mail.delivery import PAUSES
from capsule.mail.game_views import written
from capsule.mail.model import MAX_LETTERS_A_DAY
from capsule.mail.relay import SendOutcome
from capsule.measurements import Measurements
from tests.support.client import Client, action, link
from tests.support.console import Console
from tests.support.conversation import say
from tests.support.mail import DAY, HOUR, MINUTE, PAGE, Post, bobs_move, next_turn, text_of
from tests.support.people import erase
from tests.support.stories import ALICE, BOB, CAROL, WON_GAMES, play, start, start_between

ADDRESS = "alice@example.net"


@pytest.fixture(autouse=True)
def alice_wants_mail(client: Client, post: Post) -> None:
    start(client, "tinc", "solo", ALICE)
    post.subscribe(ALICE, ADDRESS)
    client.now += timedelta(seconds=1)


def subjects(letters: Sequence[EmailMessage]) -> list[str]:
    return [each["Subject"] for each in letters]


def test_a_summary_comes_at_eight_and_names_each_game_once(client: Client, post: Post) -> None:
    games = [bobs_move(client), bobs_move(client, "numeric", "b2=5")]
    letters = post.pass_time(3 * DAY, HOUR)
    assert subjects(letters) == ["Your turn in 2 games at Oxonaut"]
    assert letters[0]["Date"].startswith("Sat, 21 Nov 2026 08:0")
    for url in games:
        assert f"gemini://localhost{url}?turn-2" in text_of(letters[0])
    assert text_of(letters[0]).count("until 27 November 2026") == 2
    play(client, games[0], ["d4"], ALICE)
    play(client, games[0], ["a1"], BOB)
    assert subjects(post.pass_time(DAY, HOUR)) == ["Your turn in 1 game at Oxonaut"]


def test_nothing_comes_while_nothing_waits(client: Client, post: Post) -> None:
    url = bobs_move(client)
    play(client, url, ["d4"], ALICE)
    assert not post.pass_time(5 * DAY, HOUR)


@pytest.mark.parametrize("page", ["", "/words", "/live"])
def test_who_has_looked_at_the_game_gets_no_mail_of_that_turn(
    client: Client, post: Post, page: str
) -> None:
    url = bobs_move(client)
    client.answer(Request(f"{url}{page}", certificate=ALICE))
    assert not post.pass_time(2 * DAY, HOUR)
    next_turn(client, url)
    assert post.pass_time(DAY, HOUR), "that is another turn"


def test_a_look_at_a_page_that_is_kept_counts(client: Client, post: Post) -> None:
    url = bobs_move(client)
    client.get(url, ALICE)
    next_turn(client, url)
    first = client.get(url, ALICE)
    client.context.game_views.write(client.context)
    assert client.get(url, ALICE) == first
    assert not post.pass_time(2 * DAY, HOUR)


def test_a_look_counts_although_serving_fails_after_it(client: Client, post: Post) -> None:
    url = bobs_move(client)
    with suppress(ConnectionError), written(client.context, post.log):
        client.get(url, ALICE)
        raise ConnectionError
    client.configure()
    assert not post.pass_time(2 * DAY, HOUR)


@pytest.mark.parametrize("hours", [1, 4, 12])
def test_a_turn_is_told_after_hours_without_a_look(client: Client, post: Post, hours: int) -> None:
    post.choose(ALICE, f"turns/{hours}")
    bobs_move(client)
    assert not post.pass_time(hours * HOUR - MINUTE, 10 * MINUTE)
    assert subjects(post.pass_time(2 * MINUTE, MINUTE)) == ["Your turn in 1 game at Oxonaut"]
    assert not post.pass_time(2 * DAY, HOUR), "she was told"


def test_turns_can_be_left_out(client: Client, post: Post) -> None:
    post.choose(ALICE, "turns/off")
    post.choose(ALICE, "time/off")
    bobs_move(client)
    assert not post.pass_time(2 * DAY, HOUR)
    post.choose(ALICE, "turns/daily")
    assert post.pass_time(DAY, HOUR)


def test_time_that_runs_out_is_told_twice(client: Client, post: Post) -> None:
    post.choose(ALICE, "turns/off")
    bobs_move(client)
    letters = post.pass_time(7 * DAY, HOUR)
    told = [text_of(each).splitlines()[2] for each in letters]
    assert told == [
        "A quarter of your time is left against bob: Ultimate, until 27 November",
        "Three hours are left for your move against bob: Ultimate, until 27",
    ]


def test_other_news_comes_at_once_to_who_wants_it(client: Client, post: Post) -> None:
    url = start_between(client, "numeric", ALICE, BOB)
    client.now += MINUTE
    say(client, url, "secret words", BOB)
    play(client, url, WON_GAMES["numeric"].split()[:3], ALICE, BOB)
    client.type(action(client.get(url, BOB), "resign"), "resign", BOB)
    client.type(link(client.get("/play/new/quantum", BOB), "/challenge"), "alice", BOB)
    assert not post.deliver(), "she has not asked for any of it"
    for kind in ("messages", "results", "offers"):
        post.choose(ALICE, f"{kind}/on")
    (letter,) = post.deliver()
    text = text_of(letter)
    assert letter["Subject"] == "News from Oxonaut"
    for words in ("bob wrote to you: Numeric", "Won against bob", "bob challenges you: Quantum"):
        assert words in text
    assert "secret words" not in text
    assert not post.pass_time(DAY, HOUR)


def test_what_one_did_oneself_is_no_news(client: Client, post: Post) -> None:
    post.choose(ALICE, "results/on")
    url = bobs_move(client)
    client.type(action(client.get(url, ALICE), "abort"), "abort", ALICE)
    other = start_between(client, "numeric", ALICE, BOB)
    play(client, other, WON_GAMES["numeric"].split()[:3], ALICE, BOB)
    client.type(action(client.get(other, ALICE), "resign"), "resign", ALICE)
    letters = post.pass_time(2 * DAY, HOUR)
    assert not [each for each in letters if "Lost" in text_of(each)]


def test_six_letters_a_day_are_the_most_and_the_rest_is_in_the_summary(
    client: Client, post: Post
) -> None:
    post.choose(ALICE, "messages/on")
    url = start_between(client, "ultimate", ALICE, BOB)
    letters = []
    client.now += 9 * HOUR
    for number in range(12):
        client.now += 15 * MINUTE
        say(client, url, f"message {number}", BOB)
        letters += post.deliver()
    assert len(letters) == MAX_LETTERS_A_DAY - 1
    (summary,) = post.pass_time(DAY, HOUR)
    assert text_of(summary).count("bob wrote to you") == 12 - len(letters)


def test_a_turn_that_is_due_when_there_is_room_again_does_not_wait_for_the_summary(
    client: Client, post: Post
) -> None:
    post.choose(ALICE, "messages/on")
    post.choose(ALICE, "turns/1")
    url = start_between(client, "ultimate", BOB, ALICE)
    for number in range(MAX_LETTERS_A_DAY - 1):
        client.now += MINUTE
        say(client, url, f"message {number}", BOB)
        assert len(post.deliver()) == 1
    assert not post.pass_time(DAY - 30 * MINUTE, 30 * MINUTE)
    play(client, url, ["e5"], BOB)
    assert not post.pass_time(HOUR - MINUTE, MINUTE)
    assert len(post.pass_time(5 * MINUTE, MINUTE)) == 1


@pytest.mark.slow
def test_a_letter_waits_for_the_relay_and_the_pauses_grow(client: Client, post: Post) -> None:
    bobs_move(client)
    client.now += DAY
    post.relay.outcome = SendOutcome.DEFERRED
    tries = []
    post.relay.on_letter = lambda: tries.append(client.now)
    begun = client.now
    post.deliver()
    post.pass_time(sum(PAUSES, start=timedelta(0)) + 10 * MINUTE, MINUTE)
    waited = [(after - before) for before, after in pairwise(tries)]
    assert tries[0] == begun
    assert waited[: len(PAUSES)] == [*PAUSES]


@pytest.mark.slow
def test_a_relay_that_stands_still_for_three_days_leads_to_one_letter(
    client: Client, post: Post
) -> None:
    post.choose(ALICE, "messages/on")
    url = bobs_move(client)
    post.relay.outcome = SendOutcome.DEFERRED
    for _ in range(3):
        say(client, url, "hello", BOB)
        post.pass_time(DAY, HOUR)
    post.relay.outcome = SendOutcome.ACCEPTED
    letters = post.pass_time(2 * DAY, HOUR)
    assert len(letters) <= 2
    told = "".join(map(text_of, letters))
    assert told.count("Your turn against bob") == 1
    assert told.count("bob wrote to you") == 3


def test_a_stop_of_three_days_leads_to_one_summary(client: Client, post: Post) -> None:
    post.choose(ALICE, "messages/on")
    url = bobs_move(client)
    for _ in range(3):
        say(client, url, "hello", BOB)
        client.now += DAY
    client.restart()
    (letter,) = [*post.deliver(), *post.deliver()]
    assert text_of(letter).count("bob wrote to you") == 3


def test_an_address_that_the_relay_refuses_is_not_tried_again(client: Client, post: Post) -> None:
    bobs_move(client)
    client.now += DAY
    post.relay.outcome, post.relay.words = SendOutcome.REFUSED, "550 5.1.1 => No such user"
    tries: list[int] = []
    post.relay.on_letter = lambda: tries.append(1)
    post.deliver()
    post.pass_time(3 * DAY, HOUR)
    assert len(tries) == 1
    page = client.get(PAGE, ALICE)
    assert "refused that address for good" in page
    assert "\n> 550 5.1.1 => No such user\n" in page


def test_each_attempt_is_counted_by_what_came_of_it(
    client: Client, post: Post, monkeypatch: pytest.MonkeyPatch
) -> None:
    counted: list[str] = []
    monkeypatch.setattr(Measurements, "mailed", lambda _, outcome: counted.append(outcome))
    bobs_move(client)
    client.now += DAY
    for outcome in (SendOutcome.DEFERRED, SendOutcome.REJECTED, SendOutcome.REFUSED):
        post.relay.outcome = outcome
        post.deliver()
        client.now += HOUR
    assert counted == ["deferred", "rejected", "refused"]
    post.relay.outcome = SendOutcome.ACCEPTED
    post.type_address(ALICE, "other@example.net")
    post.deliver()
    assert counted[3:] == ["accepted"]


def test_nobody_writes_to_who_is_banned_or_erased(
    client: Client, post: Post, console: Console
) -> None:
    bobs_move(client)
    console.admin("ban alice rude")
    assert not post.pass_time(2 * DAY, HOUR)
    console.admin("unban alice")
    erase(client, ALICE)
    assert not post.pass_time(2 * DAY, HOUR)


def test_a_game_with_a_bot_waits_for_nobody(client: Client, post: Post) -> None:
    start(client, "tinc", "bot-novice", ALICE)
    start(client, "tinc", "solo", CAROL)
    assert not post.pass_time(3 * DAY, HOUR)
