"""The language of an address: a request passes without it, and knows it instead."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capsule.ui.language_addresses import in_language
from capsule.ui.responses import redirect

if TYPE_CHECKING:
    from capsule.gemini.types import Answer, Handler, Request


def from_address(handle: Handler) -> Handler:
    """Take the language from the address, or redirect to the address that there is instead."""

    def handle_in_language(request: Request) -> Answer:
        found = in_language(request)
        return redirect(found) if isinstance(found, str) else handle(found)

    return handle_in_language
