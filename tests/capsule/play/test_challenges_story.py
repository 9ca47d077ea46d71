"""Challenges by name: who may take the seat, and what an answer means for the next one."""

from datetime import timedelta

import pytest

from capsule.gemini.types import Response
from tests.support.client import Client, certificate, link, links
from tests.support.stories import ALICE, BOB, CAROL, challenge, play, record, start, undone

PAUSE = (
    "A challenge between you and {name} was declined. You can challenge {name} again on "
    "21 November 2026 at 14:02 UTC."
)


@pytest.fixture(autouse=True)
def known(client: Client) -> None:
    """Make Bob and Carol players, each with a solo game."""
    for who in (BOB, CAROL):
        start(client, "tinc", "solo", who)


def test_a_challenge_waits_for_the_one_who_is_named(client: Client) -> None:
    url = challenge(client, " BOB ", terms="?side=o&days=3").meta

    for who in (CAROL, None):
        page = client.get(url, who)
        assert "alice (O) has challenged bob. The seat of X is kept" in page
        assert not [link for link in links(page).values() if link.endswith(("join", "accept"))]
    page = client.get("/play/", BOB)
    assert page.startswith("# Your games (1 waiting)\n"), (
        "the challenge, and not the game he plays alone"
    )
    label = "Ultimate with alice: a challenge, you would be X, 7 days left"
    assert links(page.split("## Offers to answer")[1])[label] == f"{url}?challenge"
    assert url not in client.get("/play/", CAROL)
    page = client.get(url, BOB)
    assert "alice (O) challenges you. The seat of X is kept for you until 27 November 2026" in page
    assert "A move may take 3 days." in page

    client.get(links(page)["Accept the challenge and play X, rated"], BOB)

    assert client.get(url, BOB).startswith("# Ultimate: bob (X) – alice (O)\n")
    assert "Your turn." in client.get(url, BOB)
    assert "bob (X) has until 23 November 2026" in client.get(url)


def test_nobody_else_can_take_a_seat_that_is_kept(client: Client) -> None:
    url = challenge(client, "bob").meta
    accept = link(client.get(url, BOB), "/accept")
    key = link(client.get(url, ALICE), "/abort").split("/")[-2]
    for verb in ("accept", "join", "decline"):
        own = accept.replace("/accept", f"/{verb}")
        client.ask(own, CAROL)
        client.ask(f"{url}/{key}/{verb}", ALICE)
    assert undone(client, accept, CAROL, url)
    assert undone(client, accept.replace("/accept", "/join"), BOB, url)
    assert record(client, url)["players"] == {"X": "alice", "O": None}
    assert record(client, url)["status"] == "challenged"


def test_a_challenge_is_withdrawn_and_costs_nothing(client: Client) -> None:
    url = challenge(client, "bob").meta
    accept = link(client.get(url, BOB), "/accept")
    play(client, url, ["e5"], ALICE)
    client.type(link(client.get(url, ALICE), "/abort"), "abort", ALICE)
    client.get(accept, BOB)
    assert record(client, url)["status"] == "aborted"
    assert record(client, url)["points"] is None


def test_a_challenge_lapses_after_seven_days(client: Client) -> None:
    url = challenge(client, "bob").meta
    accept = link(client.get(url, BOB), "/accept")
    client.now += timedelta(days=7)
    assert "Offers to answer" not in client.get("/play/", BOB)
    assert "aborted" in client.get(url)
    client.get(accept, BOB)
    assert record(client, url)["status"] == "aborted"
    assert record(client, url)["ended"] == "2026-11-27T14:02:00Z"
    assert challenge(client, "bob").status == 30, "he may be challenged again"


def test_a_name_that_cannot_be_challenged_is_asked_again(client: Client) -> None:
    ask = link(client.get("/play/new/ultimate", ALICE), "/challenge")
    assert client.ask(ask, ALICE).meta == "The name of the player to challenge"
    again = " The name of the player to challenge"
    assert client.type(ask, "dave", ALICE) == Response(10, f"Nobody here is called dave.{again}")
    assert client.type(ask, "dave\r\n=> x", ALICE).meta.startswith(
        "Nobody here is called dave => x"
    )
    start(client, "tinc", "solo")
    ask = link(client.get("/play/new/ultimate", ALICE), "/challenge")
    assert client.type(ask, "Alice", ALICE) == Response(10, f"alice is you.{again}")
    url = client.type(ask, "bob", ALICE).meta
    assert client.ask(f"{ask}?bob", ALICE) == Response(30, url), "a reload"
    assert undone(client, f"{ask}?carol", ALICE, "/play/new/ultimate").endswith("> carol")
    ask = link(client.get("/play/new/ultimate", ALICE), "/challenge")
    assert client.type(ask, "bob", ALICE) == Response(
        10, f"bob has not answered your last challenge yet.{again}"
    )
    client.get(link(client.get(url, BOB), "/accept"), BOB)
    assert client.type(ask, "bob", ALICE).status == 30


def test_a_stranger_is_no_player_by_answering(client: Client) -> None:
    url = challenge(client, "bob").meta
    dave = certificate("dave")
    accept = link(client.get(url, BOB), "/accept")
    client.ask(accept, dave)
    assert "Welcome to Oxonaut" in client.get("/play/", dave)


def test_after_a_declined_challenge_neither_challenges_the_other_for_a_day(client: Client) -> None:
    url = challenge(client, "bob").meta
    client.get(link(client.get(url, BOB), "/decline"), BOB)
    for variant in ("ultimate", "tinc"):
        answer = challenge(client, "bob", variant)
        assert answer.status == 10
        assert answer.meta.startswith(PAUSE.format(name="bob"))
    assert challenge(client, "alice", who=BOB).meta.startswith(PAUSE.format(name="alice"))
    client.now += timedelta(days=1)
    assert challenge(client, "bob").status == 30


def test_it_concerns_these_two_alone(client: Client) -> None:
    url = challenge(client, "bob").meta
    client.get(link(client.get(url, BOB), "/decline"), BOB)
    for who, name in ((ALICE, "carol"), (CAROL, "alice"), (BOB, "carol"), (CAROL, "bob")):
        assert challenge(client, name, who=who).status == 30


def test_a_challenge_that_was_withdrawn_or_accepted_begins_no_pause(client: Client) -> None:
    withdrawn = challenge(client, "bob").meta
    client.type(link(client.get(withdrawn, ALICE), "/abort"), "abort", ALICE)
    accepted = challenge(client, "bob").meta
    client.get(link(client.get(accepted, BOB), "/accept"), BOB)
    client.type(link(client.get(accepted, BOB), "/abort"), "abort", BOB)
    assert challenge(client, "bob").status == 30
