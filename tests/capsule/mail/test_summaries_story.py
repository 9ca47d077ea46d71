"""The hour of the daily summary: the player's own, in their time zone, and once a day."""

from collections.abc import Sequence
from datetime import UTC, date, datetime
from email.message import EmailMessage
from random import Random

import pytest

from capsule.languages.time_zones import in_zone
from capsule.mail.model import MAX_LETTERS_A_DAY
from capsule.social.line_queries import MESSAGES
from tests.support.choices import choose_zone
from tests.support.client import Client
from tests.support.conversation import set_player
from tests.support.mail import DAY, HOUR, MINUTE, PAGE, Post, text_of
from tests.support.stored import player_id
from tests.support.stories import ALICE, BOB, play, start_between

ADDRESS = "alice@example.net"


def times(letters: Sequence[EmailMessage]) -> Sequence[datetime]:
    return [each["Date"].datetime for each in letters]


def tell(client: Client, url: str) -> None:
    """Store a message of bob's to alice, without reading pages."""
    recipient, line = player_id(client, ALICE), (player_id(client, BOB), "hello", client.now)
    with client.database.writing() as connection:
        MESSAGES.add(connection, url.removeprefix("/play/"), *line, recipient_id=recipient)


def let_write(client: Client, post: Post) -> str:
    """Let alice have mail of messages, over the cap at once, so that each summary has news."""
    url = start_between(client, "ultimate", ALICE, BOB)
    post.subscribe(ALICE, ADDRESS)
    post.choose(ALICE, "messages/on")
    return url


@pytest.mark.slow
@pytest.mark.parametrize(
    ("zone", "hour"),
    [
        ("UTC", 8),
        ("Europe/Vienna", 7),
        ("America/New_York", 13),
        ("Asia/Kathmandu", 2),
        ("UTC-12:00", 20),
        ("UTC+14:00", 18),
    ],
)
def test_it_comes_at_eight_in_the_players_zone(
    client: Client, post: Post, zone: str, hour: int
) -> None:
    url = start_between(client, "ultimate", BOB, ALICE)
    set_player(client, ALICE, time_zone=zone)
    post.subscribe(ALICE, ADDRESS)
    play(client, url, ["e5"], BOB)
    (letter,) = post.pass_time(DAY, 15 * MINUTE)
    (at,) = times([letter])
    assert in_zone(at, zone).hour == 8
    assert at.hour == hour


def test_who_confirms_before_eight_has_one_at_eight(client: Client, post: Post) -> None:
    url = start_between(client, "ultimate", BOB, ALICE)
    client.now = client.now.replace(hour=6) + DAY
    play(client, url, ["e5"], BOB)
    post.subscribe(ALICE, ADDRESS)
    assert not post.pass_time(HOUR, 10 * MINUTE)
    assert len(post.pass_time(HOUR, 10 * MINUTE)) == 1


def test_the_hour_is_typed(client: Client, post: Post) -> None:
    url = start_between(client, "ultimate", BOB, ALICE)
    post.subscribe(ALICE, ADDRESS)
    asked = post.link(ALICE, "/hour")
    assert client.ask(asked, ALICE).status == 10
    for nonsense in ("24", "-1", "8.5", "eight", "008", "%D9%A8"):
        answer = client.ask(f"{asked}?{nonsense}", ALICE)
        assert (answer.status, "That is no hour from 0 to 23" in answer.meta) == (10, True)
    assert client.type(asked, "21", ALICE).meta == PAGE
    assert "Summaries come at 21:00, in your time zone (UTC)." in client.get(PAGE, ALICE)
    play(client, url, ["e5"], BOB)
    (letter,) = post.pass_time(2 * DAY, HOUR)
    assert (times([letter])[0].day, times([letter])[0].hour) == (21, 21)


def test_a_change_of_the_zone_moves_the_next_summary(client: Client, post: Post) -> None:
    url = start_between(client, "ultimate", BOB, ALICE)
    post.subscribe(ALICE, ADDRESS)
    post.deliver()
    assert choose_zone(client, "Asia/Tokyo").status == 30
    play(client, url, ["e5"], BOB)
    (letter,) = post.pass_time(DAY, 15 * MINUTE)
    (at,) = times([letter])
    assert (at.hour, at.minute) == (23, 2)


@pytest.mark.slow
@pytest.mark.parametrize("change", [date(2027, 3, 28), date(2027, 10, 31)])
@pytest.mark.parametrize("hour", [2, 8])
def test_a_change_of_clocks_makes_no_second_summary(
    client: Client, post: Post, change: date, hour: int
) -> None:
    client.now = datetime(change.year, change.month, change.day, 12, tzinfo=UTC) - 3 * DAY
    start_between(client, "numeric", BOB, ALICE)
    set_player(client, ALICE, time_zone="Europe/Vienna")
    post.subscribe(ALICE, ADDRESS)
    post.choose(ALICE, "time/off")
    client.type(post.link(ALICE, "/hour"), str(hour), ALICE)
    sent = []
    for _ in range(6):
        play(client, start_between(client, "numeric", BOB, ALICE), ["b2=5"], BOB)
        sent += post.pass_time(DAY, 30 * MINUTE)
    local = [in_zone(at, "Europe/Vienna") for at in times(sent)]
    assert [at.date() for at in local] == [change + DAY * days for days in range(-2, 4)]
    # At two o'clock of the day on which it does not exist, it is three.
    expected = [3 if (at.date(), hour) == (date(2027, 3, 28), 2) else hour for at in local]
    assert [at.hour for at in local] == expected


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
def test_who_travels_has_no_more_letters(client: Client, post: Post, seed: int) -> None:
    url = let_write(client, post)
    random = Random(seed)
    said, sent = 0, []
    for _ in range(80):
        client.now += random.choice((20 * MINUTE, HOUR, 3 * HOUR))
        if random.random() < 0.8:
            tell(client, url)
            said += 1
        if random.random() < 0.3:
            set_player(
                client,
                ALICE,
                time_zone=random.choice(("UTC-12:00", "UTC", "UTC+14:00", "UTC+05:30")),
            )
        sent += post.deliver()
    moments = times(sent)
    for at in moments:
        assert sum(at - DAY < other <= at for other in moments) <= MAX_LETTERS_A_DAY
    sent += post.pass_time(3 * DAY, HOUR)
    assert "".join(map(text_of, sent)).count("bob wrote to you") == said
