"""What the pages say of time, offers, terms and plans can be translated, to the last word."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from tests.support.client import Client, link, links
from tests.support.pseudo_translation import pseudo_translated, untranslated
from tests.support.stories import ALICE, BOB, CAROL, play, start, start_between

if TYPE_CHECKING:
    from capsule.gemini.types import Certificate

NAMES = ["alice", "bob", "carol", "Ultimate", "Quantum", "Tinc", "Oxonaut", "JSON", "UTC"]
NAMES += ["novice", "casual", "club", "expert", "master"]


def assert_translated(client: Client, path: str, *people: Certificate | None) -> None:
    for who in people:
        with pseudo_translated():
            page = client.get(path, who)
        assert not untranslated(page, NAMES), path


def test_offers_and_plans_are_translated(client: Client) -> None:
    url = start_between(client, "ultimate")
    play(client, url, ["e5", "d4", "a1"], ALICE, BOB)
    client.ask(link(client.get(url, ALICE), "/plan") + "?b2%20f6", ALICE)
    client.get(link(client.get(url, ALICE), "/draw"), ALICE)
    client.get(link(client.get(url, BOB), "/takeback"), BOB)
    for path in (url, "/play/"):
        assert_translated(client, path, ALICE, BOB)
    assert_translated(client, url, CAROL, None)


def test_time_and_rematches_are_translated(client: Client) -> None:
    url = start_between(client, "ultimate")
    short = start_between(client, "quantum")
    play(client, url, ["e5", "d4"], ALICE, BOB)
    client.type(link(client.get("/play/", BOB), "/vacation"), "3", BOB)
    client.now += timedelta(days=8)
    for path in (url, short, "/play/"):
        assert_translated(client, path, ALICE, BOB)
    client.now += timedelta(days=8)
    for path in (url, "/play/"):
        assert_translated(client, path, ALICE, BOB)
    client.get(link(client.get(url, BOB), "/rematch"), BOB)
    for path in (url, "/play/"):
        assert_translated(client, path, ALICE, BOB)
    client.get(link(client.get(url, ALICE), "/decline"), ALICE)
    assert_translated(client, url, ALICE, BOB, CAROL, None)


def test_terms_and_challenges_are_translated(client: Client) -> None:
    start(client, "tinc", "solo", BOB)
    for terms in ("", "?side=o&days=none&listed=yes", "?side=draw&days=1"):
        assert_translated(client, f"/play/new/ultimate{terms}", ALICE)
    ask = link(client.get("/play/new/ultimate", ALICE), "/challenge")
    url = client.type(ask, "bob", ALICE).meta
    for path in (url, "/play/"):
        assert_translated(client, path, ALICE, BOB)
    assert "Ultimate with bob, who has not answered yet: move 1, you are X" in links(
        client.get("/play/", ALICE)
    )
    opened = start(client, "tinc", "open")
    assert_translated(client, opened, ALICE, BOB, None)
