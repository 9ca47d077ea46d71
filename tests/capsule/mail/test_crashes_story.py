"""Mailers that die at any moment, and several at a time: nothing is lost, little is repeated."""

import threading
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from email.message import EmailMessage
from enum import Enum, auto
from random import Random
from typing import Any

import pytest

from capsule.accounts.model import Player
from capsule.db.leases import Leases, leases_of
from capsule.mail import letters
from capsule.mail.delivery import ATTEMPT_TIME, CLAIM_SECONDS, Delivery
from capsule.mail.model import Notification
from capsule.mail.relay import Answer
from tests.support.client import Client, certificate, context_of
from tests.support.mail import (
    DAY,
    HOUR,
    MINUTE,
    KeepingRelay,
    Post,
    code_in,
    store_subscription,
    text_of,
)
from tests.support.stories import ALICE, BOB, CAROL, play, start_between


class Died(BaseException):
    """The process is gone."""


class Moment(Enum):
    """When a process dies."""

    BEFORE_DATA = auto()
    DURING_DATA = auto()
    AFTER_250 = auto()


@dataclass
class DeadlyRelay(KeepingRelay):
    """A relay during whose work the mailer dies, at the moments in `deaths`, one a letter."""

    deaths: list[Moment | None] = field(default_factory=list)
    after_250: set[str] = field(default_factory=set)
    during_data: Counter[str] = field(default_factory=Counter)

    def send(
        self, message: EmailMessage, recipient: str, before_data: Callable[[], None] = lambda: None
    ) -> Answer:
        """Take a letter, or die over it."""
        death = self.deaths.pop(0) if self.deaths else None
        if death is Moment.BEFORE_DATA:
            raise Died
        if death is Moment.DURING_DATA:
            before_data()
            self.during_data[recipient] += 1
            raise Died
        answer = super().send(message, recipient, before_data)
        if death is Moment.AFTER_250:
            self.after_250.add(message["Message-ID"])
            raise Died
        return answer


def work(client: Client, post: Post) -> bool:
    """Let a mailer work until it is done or dies; return whether it lives."""
    try:
        Delivery(client.context, post.relay.send, post.log).work()
    except Died:
        return False
    return True


def ids(letters: Sequence[EmailMessage]) -> list[str]:
    return [each["Message-ID"] for each in letters]


@pytest.mark.parametrize(
    ("deaths", "received"),
    [
        ([Moment.BEFORE_DATA], 1),
        ([Moment.BEFORE_DATA] * 4, 1),
        ([Moment.DURING_DATA], 1),
        ([Moment.AFTER_250], 2),
        ([Moment.AFTER_250, Moment.AFTER_250], 2),
        ([Moment.BEFORE_DATA, Moment.AFTER_250, Moment.BEFORE_DATA], 2),
        ([Moment.DURING_DATA, Moment.BEFORE_DATA], 1),
    ],
)
def test_a_letter_is_never_lost_and_repeated_once_at_most(
    client: Client, post: Post, deaths: list[Moment | None], received: int
) -> None:
    post.relay = DeadlyRelay(deaths=[*deaths])
    post.type_address(ALICE, "alice@example.net")
    for _ in deaths:
        assert not work(client, post)
        assert work(client, post), "nobody takes a letter from a mailer that may live"
        client.now += ATTEMPT_TIME
    for _ in range(3):
        assert work(client, post)
        client.now += ATTEMPT_TIME
    assert len(post.letters) == received
    assert len(set(ids(post.letters))) == 1, "mail readers show it once"
    assert post.type_code(ALICE, code_in(post.letters[0])).status == 30


def test_a_successor_does_not_wait_for_what_its_predecessor_was_sending(
    client: Client, post: Post
) -> None:
    post.relay = DeadlyRelay(deaths=[Moment.BEFORE_DATA])
    post.type_address(ALICE, "alice@example.net")
    assert not work(client, post)
    holder = client.context.leases.holder
    client.restart()
    claims = leases_of(client.database, lambda: client.now, holder)
    client.context = replace(client.context, leases=claims)
    stopped = threading.Event()
    stopped.set()
    Delivery(client.context, post.relay.send, post.log).run(stopped)
    assert work(client, post)
    assert len(post.letters) == 1


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_twenty_deaths_lose_nothing(client: Client, post: Post, seed: int) -> None:
    """Who dies twice while the relay takes a letter cannot know: then it counts as sent."""
    random = Random(seed)
    friends = [certificate(f"friend{number}") for number in range(25)]
    for who in friends:
        post.type_address(who, f"{who.common_name}@example.net")
    relay = DeadlyRelay()
    post.relay = relay
    for _ in range(20):
        relay.deaths = [None] * random.randrange(2) + [random.choice([*Moment])]
        assert not work(client, post)
        client.now += ATTEMPT_TIME
    for _ in range(3):
        assert work(client, post)
        client.now += ATTEMPT_TIME
    received = Counter(ids(relay.letters))
    assert max(received.values()) <= 2
    assert all(count == 1 or key in relay.after_250 for key, count in received.items())
    in_vain = {address for address, times in relay.during_data.items() if times >= 2}
    assert {each["To"] for each in relay.letters} | in_vain == {
        f"{who.common_name}@example.net" for who in friends
    }
    assert len(in_vain) <= 1


@pytest.mark.slow
@pytest.mark.parametrize("mailers", [2, 4])
def test_several_mailers_send_each_letter_once(client: Client, post: Post, mailers: int) -> None:
    friends = [certificate(f"friend{number}") for number in range(15)]
    for who in friends:
        post.type_address(who, f"{who.common_name}@example.net")
    client.now += DAY
    for who in friends[:8]:
        url = start_between(client, "numeric", BOB, who)
        store_subscription(client, who)
        play(client, url, ["b2=5"], BOB)
    client.now += MINUTE
    begin = threading.Barrier(mailers)

    def mail(relay: KeepingRelay) -> None:
        # As if each had the claim.
        leases = Leases(client.database, lambda: client.now, str(id(relay)), has_rivals=False)
        context = replace(context_of(client), leases=leases)
        begin.wait()
        for _ in range(4):
            Delivery(context, relay.send, post.log).work()

    relays = [KeepingRelay() for _ in range(mailers)]
    threads = [threading.Thread(target=mail, args=(relay,)) for relay in relays]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    sent = [each for relay in relays for each in relay.letters]
    assert len(sent) == len(set(ids(sent))) == 8
    assert {each["Subject"] for each in sent} == {"Your turn in 1 game at Oxonaut"}


def test_what_another_mailer_has_sent_meanwhile_is_read_again_at_once(
    client: Client, post: Post, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = start_between(client, "numeric", BOB, ALICE)
    store_subscription(client, ALICE)
    post.choose(ALICE, "turns/1")
    play(client, url, ["b2=5"], BOB)
    client.now += HOUR
    pauses: list[float] = []
    new_notifications = letters.new_notifications

    def then_sending(*arguments: Any) -> Sequence[Notification]:  # noqa: ANN401 - those of the original
        found = new_notifications(*arguments)
        monkeypatch.undo()
        Delivery(client.context, post.relay.send, post.log).work()
        monkeypatch.setattr("capsule.db.faults.time.sleep", pauses.append)
        return found

    monkeypatch.setattr(letters, "new_notifications", then_sending)
    Delivery(client.context, post.relay.send, post.log).work()
    assert len(post.letters) == len(pauses) == 1


def test_one_mailer_works_at_a_time_and_another_when_it_has_died(
    client: Client, post: Post
) -> None:
    clock = lambda: client.now  # noqa: E731
    relays = {holder: KeepingRelay() for holder in ("one", "two")}
    one, two = (
        Delivery(
            replace(client.context, leases=Leases(client.database, clock, holder)),
            relay.send,
            post.log,
        )
        for holder, relay in relays.items()
    )
    one.work()
    post.type_address(ALICE, "alice@example.net")
    two.work()
    assert not relays["two"].letters
    client.now += timedelta(seconds=CLAIM_SECONDS)
    two.work()
    assert len(relays["two"].letters) == 1
    one.work()
    assert not relays["one"].letters


def test_a_letter_that_cannot_be_handed_over_holds_up_no_other(
    client: Client, post: Post, caplog: pytest.LogCaptureFixture
) -> None:
    for who in (ALICE, BOB, CAROL):
        post.type_address(who, f"{who.common_name}@example.net")
    send = post.relay.send

    def fail(message: EmailMessage, recipient: str, *rest: object) -> Answer:
        if recipient == "alice@example.net":
            raise ValueError("a fault of the capsule")
        return send(message, recipient, *rest)  # type: ignore[arg-type]

    post.relay.send = fail  # type: ignore[method-assign, assignment]
    assert len(post.deliver()) == 2
    assert "A letter could not be sent" in caplog.text
    assert "example.net" not in caplog.text
    post.relay.send = send  # type: ignore[method-assign]
    assert not post.deliver(), "it waits for a minute"
    client.now += MINUTE
    assert len(post.deliver()) == 1


def test_a_player_of_whom_nothing_can_be_told_holds_up_no_other(
    client: Client, post: Post, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    for who in (ALICE, CAROL):
        url = start_between(client, "ultimate", BOB, who)
        post.subscribe(who, f"{who.common_name}@example.net")
        play(client, url, ["e5"], BOB)
    new_notifications = letters.new_notifications

    def fail(transaction: object, player: Player, *rest: object) -> Sequence[Notification]:
        if player.name == "alice":
            raise ValueError("a fault of the capsule")
        return new_notifications(transaction, player, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(letters, "new_notifications", fail)
    (letter,) = post.pass_time(DAY, HOUR)
    assert letter["To"] == "carol@example.net"
    assert "A letter could not be written" in caplog.text
    caplog.clear()
    post.deliver()
    assert not caplog.text, "it is tried once an hour"
    monkeypatch.setattr(letters, "new_notifications", new_notifications)
    (letter,) = post.pass_time(DAY, HOUR)
    assert "Your turn" in text_of(letter)
