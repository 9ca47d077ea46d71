"""Addresses that are new to a browser: the time of the request is their query, which pages ignore.

Browsers that keep pages by their addresses then ask for the page again. A page that is kept gets
the time when it is shown.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from capsule.gemini.types import Response

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from capsule.gemini.types import Answer, Request

A = TypeVar("A", bound="Answer")

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
