"""Stopping mail by the link at the end of a letter, without a certificate."""

import re
from email.message import EmailMessage

import pytest
from sqlalchemy import Table, func, select

from capsule.db.schema.mail import mail_letters, mail_stops, mail_subscriptions
from capsule.mail import subscribing
from capsule.mail.relay import SendOutcome
from tests.support.choices import choose
from tests.support.client import Client, certificate, link, links
from tests.support.console import Console
from tests.support.mail import DAY, HOUR, PAGE, Post, next_turn, stop_link
from tests.support.stored import on_disk
from tests.support.stories import ALICE, BOB, CAROL, play, start_between

ADDRESS = "alice@example.net"

EVE = certificate("eve")


def count(client: Client, table: Table) -> int:
    with client.database.reading() as connection:
        return connection.execute(select(func.count()).select_from(table)).scalar_one()


def letter_to_alice(client: Client, post: Post, address: str = ADDRESS) -> str:
    """Let alice have mail and a letter; return its last line's path."""
    url = start_between(client, "ultimate", BOB, ALICE)
    post.subscribe(ALICE, address)
    play(client, url, ["e5"], BOB)
    (letter,) = post.pass_time(DAY, HOUR)
    next_turn(client, url)
    return stop_link(letter)


def follow(client: Client, stop: str) -> str:
    """Follow the one link that stops mail, as anybody, and return the page after it."""
    return client.get(link(client.get(stop), "/stopped"))


def test_one_link_without_a_certificate_stops_all_mail(client: Client, post: Post) -> None:
    stop = letter_to_alice(client, post)
    page = client.get(stop)
    (url,) = (each for each in links(page).values() if each != "/")
    assert links(page)["Stop all mail to this address"] == url
    assert ADDRESS not in page
    assert "alice" not in page
    assert "Mail goes to" in client.get(PAGE, ALICE), "looking at the page stops nothing"
    assert "Nothing more is sent to that address" in client.get(url)
    assert not post.pass_time(3 * DAY, HOUR)
    assert ADDRESS not in client.get(PAGE, ALICE)
    assert count(client, mail_subscriptions) == 0
    assert client.get(stop) == client.get(stop, ALICE)
    assert "/stopped" not in client.get(stop)
    assert "Nothing more is sent" in client.get(url), "twice does no harm"


def test_the_link_leads_to_a_page_in_the_language_of_the_letter(client: Client, post: Post) -> None:
    choose(client, "language/pt")
    stop = letter_to_alice(client, post)
    assert stop.startswith("/pt/mail/")
    for url in (stop, link(client.get(stop), "/stopped")):
        assert client.ask(url).meta.endswith("lang=pt")
    assert count(client, mail_subscriptions) == 0


def test_who_had_confirmed_the_address_can_ask_again_at_once(client: Client, post: Post) -> None:
    follow(client, letter_to_alice(client, post))
    assert count(client, mail_stops) == 0
    post.subscribe(ALICE, ADDRESS)
    assert len(post.pass_time(DAY, HOUR)) == 1


@pytest.mark.parametrize(
    "key", ["", "a", "a" * 31, "a" * 33, "A" * 32, "1" * 32, "a" * 31 + "%0A", "..", "a" * 31 + "="]
)
def test_what_is_no_key_leads_nowhere(client: Client, post: Post, key: str) -> None:
    assert client.ask(f"/mail/{key}/stop").status in (51, 59)
    assert client.ask(f"/mail/{key}/stopped").status in (51, 59)


def test_a_forged_key_stops_nothing_and_tells_nothing(client: Client, post: Post) -> None:
    stop = letter_to_alice(client, post)
    forged = f"/mail/{'a' * 32}/stop"
    assert "/stopped" not in client.get(forged)
    client.get(f"{forged}ped")
    assert count(client, mail_stops) == 0
    assert "Mail goes to" in client.get(PAGE, ALICE)
    follow(client, stop)
    assert client.get(stop) == client.get(forged), "a key that was used is like one that never was"


def test_other_players_with_the_same_address_get_no_mail_either(client: Client, post: Post) -> None:
    """Another spelling of the same address makes no difference."""
    stop = letter_to_alice(client, post)
    post.subscribe(BOB, ADDRESS.upper())
    post.subscribe(CAROL, "carol@example.net")
    post.type_address(EVE, ADDRESS)
    (code,) = post.deliver()
    follow(client, stop)
    assert "Mail goes to" not in client.get(PAGE, BOB)
    assert "Mail goes to" in client.get(PAGE, CAROL)
    assert "A code is on its way" not in client.get(PAGE, EVE)
    assert "/stopped" not in client.get(stop_link(code))


def test_who_had_not_asked_gets_no_code_for_thirty_days(client: Client, post: Post) -> None:
    post.type_address(EVE, ADDRESS)
    (letter,) = post.deliver()
    page = follow(client, stop_link(letter))
    assert "no code goes there for 30 days" in page
    assert "A code is on its way" not in client.get(PAGE, EVE)
    for day in range(30):
        who = certificate(f"stranger{day}")
        assert post.type_address(who, ADDRESS).meta == PAGE, "nobody learns of it"
        assert "A code is on its way" in client.get(PAGE, who)
        assert not post.deliver(), day
        client.now += DAY
        subscribing.delete_old(client.context)
    assert count(client, mail_stops) == 0
    post.type_address(BOB, ADDRESS)
    assert len(post.deliver()) == 1


def test_each_letter_with_a_code_to_an_address_has_a_link_that_works(
    client: Client, post: Post
) -> None:
    post.type_address(EVE, ADDRESS)
    (first,) = post.deliver()
    post.type_address(EVE, ADDRESS)
    (second,) = post.deliver()
    assert "/stopped" in client.get(stop_link(first))
    follow(client, stop_link(first))
    assert "/stopped" not in client.get(stop_link(second))
    post.type_address(EVE, ADDRESS)
    assert not post.deliver()


def test_what_waits_for_the_relay_is_not_sent_any_more(client: Client, post: Post) -> None:
    stop = letter_to_alice(client, post)
    post.relay.outcome = SendOutcome.DEFERRED
    post.pass_time(DAY, HOUR)
    assert count(client, mail_letters) == 3, "two were sent, one waits"
    follow(client, stop)
    post.relay.outcome = SendOutcome.ACCEPTED
    assert not post.pass_time(DAY, HOUR)
    assert count(client, mail_letters) == 1, "it is known that a code was sent"


def test_a_letter_to_an_address_that_was_replaced_says_what_is_true(
    client: Client, post: Post
) -> None:
    stop = letter_to_alice(client, post)
    post.subscribe(ALICE, "new@example.net")
    page = client.get(stop)
    assert "/stopped" not in page
    assert "new@example.net" not in page
    assert "Mail goes to new@example.net" in client.get(PAGE, ALICE)


# By the operator, whom the owner of an address has asked


def key_in(letter: EmailMessage) -> str:
    """Return the key in the subject of the letter that a mail program sends to unsubscribe."""
    asked = re.fullmatch(
        r"<mailto:oxonaut@example\.org\?subject=stop%20([a-z2-7]{32})>", letter["List-Unsubscribe"]
    )
    assert asked is not None
    return asked[1]


def test_the_operator_stops_mail_by_the_key_that_a_mail_program_sends(
    client: Client, post: Post, console: Console
) -> None:
    stop = letter_to_alice(client, post)
    key = key_in(post.letters[-1])
    printed = console.admin(f"mail-stop {key}")
    assert printed == "Nothing more is sent to the address that alice had given.\n"
    assert not post.pass_time(3 * DAY, HOUR)
    assert count(client, mail_subscriptions) == 0
    assert "/stopped" not in client.get(stop)
    assert console.refusal(f"mail-stop {key}") == (
        "No mail goes out with this key. It may be stopped already."
    )
    assert console.admin("log").splitlines() == ["2026-11-21 at 14:02 UTC, mail-stop, alice"]
    assert ADDRESS.encode() not in on_disk(client)


def test_the_operator_stops_mail_to_an_address_of_several_players(
    client: Client, post: Post, console: Console
) -> None:
    letter_to_alice(client, post)
    post.subscribe(BOB, ADDRESS.upper())
    post.subscribe(CAROL, "carol@example.net")
    printed = console.admin(f"mail-stop {ADDRESS}")
    assert sorted(line.split()[-3] for line in printed.splitlines()) == ["alice", "bob"]
    assert "Mail goes to" in client.get(PAGE, CAROL)
    assert count(client, mail_subscriptions) == 1
    assert console.admin("log --player bob") == "2026-11-21 at 14:02 UTC, mail-stop, bob\n"
    post.subscribe(ALICE, ADDRESS)
    assert "Mail goes to" in client.get(PAGE, ALICE), "who had confirmed it can ask again"


@pytest.mark.parametrize("asked_for_by", ["key", "address"])
def test_the_operator_stops_the_codes_that_somebody_had_sent_to_an_address(
    client: Client, post: Post, console: Console, asked_for_by: str
) -> None:
    post.type_address(EVE, ADDRESS)
    (letter,) = post.deliver()
    console.admin(f"mail-stop {key_in(letter) if asked_for_by == 'key' else ADDRESS}")
    assert "A code is on its way" not in client.get(PAGE, EVE)
    post.type_address(EVE, ADDRESS)
    assert not post.deliver()


@pytest.mark.parametrize("typed", ["alice@", "a b@example.net", "stop", "a" * 32, "''"])
def test_what_is_neither_a_key_nor_an_address_stops_nothing(
    client: Client, post: Post, console: Console, typed: str
) -> None:
    letter_to_alice(client, post)
    assert console.refusal(f"mail-stop '{typed}'")
    assert "Mail goes to" in client.get(PAGE, ALICE)
    assert console.admin("log") == "No action was taken.\n"
