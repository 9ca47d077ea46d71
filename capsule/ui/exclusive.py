"""Expensive requests: admitted one at a time, so that nobody else has to wait for them.

What they cost grows with the capsule: the ladder of 20,000 players as CSV takes as long to make as
a hundred pages, and asking for it as often as for pages would keep every thread busy.
"""

from __future__ import annotations

from contextlib import contextmanager
from threading import Lock
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


RETRY_SECONDS = 2
"""How soon somebody who was turned away may ask again."""


class Busy(Exception):
    """Another expensive request is being answered."""


class ExclusiveAccess:
    """Admits one expensive request at a time, in one process."""

    def __init__(self) -> None:
        self._lock = Lock()

    @contextmanager
    def acquire(self) -> Iterator[None]:
        """Answer an expensive request while no other is answered; raises `Busy`."""
        if not self._lock.acquire(blocking=False):
            raise Busy
        try:
            yield
        finally:
            self._lock.release()
