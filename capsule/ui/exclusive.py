"""Expensive requests, admitted one at a time so that they do not delay other visitors.

Their cost grows with the capsule: the ladder of 20,000 players as CSV takes as long to make as a
hundred pages, and requesting it as often as pages would keep every thread busy.
"""

from __future__ import annotations

from contextlib import contextmanager
from threading import Lock
from typing import TYPE_CHECKING

from capsule.gemini.types import Wait
from capsule.ui.responses import slow_down

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from capsule.gemini.types import Request, Response


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

    def wait(self, request: Request, make: Callable[[], Response]) -> Wait:
        """Return a wait for an expensive response, which is made where no other page waits."""

        def finish() -> Response:
            with self.acquire():
                return make()

        return Wait(request.address_key, finish, fallback=slow_down(RETRY_SECONDS))
