"""Narrow links: a narrow page is made with links to pages as narrow as itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capsule.ui.narrow_pages import leading_to_narrow_pages

if TYPE_CHECKING:
    from capsule.gemini.types import Answer, Handler, Layer, Request
    from capsule.ui.routes import RouteTable


def narrow_links(table: RouteTable) -> Layer:
    """Lead to narrow pages while a narrow one is made, where a page may be narrow, too."""

    def is_narrowable(path: str) -> bool:
        found = table.find(path)
        return found is not None and found[0].is_narrowable

    def layer(handle: Handler) -> Handler:
        def handle_narrow_links(request: Request) -> Answer:
            if not request.is_narrow:
                return handle(request)
            with leading_to_narrow_pages(is_narrowable):
                return handle(request)

        return handle_narrow_links

    return layer
