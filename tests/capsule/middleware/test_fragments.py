"""Pages with the fragments that they lack."""

from __future__ import annotations

import pytest

from capsule.blocking import WouldBlock
from capsule.gemini.types import Answer, Request, Response
from capsule.middleware.fragments import fragments
from capsule.ui.parts import place_of


def handle(request: Request) -> Answer:
    match request.path:
        case "/":
            return Response(20, "", f"# Home\n{place_of('news')}\n")
        case "news":
            assert request.query is None
            return Response(20, "", "=> /news/ News\n")
        case "/worker":
            return Response(20, "", place_of("slow"))
        case "slow":
            raise WouldBlock
    return Response(20, "", "page")


def test_a_fragment_stands_at_its_placeholder() -> None:
    assert fragments(handle)(Request("/", "query")).body == "# Home\n=> /news/ News\n"
    assert fragments(handle)(Request("/about")).body == "page"


def test_a_page_blocks_where_its_fragment_does() -> None:
    with pytest.raises(WouldBlock):
        fragments(handle)(Request("/worker"))
