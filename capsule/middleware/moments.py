"""Moments: the time of the request makes addresses in a page new to a browser."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime

from capsule.gemini.types import Answer, Handler, Request, Response
from capsule.ui.links import TIME, time_in

MOST_A_MINUTE = 10
"""The later addresses to which a visitor without a certificate is led within a minute."""


def moments(handle: Handler, request: Request, *, clock: Callable[[], datetime]) -> Answer:
    """Put the time into the fresh addresses of a page, which is cached without it.

    It is put in when the page is shown: a page that has not changed since it was made may lead to
    one that has. It is in seconds since 1970, and later than the time in the page's own address,
    since the browser already has a page there. Without a certificate, it is first that of the
    minute, and up to `MOST_A_MINUTE` later: crawlers that know no stars in robots.txt would
    otherwise find such addresses without end.
    """
    page = handle(request)
    if not isinstance(page, Response) or TIME not in page.body:
        return page
    shown, most = int(clock().timestamp()), 60
    if request.certificate is None:
        shown, most = shown - shown % 60, MOST_A_MINUTE
    asked = time_in(request.query)
    if asked is not None and shown <= asked < shown + most:
        shown = asked + 1
    return replace(page, body=page.body.replace(TIME, str(shown)))
