"""Moments: a page passes with the time in its addresses that no browser shall have kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capsule.ui.fresh_addresses import with_time

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from capsule.gemini.types import Answer, Handler, Layer, Request


def moments(clock: Callable[[], datetime]) -> Layer:
    """Put the time into a page, which may be kept without it."""

    def layer(handle: Handler) -> Handler:
        def handle_with_moment(request: Request) -> Answer:
            return with_time(handle(request), request, clock)

        return handle_with_moment

    return layer
