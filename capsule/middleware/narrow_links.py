"""Narrow links: a narrow page passes with links to pages as narrow as itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capsule.gemini.types import Response
from capsule.ui.narrow_pages import with_narrow_links

if TYPE_CHECKING:
    from capsule.gemini.types import Answer, Handler, Layer, Request
    from capsule.ui.routes import RouteTable


def narrow_links(table: RouteTable) -> Layer:
    """Rewrite the links of narrow pages that lead to pages which may be narrow, too."""

    def is_narrowable(path: str) -> bool:
        found = table.find(path)
        return found is not None and found[0].is_narrowable

    def layer(handle: Handler) -> Handler:
        def handle_narrow_links(request: Request) -> Answer:
            answer = handle(request)
            if request.is_narrow and isinstance(answer, Response):
                return with_narrow_links(answer, is_narrowable)
            return answer

        return handle_narrow_links

    return layer
