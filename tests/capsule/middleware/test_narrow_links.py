"""The links of narrow pages."""

from __future__ import annotations

from dataclasses import replace

from capsule.gemini.types import Request, Response
from capsule.middleware.narrow_links import narrow_links
from capsule.ui.routes import compile_routes, narrowable


@narrowable
def narrow(context: object, request: Request) -> Response:
    raise NotImplementedError


def wide(context: object, request: Request) -> Response:
    raise NotImplementedError


TABLE = compile_routes([("/narrow", narrow), ("/wide", wide)], [])


def test_a_narrow_page_leads_to_narrow_ones_where_there_are_any() -> None:
    page = Response(20, "text/gemini", "=> /narrow One\n=> /wide Two\n=> /nowhere Three\n")
    handle = narrow_links(TABLE)(lambda _: page)
    assert handle(Request("/narrow")) == page
    assert handle(Request("/narrow", is_narrow=True)) == replace(
        page, body=page.body.replace("/narrow", "/narrow?narrow")
    )
