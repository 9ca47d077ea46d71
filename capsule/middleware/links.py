"""Links: those of a page, and a redirect, stay in the language in which it was made."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capsule.gemini.types import Live, Response
from capsule.ui.language_addresses import live_in, with_links_in
from capsule.ui.languages import speech

if TYPE_CHECKING:
    from capsule.gemini.types import Answer, Handler, Request


def links(handle: Handler) -> Handler:
    """Rewrite the links of an answer for the language that is active now."""

    def handle_links(request: Request) -> Answer:
        answer = handle(request)
        if isinstance(answer, Response):
            return with_links_in(answer, request, speech())
        return live_in(answer, request, speech()) if isinstance(answer, Live) else answer

    return handle_links
