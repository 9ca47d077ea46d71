"""People who may vote, and the beginning of a game."""

from datetime import UTC, datetime

import pytest

from capsule.everyone import model
from engine import Side
from tests.support.client import Client, certificate
from tests.support.everyone import Begin, advance, let_vote
from tests.support.stories import ALICE, BOB, CAROL


@pytest.fixture
def people(client: Client) -> None:
    """Alice, bob, carol and dave, who may vote."""
    let_vote(client, ALICE, BOB, CAROL, certificate("dave"))


@pytest.fixture
def begin(client: Client, people: None, monkeypatch: pytest.MonkeyPatch) -> Begin:
    """Begins a first game of a variant on 22 November at 01:00, in which the people are X."""

    def begin_with(variant: str) -> None:
        monkeypatch.setattr(model, "variant_of", lambda _: variant)
        monkeypatch.setattr(model, "side_of", lambda _: Side.X)
        client.now = datetime(2026, 11, 22, 1, tzinfo=UTC)
        advance(client)

    return begin_with
