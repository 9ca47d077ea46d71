"""A declined challenge is an answer: for a day, neither of the two challenges the other."""

from datetime import timedelta

import pytest

from capsule.gemini.types import Certificate, Response
from tests.support.client import Client, link
from tests.support.stories import ALICE, BOB, CAROL, start

PAUSE = (
    "A challenge between you and {name} was declined. You can challenge {name} again on "
    "21 November 2026 at 14:02 UTC."
)


@pytest.fixture(autouse=True)
def known(client: Client) -> None:
    """Make everybody a player, each with a solo game."""
    for who in (ALICE, BOB, CAROL):
        start(client, "tinc", "solo", who)


def challenge(
    client: Client, name: str, who: Certificate = ALICE, variant: str = "ultimate"
) -> Response:
    """Challenge somebody by typing their name, and return the answer."""
    return client.type(link(client.get(f"/play/new/{variant}", who), "/challenge"), name, who)


def test_after_a_declined_challenge_neither_challenges_the_other_for_a_day(client: Client) -> None:
    url = challenge(client, "bob").meta
    client.get(link(client.get(url, BOB), "/decline"), BOB)
    for variant in ("ultimate", "tinc"):
        answer = challenge(client, "bob", variant=variant)
        assert answer.status == 10
        assert answer.meta.startswith(PAUSE.format(name="bob"))
    assert challenge(client, "alice", BOB).meta.startswith(PAUSE.format(name="alice"))
    client.now += timedelta(days=1)
    assert challenge(client, "bob").status == 30


def test_it_concerns_these_two_alone(client: Client) -> None:
    url = challenge(client, "bob").meta
    client.get(link(client.get(url, BOB), "/decline"), BOB)
    for who, name in ((ALICE, "carol"), (CAROL, "alice"), (BOB, "carol"), (CAROL, "bob")):
        assert challenge(client, name, who).status == 30


def test_a_challenge_that_was_withdrawn_or_accepted_begins_no_pause(client: Client) -> None:
    withdrawn = challenge(client, "bob").meta
    client.type(link(client.get(withdrawn, ALICE), "/abort"), "abort", ALICE)
    accepted = challenge(client, "bob").meta
    client.get(link(client.get(accepted, BOB), "/accept"), BOB)
    client.type(link(client.get(accepted, BOB), "/abort"), "abort", BOB)
    assert challenge(client, "bob").status == 30
