"""The links of narrow pages."""

from __future__ import annotations

from capsule.gemini.types import Request, Response
from capsule.middleware.narrow_links import narrow_links
from capsule.ui.narrow_pages import narrowed
from capsule.ui.routes import compile_routes, narrowable


@narrowable
def narrow(context: object, request: Request) -> Response:
    raise NotImplementedError


def wide(context: object, request: Request) -> Response:
    raise NotImplementedError


TABLE = compile_routes([("/narrow", narrow), ("/wide", wide)], [])


def test_a_narrow_page_leads_to_narrow_ones_where_there_are_any() -> None:
    handle = narrow_links(TABLE)(
        lambda _: Response(20, " ".join(map(narrowed, ("/narrow", "/wide", "/nowhere"))))
    )
    assert handle(Request("/narrow")).meta == "/narrow /wide /nowhere"
    asked = Request("/narrow", is_narrow=True)
    assert handle(asked).meta == "/narrow?narrow /wide /nowhere"
