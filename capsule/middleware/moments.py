"""Moments: the time of the request makes addresses in a page new to a browser."""

from collections.abc import Callable
from datetime import datetime

from capsule.gemini.types import Answer, Handler, Request
from capsule.ui.links import with_time


def moments(handle: Handler, request: Request, *, clock: Callable[[], datetime]) -> Answer:
    """Put the time into a page, which is cached without it."""
    return with_time(handle(request), request, clock)
