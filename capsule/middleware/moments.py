"""Moments: the time of the request makes addresses in a page new to a browser."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime

from capsule.gemini.types import Answer, Handler, Request, Response
from capsule.ui.links import TIME


def moments(handle: Handler, request: Request, *, clock: Callable[[], datetime]) -> Answer:
    """Put the time into the fresh addresses of a page, which is cached without it.

    It is in seconds since 1970. For those without a certificate it is that of the minute: crawlers
    find no more addresses.
    """
    page = handle(request)
    if not isinstance(page, Response) or TIME not in page.body:
        return page
    seconds = int(clock().timestamp())
    shown = seconds if request.certificate is not None else seconds - seconds % 60
    return replace(page, body=page.body.replace(TIME, str(shown)))
