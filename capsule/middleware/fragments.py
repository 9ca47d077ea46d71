"""Fragments: a page with a placeholder passes with the fragment that belongs there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capsule.gemini.types import Response
from capsule.ui.parts import missing_part, with_part

if TYPE_CHECKING:
    from capsule.gemini.types import Answer, Handler, Request


def fragments(handle: Handler) -> Handler:
    """Complete a page with its fragment, which is kept by itself, or answer what comes for it."""

    def handle_with_fragment(request: Request) -> Answer:
        page = handle(request)
        name = missing_part(page) if isinstance(page, Response) else None
        if name is None or not isinstance(page, Response):
            return page
        return with_part(page, handle(request._replace(path=name, query=None, resume=None)))

    return handle_with_fragment
