"""Moments: the time of the request makes addresses in a page new to a browser."""

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime

from capsule.gemini.types import Answer, Handler, Request, Response
from capsule.ui.links import TIME

_ASKED = re.compile("(?:.*&)?at-([0-9]{1,12})(?:&.*)?")


def moments(handle: Handler, request: Request, *, clock: Callable[[], datetime]) -> Answer:
    """Put the time into the fresh addresses of a page, which is cached without it.

    It is put in when the page is shown: a page that has not changed since it was made may lead to
    one that has. It is in seconds since 1970, and later than that in the page's own address, which
    a browser has then. For those without a certificate it is at first that of the minute: crawlers,
    which leave such addresses alone, find no more of them.
    """
    page = handle(request)
    if not isinstance(page, Response) or TIME not in page.body:
        return page
    shown = int(clock().timestamp())
    if asked := _ASKED.fullmatch(request.query or ""):
        shown = max(shown, int(asked[1]) + 1)
    elif request.certificate is None:
        shown -= shown % 60
    return replace(page, body=page.body.replace(TIME, str(shown)))
