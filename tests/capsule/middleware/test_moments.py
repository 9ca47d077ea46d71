"""The time in addresses that no browser shall have kept."""

import pytest

from capsule.gemini.types import Request, Response
from capsule.middleware.moments import moments
from capsule.ui.links import fresh
from tests.support.client import BEGINNING, certificate

NOW = BEGINNING.replace(second=7)
SECONDS = int(NOW.timestamp())


@pytest.mark.parametrize(
    ("query", "player", "stranger"),
    [
        (None, SECONDS, SECONDS - 7),
        ("at-7", SECONDS, SECONDS - 7),
        (f"at-{SECONDS - 7}", SECONDS, SECONDS - 6),
        (f"at-{SECONDS + 3}", SECONDS + 4, SECONDS - 7),
        ("at-999999999999", SECONDS, SECONDS - 7),
        (f"at-{SECONDS}", SECONDS + 1, SECONDS + 1),
        (f"narrow&at-{SECONDS}", SECONDS + 1, SECONDS + 1),
        (f"at-{SECONDS}&lang=pt", SECONDS + 1, SECONDS + 1),
        ("turn-7", SECONDS, SECONDS - 7),
    ],
)
def test_it_is_that_of_the_request_but_no_address_leads_to_itself(
    query: str | None, player: int, stranger: int
) -> None:
    page = Response(20, "text/gemini", f"=> {fresh('/play/')} Your games\n")
    for who, seconds in ((certificate("alice"), player), (None, stranger)):
        body = moments(lambda _: page, Request("/", query, who), clock=lambda: NOW).body
        assert body == f"=> /play/?at-{seconds} Your games\n"
