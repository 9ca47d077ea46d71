"""A link acts once: whatever is done in between, an old page, a reload or the back button does not.

Two people wander about and follow whatever link with a key they have ever been shown.
"""

import re
from contextlib import suppress
from random import Random
from urllib.parse import quote

import pytest
from sqlalchemy import select

from capsule.db.schema.social import messages
from capsule.gemini.types import Certificate
from capsule.moderation import actions
from capsule.moderation.actions import OperatorRefused
from capsule.moderation.model import LineKind
from tests.support.acting import operate
from tests.support.client import Client, context_of, links
from tests.support.stored import everything
from tests.support.stories import ALICE, BOB, start, start_between
from tests.support.tournaments import announce

pytestmark = pytest.mark.slow

KEYED = re.compile("/[a-z2-7]{26}(/|$)")

TYPED: dict[str, tuple[str, ...]] = {
    "move": ("e5", "a1", "b2", "c3", "d4"),
    "say": ("hello", "good luck"),
    "note": ("a thought",),
    "report": ("rude",),
    "clear": ("clear",),
    "vacation": ("1",),
    "name": ("alice", "bob", "robert", "Alicia"),
    "zone": ("Vienna", "UTC"),
    "mute": ("bob", "alice"),
    "unmute": ("bob", "alice"),
    "block": ("block", "bob"),
    "unblock": ("bob", "alice"),
    "challenge": ("bob", "alice"),
    "announce": ("A cup",),
    "leave": ("leave",),
    "cancel": ("cancel",),
    "resign": ("resign",),
    "abort": ("abort",),
    "1": ("my phone", "revoke"),
}
"""The text that they type if a link asks for one."""

NEVER = ("/erase", "/plan")
"""Links that are left out: an erased player cannot go on, and a plan may be typed again."""


def follow(client: Client, url: str, typed: str | None, who: Certificate) -> set[int]:
    """Follow a link, and type what it asks for; return the statuses that came."""
    answer = client.ask(url, who)
    statuses = {answer.status}
    if answer.status in (10, 11) and typed is not None:
        statuses.add(client.ask(f"{url.partition('?')[0]}?{quote(typed)}", who).status)
    return statuses


def remove_something(client: Client, rng: Random) -> None:
    """Let the operator remove a message, if there is one."""
    with client.database.reading() as connection:
        numbers = list(connection.execute(select(messages.c.id)).scalars())
    with suppress(OperatorRefused):
        message = LineKind.MESSAGE, rng.choice(numbers or [1])
        operate(actions.remove_line, context_of(client), *message, "rude")


@pytest.mark.parametrize(
    "seed", [0, *(pytest.param(seed, marks=pytest.mark.deep) for seed in range(1, 4))]
)
def test_no_link_changes_anything_twice(client: Client, seed: int) -> None:
    rng = Random(seed)
    people = (ALICE, BOB)
    start(client, "tinc", "open", ALICE)
    places = [start_between(client, "ultimate"), announce(client, "seats=3")]
    places += ["/play/", "/play/me/", "/play/me/settings", "/play/me/people", "/play/me/code"]
    places += ["/play/new/tinc", "/play/new/ultimate", "/play/tournaments/new"]
    shown: dict[tuple[str, Certificate], int] = {}
    acted: dict[tuple[str, Certificate], str] = {}
    for step in range(120):
        who = rng.choice(people)
        answer = client.ask(rng.choice(places), who)
        if answer.status == 20:
            found = [url for url in links(answer.body).values() if KEYED.search(url)]
            shown |= {(url, who): step for url in found if not url.endswith(NEVER)}
        if rng.random() < 0.05:
            remove_something(client, rng)
        stored = everything(client)
        # Old links are followed as often as new ones, and by both.
        for url, owner in rng.sample(sorted(shown, key=str), min(3, len(shown))):
            reader = owner if rng.random() < 0.9 else rng.choice(people)
            verb = url.partition("?")[0].rpartition("/")[2]
            options = TYPED.get(verb)
            typed = rng.choice(options) if options else None
            assert follow(client, url, typed, reader) <= {10, 11, 20, 30}
            before, stored = stored, everything(client)
            if stored == before:
                continue
            assert reader == owner, "a link of somebody else's"
            # Of the same page, also with another query: of a prompt one answer alone is taken.
            page = (url.partition("?")[0], owner)
            assert page not in acted, (url, acted[page])
            acted[page] = url
    assert len(acted) > 15, "they did something"
