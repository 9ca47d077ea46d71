"""No letter cannon: the caps of codes hold under many requests, and the queue is bounded."""

from collections import Counter
from datetime import datetime, timedelta
from random import Random

import pytest
from sqlalchemy import select

from capsule.db.schema.mail import mail_code_requests, mail_codes, mail_letters
from capsule.errors import OverLimit
from capsule.gemini.types import Certificate
from capsule.mail import delivery, subscribing
from capsule.mail.relay import SendOutcome
from capsule.mail.subscribing import CODES_AN_HOUR, CODES_OF_PLAYER, CODES_TO_ADDRESS, address_key
from tests.support.client import Client, certificate
from tests.support.mail import DAY, HOUR, MINUTE, Post, store_subscription, text_of
from tests.support.people import known_player
from tests.support.stored import player_id
from tests.support.stories import BOB, play, start, start_between


def people(client: Client, count: int) -> list[Certificate]:
    """Return that many people who have played here."""
    found = [certificate(f"friend{number:02}") for number in range(count)]
    for who in found:
        start(client, "numeric", "solo", who)
    return found


def greatest(times: list[datetime], within: timedelta) -> int:
    """Return the greatest number of times within any span."""
    return max((sum(at - within < other <= at for other in times) for at in times), default=0)


@pytest.mark.deep
def test_a_letter_cannon_sends_at_most_what_the_caps_allow(client: Client, post: Post) -> None:
    """10,000 requests of 50 players for 200 addresses, over three days."""
    random = Random(29)
    players = people(client, 50)
    addresses = [f"victim{number}@example.net" for number in range(200)]
    sent: list[tuple[str, datetime]] = []
    by_player: dict[Certificate, list[datetime]] = {who: [] for who in players}
    for number in range(10_000):
        client.now += timedelta(seconds=26)
        who = random.choice(players)
        player = known_player(client.context, who)
        assert player is not None
        address = random.choice(addresses[:40] * 4 + addresses)
        try:
            with client.context.writing() as transaction:
                subscribing.request_code(transaction, player, address)
            by_player[who].append(client.now)
        except OverLimit:
            continue
        if number % 50 == 0:
            subscribing.delete_old(client.context)
        with client.database.reading() as connection:
            newest = connection.execute(
                select(mail_letters.c.id, mail_codes.c.address)
                .join(mail_codes, mail_codes.c.player_id == mail_letters.c.player_id)
                .where(mail_letters.c.made_at == client.now)
            ).first()
        if newest is not None:
            sent.append((newest.address, client.now))
    assert len(sent) > 150, "it was tried in earnest"
    assert greatest([at for _, at in sent], HOUR) <= CODES_AN_HOUR
    for address in addresses:
        times = [at for to, at in sent if to == address]
        assert greatest(times, DAY) <= CODES_TO_ADDRESS
    for times in by_player.values():
        assert greatest(times, DAY) <= CODES_OF_PLAYER
    letters = post.deliver()
    assert len(letters) <= 50, "one waits for each player at most"
    assert {each["Subject"] for each in letters} == {"Your code for mail from Oxonaut"}


def test_what_was_asked_is_kept_for_a_day_and_without_addresses(client: Client, post: Post) -> None:
    post.type_address(BOB, "bob@example.net")
    with client.database.reading() as connection:
        (row,) = connection.execute(select(mail_code_requests)).all()
    assert row.address_key == address_key(client.context.secret, "bob@example.net")
    assert "bob" not in row.address_key
    client.now += DAY
    subscribing.delete_old(client.context)
    with client.database.reading() as connection:
        for table in (mail_code_requests, mail_codes):
            assert not connection.execute(select(table)).all()


@pytest.mark.slow
def test_the_oldest_summaries_are_dropped_first_and_told_later(
    client: Client, post: Post, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(delivery, "MAX_WAITING", 4)
    post.relay.outcome = SendOutcome.DEFERRED
    friends = people(client, 7)
    client.now = client.now.replace(hour=6, minute=50) + DAY
    games = [start_between(client, "numeric", BOB, who) for who in friends]
    for who in friends:
        store_subscription(client, who)
    post.choose(friends[0], "turns/1")
    for url in games:
        play(client, url, ["b2=5"], BOB)
        client.now += MINUTE
    caplog.clear()
    post.pass_time(70 * MINUTE, MINUTE)
    assert [each for each in caplog.messages if "letters" in each] == [
        "Too many letters wait; dropped: 3"
    ]
    with client.database.reading() as connection:
        waiting = connection.execute(
            select(mail_letters.c.kind, mail_letters.c.player_id).order_by(mail_letters.c.id)
        ).all()
    ids = [player_id(client, who) for who in friends]
    assert [each.player_id for each in waiting if each.kind == "summary"] == ids[4:]
    assert [each.player_id for each in waiting if each.kind == "news"] == ids[:1]
    monkeypatch.setattr(delivery, "MAX_WAITING", 1_000)
    post.relay.outcome = SendOutcome.ACCEPTED
    letters = post.pass_time(2 * DAY, HOUR)
    told = Counter(each["To"] for each in letters if "Your turn against" in text_of(each))
    assert told == {f"{who.common_name}@example.net": 1 for who in friends}


def test_codes_are_never_dropped(
    client: Client, post: Post, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(delivery, "MAX_WAITING", 0)
    post.type_address(BOB, "bob@example.net")
    assert len(post.deliver()) == 1
