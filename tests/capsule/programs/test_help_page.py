"""The help for programs documents every field of every answer, and no other."""

import json
import re
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest

from capsule.games.eligibility import (
    MAX_OFFERED_GAMES,
    MAX_UNFINISHED_AGAINST_BOTS,
    MAX_UNFINISHED_GAMES,
    MAX_UNFINISHED_OF_PROGRAM,
)
from capsule.gemini.types import Certificate
from capsule.play.starting import SEATS_A_DAY
from capsule.programs.pages import MAX_SEATS
from capsule.programs.states import MAX_LEGAL_MOVES
from tests.support.client import Client
from tests.support.stories import ALICE, BOB, CAROL, open_game, play, start
from tests.support.tournaments import announce

pytestmark = pytest.mark.sqlite  # hardly any of it comes from the database

NAMES_IN_VALUES = {"novice", "casual", "club", "expert", "master"}
"""Names that a field has by what it is about; the page describes them as "by level"."""


def names_in(document: object) -> Iterator[str]:
    """Yield the names of all fields in an answer."""
    if isinstance(document, dict):
        for name, value in document.items():
            yield name
            yield from names_in(value)
    elif isinstance(document, list):
        for value in document:
            yield from names_in(value)


def test_every_field_is_documented_and_every_documented_field_is_sent(client: Client) -> None:
    sent: set[str] = set()

    def read(url: str, who: Certificate | None = None) -> dict[str, Any]:
        answer: dict[str, Any] = json.loads(client.ask(url, who).body)
        sent.update(names_in(answer))
        return answer

    url = open_game(client)
    state = read(f"{url}/state.json", ALICE)
    read(f"{state['move']}?nonsense", ALICE)
    read(state["draw"], ALICE)
    read(f"{url}/state.json", BOB)
    start(client, "tinc", "open", CAROL)
    read("/games/open.json", ALICE)
    keys = read("/play/new/tinc/keys.json", ALICE)
    read(f"{keys['challenge']}?bob", ALICE)
    read("/play/desk.json", BOB)
    announce(client)
    read("/play/tournaments/open.json", BOB)
    play(client, url, ["e5", "e4"], ALICE, BOB)
    client.now += timedelta(days=8)
    read(f"{url}/state.json", BOB)
    page = client.get("/help/programs")
    code = page.split("```")[1]
    prose = page.replace(code, "") + client.get("/help/programs/json")
    documented = set(re.findall(r'"([a-z_XO]+)"', prose))
    assert sent - NAMES_IN_VALUES - documented == set()
    assert documented - sent == set()


def test_the_help_tells_the_limits_as_they_are(client: Client) -> None:
    page = client.get("/help/programs")
    at_once = f"{MAX_UNFINISHED_OF_PROGRAM} games at once where people have {MAX_UNFINISHED_GAMES}."
    assert at_once in page
    assert f"{MAX_UNFINISHED_AGAINST_BOTS} of them against bots" in page
    assert f"{MAX_OFFERED_GAMES} with a seat open to anyone" in page
    for path in ("/help/programs", "/help/manners"):
        assert f"take {SEATS_A_DAY.count} open seats within 24 hours" in client.get(path)
    fields = client.get("/help/programs/json")
    assert f"at most {MAX_SEATS}." in fields
    assert f"more than {MAX_LEGAL_MOVES}." in fields
