"""The active language: that of the request, until the page finds what its reader has chosen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capsule.ui.language_addresses import speech_for
from capsule.ui.languages import speaking

if TYPE_CHECKING:
    from capsule.gemini.types import Answer, Handler, Request


def active_language(handle: Handler) -> Handler:
    """Activate the request's language while it is answered."""

    def handle_in_active_language(request: Request) -> Answer:
        with speaking(speech_for(request)):
            return handle(request)

    return handle_in_active_language
