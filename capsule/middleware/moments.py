"""Moments: the time of the request makes addresses in a page new to a browser."""

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime

from capsule.gemini.types import Answer, Handler, Request, Response
from capsule.ui.links import TIME

_ASKED = re.compile("(?:.*&)?at-([0-9]{1,12})(?:&.*)?")

MOST_A_MINUTE = 10
"""How often visitors without a certificate are led to a later address within a minute."""


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
    asked = _ASKED.fullmatch(request.query or "")
    if asked and shown <= int(asked[1]) < shown + most:
        shown = int(asked[1]) + 1
    return replace(page, body=page.body.replace(TIME, str(shown)))
