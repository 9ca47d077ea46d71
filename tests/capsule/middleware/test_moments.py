"""The time in addresses that no browser shall have kept."""

from capsule.gemini.types import Request, Response
from capsule.middleware.moments import moments
from capsule.ui.links import fresh
from tests.support.client import BEGINNING, certificate


def test_it_is_that_of_the_request_and_for_strangers_that_of_the_minute() -> None:
    page = Response(20, "text/gemini", f"=> {fresh('/play/')} Your games\n")
    now = BEGINNING.replace(second=7)
    for who, at in ((certificate("alice"), now), (None, now.replace(second=0))):
        body = moments(lambda _: page, Request("/", None, who), clock=lambda: now).body
        assert body == f"=> /play/?at-{int(at.timestamp())} Your games\n"
