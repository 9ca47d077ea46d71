"""Parts of pages that change more often than the rest, and are kept by themselves.

A template names a part where its text belongs, and whoever answers the request puts it there: what
the Web calls an edge-side include. A part has a route of its own, without a slash, so that nobody
can ask for it.

The time of the request is put into addresses in the same way. Browsers that keep pages by their
addresses then ask for the page again.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from capsule.gemini.types import Response

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from capsule.gemini.types import Answer, Request

A = TypeVar("A", bound="Answer")

_PLACE = re.compile("\x1d([a-z-]+)\x1d\n?")
"""The place of a part and its name; no text from anybody else keeps a control character."""


_TIME = "\x02"
"""The place of the time; like all control characters, no text from anybody else keeps it."""


def fresh(path: str, now: datetime | None = None) -> str:
    r"""Return the address of a page with a query, which pages ignore, that has the time in it.

    In the text of a page the time is not known yet: `with_time` puts it there.

    >>> fresh("/play/")
    '/play/?at-\x02'
    """
    return f"{path}?at-{_TIME if now is None else int(now.timestamp())}"


def with_time(page: A, request: Request, clock: Callable[[], datetime]) -> A:
    """Return a page with the time in its fresh addresses, in seconds since 1970.

    For those without a certificate it is that of the minute: crawlers find no more addresses. Any
    other answer is returned as it is.
    """
    if not isinstance(page, Response) or _TIME not in page.body:
        return page
    seconds = int(clock().timestamp())
    shown = seconds if request.certificate is not None else seconds - seconds % 60
    return replace(page, body=page.body.replace(_TIME, str(shown)))


def place_of(name: str) -> str:
    """Return what stands in a page where the text of a part belongs."""
    return f"\x1d{name}\x1d"


def missing_part(page: Response) -> str | None:
    """Return the name of the part that a page lacks, None if it is complete."""
    found = _PLACE.search(page.body)
    return found and found[1]


def with_part(page: Response, part: A) -> Response | A:
    """Return a page with the part that it lacks, or what came in the place of that part.

    A part without text leaves no line.
    """
    if not isinstance(part, Response) or part.status != page.status:
        return part
    text = part.body.lstrip("\n")
    return replace(page, body=_PLACE.sub(lambda _: text, page.body, count=1))
