"""Expensive requests, admitted one at a time so that they do not delay other visitors.

Their cost grows with the capsule: the ladder of 20,000 players as CSV takes as long to make as a
hundred pages, and requesting it as often as pages would keep every thread busy.
"""

from __future__ import annotations

from contextlib import contextmanager
from threading import Lock
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


RETRY_SECONDS = 2
"""Seconds after which a visitor who was turned away may ask again."""


class Busy(Exception):
    """Another expensive request is being answered."""


class ExclusiveAccess:
    """Admits one expensive request at a time in this process."""

    def __init__(self) -> None:
        self._lock = Lock()

    @contextmanager
    def acquire(self) -> Iterator[None]:
        """Take the one place for expensive requests; raises `Busy` if it is taken already."""
        if not self._lock.acquire(blocking=False):
            raise Busy
        try:
            yield
        finally:
            self._lock.release()
