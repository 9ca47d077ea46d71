"""A player's certificates: their list, labels, revocation, expiry and export."""

import shutil
import subprocess
from collections.abc import Iterable
from datetime import timedelta
from pathlib import Path

import pytest

from capsule.accounts.devices import MAX_LABEL_LENGTH
from capsule.gemini.types import Certificate, Response
from capsule.languages.dates import in_words
from tests.support.client import BEGINNING, Client, certificate, link, links
from tests.support.gemtext import blocks
from tests.support.linking import (
    PHONE,
    account,
    add,
    devices_action,
    exported_data,
    is_alice,
    is_stranger,
    make_code,
    type_code,
)
from tests.support.query_log import recorded_queries
from tests.support.stories import ALICE, BOB, start, undone
from tests.support.wire import identities


def test_the_account_lists_the_certificates(client: Client, game: str) -> None:
    client.now += timedelta(days=1)
    add(client)
    client.now += timedelta(days=1)
    page = account(client)
    first, second = page.split("### ")[1:]
    assert first.startswith("1. alice: the one that you use now\n")
    assert f"Its fingerprint begins with {ALICE.fingerprint[:4]} " in first
    assert ALICE.fingerprint not in first
    assert "First used on 20 November 2026, last on 22 November 2026\n" in first
    assert "Valid until 17 November 2036\n" in first
    assert second.startswith("2. unnamed\n")
    assert "First used on 21 November 2026, last on 21 November 2026\n" in second
    assert "2. phone: the one that you use now" in account(client, PHONE)


def test_the_full_fingerprints_are_one_page_away(client: Client, game: str) -> None:
    add(client)
    page = client.get(
        links(account(client))["The full fingerprints, and how to compare them"], ALICE
    )
    assert page.index(ALICE.fingerprint) < page.index(PHONE.fingerprint)
    assert BOB.fingerprint not in page


@pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl is not installed")
def test_the_command_on_that_page_prints_the_fingerprint_of_a_certificate(
    client: Client, game: str, tmp_path: Path
) -> None:
    made = identities.make(tmp_path, "oxonaut")
    (block,) = blocks(client.get("/play/me/certificates", ALICE))
    done = subprocess.run(
        ["sh", "-c", "\n".join(block.rows)], cwd=tmp_path, check=True, capture_output=True
    )
    assert made.fingerprint in done.stdout.decode()


def test_the_last_use_is_written_once_a_day_and_by_no_page_of_a_game(
    client: Client, game: str
) -> None:
    with recorded_queries(client) as asked:
        for url in ("/play/", "/play/me/", "/play/new/", game, f"{game}/0", "/help/"):
            client.get(url, ALICE)
        assert not writes(asked)
        client.now += timedelta(days=1)
        for url in (game, f"{game}/words", "/help/", "/"):
            client.get(url, ALICE)
        assert not writes(asked), "looking at a game is no use worth writing down"
        for url in ("/play/", "/play/me/", "/play/new/", "/play/me/code", game):
            client.get(url, ALICE)
        assert len(writes(asked)) == 2, "the certificate's day and the player's"
    assert "last on 21 November 2026" in account(client)


def test_a_renewed_certificate_shows_its_new_end(client: Client, game: str) -> None:
    renewed = certificate("alice", not_after=BEGINNING + timedelta(days=9999))
    assert "Valid until 17 November 2036" in account(client, ALICE)
    assert f"Valid until {in_words(renewed.not_after)}" in account(client, renewed)
    assert "### 2." not in account(client, renewed)


def test_a_certificate_gets_a_label(client: Client, game: str) -> None:
    add(client)
    prompt = links(account(client))["Label certificate 2"]
    assert client.ask(prompt, ALICE) == Response(
        10, "A label for certificate 2, such as the name of its device. At most 40 characters"
    )
    assert client.type(prompt, "  my  phone ", ALICE) == Response(30, "/play/me/")
    assert "### 2. my phone\n" in account(client)
    assert "### 2. my phone: the one that you use now\n" in account(client, PHONE)
    again = links(account(client))["Change the label of certificate 2"]
    assert client.type(again, "x" * MAX_LABEL_LENGTH, PHONE) == Response(30, "/play/me/")
    assert f"### 2. {'x' * MAX_LABEL_LENGTH}\n" in account(client)


@pytest.mark.parametrize(
    ("typed", "why"),
    [
        ("x" * 41, "Your text has 41 characters, but only 40 fit."),
        ("   ", "There is nothing to read in it."),
        ("\r\n\t", "There is nothing to read in it."),
        ("\u202e\u2066", "There is nothing to read in it."),
    ],
)
def test_an_unfit_label_is_refused_with_the_reason(
    client: Client, game: str, typed: str, why: str
) -> None:
    answer = client.type(links(account(client))["Label certificate 1"], typed, ALICE)
    assert answer.status == 10
    assert answer.meta.startswith(f"{why} A label for certificate 1")
    assert "### 1. alice: the one that you use now" in account(client)


@pytest.mark.parametrize("what", ["label/2?x", "label/99?x", "revoke/2?revoke", "revoke/99?revoke"])
def test_a_number_without_a_certificate_leads_back(client: Client, game: str, what: str) -> None:
    assert undone(client, devices_action(client, what), ALICE, "/play/me/")
    assert "### 1. alice: the one that you use now" in account(client)


# Revoking


def revoke_link(client: Client, number: int, who: Certificate = ALICE) -> str:
    return link(account(client, who), f"/revoke/{number}")


def test_revoking_asks_for_the_word(client: Client, game: str) -> None:
    add(client)
    prompt = revoke_link(client, 2)
    assert client.ask(prompt, ALICE).meta == (
        "This certificate will no longer sign you in. Type revoke to revoke certificate 2 (unnamed)"
    )
    assert client.type(prompt, "yes", ALICE).status == 10
    assert is_alice(client, PHONE)
    assert client.type(prompt, " Revoke ", ALICE) == Response(30, "/play/me/")
    assert is_stranger(client, PHONE)
    assert is_alice(client, ALICE)


def test_a_revoked_certificate_is_unknown_at_once_and_its_old_pages_do_nothing(
    client: Client, game: str
) -> None:
    add(client)
    move = link(client.get(game, PHONE), "/move")
    name = link(account(client, PHONE), "/name")
    code = devices_action(client, "code", PHONE)
    invite = link(client.get("/play/new/tinc", PHONE), "/invite")
    client.type(revoke_link(client, 2), "revoke", ALICE)
    before = exported_data(client)

    for url in (f"{move}?e5", f"{name}?mallory", code, invite):
        client.ask(url, PHONE)

    assert exported_data(client) == before
    assert "/move" not in client.get(game, PHONE)
    assert client.ask("/play/me/export.json", PHONE) == Response(30, "/play/me/")
    assert is_stranger(client, PHONE)


def test_the_last_certificate_cannot_be_revoked(client: Client, game: str) -> None:
    page = account(client)
    assert "You cannot revoke your only certificate" in page
    assert "/revoke/" not in page
    for query in ("", "?revoke"):
        url = devices_action(client, f"revoke/1{query}")
        assert undone(client, url, ALICE, "/play/me/")
    assert is_alice(client, ALICE)


def test_of_two_pages_that_revoke_the_last_two_certificates_only_one_can(
    client: Client, game: str
) -> None:
    add(client)
    here, there = revoke_link(client, 1, PHONE), revoke_link(client, 2, ALICE)
    assert client.ask(f"{here}?revoke", PHONE) == Response(30, "/play/me/")
    assert undone(client, f"{there}?revoke", ALICE, "/play/me/")
    assert is_stranger(client, ALICE)
    assert is_alice(client, PHONE)


def test_a_page_from_before_a_certificate_was_added_does_not_act_on_it(
    client: Client, game: str
) -> None:
    code = make_code(client)
    early = devices_action(client, "revoke/2?revoke")
    type_code(client, code)
    assert undone(client, early, ALICE, "/play/me/")
    assert is_alice(client, PHONE)


def test_the_certificate_in_use_can_be_revoked_where_there_is_another(
    client: Client, game: str
) -> None:
    add(client)
    label = "Revoke certificate 1, the one that you use now"
    prompt = links(account(client))[label]
    assert client.ask(prompt, ALICE).meta.startswith(
        "You are using this certificate now. It will no longer sign you in. You can come back "
        "with another certificate of yours."
    )
    assert client.type(prompt, "revoke", ALICE) == Response(30, "/")
    assert is_stranger(client, ALICE)
    assert is_alice(client, PHONE)
    add(client, ALICE, to=PHONE)
    assert is_alice(client, ALICE)


# The end of a certificate


@pytest.mark.parametrize(
    ("before_the_end", "when", "then"),
    [
        (timedelta(days=30), "in 30 days", "Nobody"),
        (timedelta(days=8), "in 8 days", "Nobody"),
        (timedelta(days=7), "in 7 days", "Act now"),
        (timedelta(days=1), "in 1 day", "Act now"),
        (timedelta(hours=1), "today or tomorrow", "Act now"),
    ],
)
def test_a_certificate_close_to_its_end_is_announced(
    client: Client, game: str, before_the_end: timedelta, when: str, then: str
) -> None:
    client.now = ALICE.not_after - before_the_end
    page = account(client)
    shortly = f"expires {when}, on 17 November 2036 at 14:02 UTC"
    assert page.index(f"Your certificate {shortly}. {then}") < page.index("\n## ")
    assert "Renew it with the same key" in page
    assert links(page)["Help: how to renew a certificate"] == "/help/certificates/openssl"
    for path in ("/play/", "/play/desk", start(client, "tinc", "open")):
        page = client.get(path, ALICE)
        warning = f"Renew your certificate: it {shortly}"
        assert links(page)[warning] == "/help/certificates"
        if "Your turn" in page:
            assert page.index("Your turn") < page.index(warning)


def test_renewing_a_certificate_on_the_same_key_ends_the_announcement(
    client: Client, game: str
) -> None:
    client.now = ALICE.not_after - timedelta(days=3)
    renewed = certificate("alice", not_after=ALICE.not_after + timedelta(days=365))
    assert "Renew your certificate" in client.get("/play/", ALICE)
    assert "Renew your certificate" not in client.get("/play/", renewed)


def test_an_expired_certificate_of_another_device_is_shown_as_such(
    client: Client, game: str
) -> None:
    add(client, certificate("brief", not_after=BEGINNING + timedelta(days=2)))
    assert "Valid until 22 November 2026 only" in account(client)
    client.now += timedelta(days=3)
    assert "Expired on 22 November 2026" in account(client)


def writes(asked: Iterable[tuple[str, object]]) -> list[str]:
    """Return the statements that change the database."""
    changes = ("INSERT", "UPDATE", "DELETE")
    return [statement for statement, _ in asked if statement.startswith(changes)]
