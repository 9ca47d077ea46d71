"""Answers that cost much more than a page: one at a time, so that nobody else has to wait for them.

They grow with the capsule: the ladder of 20,000 players as CSV takes as long to make as a hundred
pages, and whoever asked for it as often as pages may be asked for would keep every thread busy.
"""

from __future__ import annotations

from contextlib import contextmanager
from threading import Lock
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


RETRY_SECONDS = 2
"""Seconds after which somebody may ask again."""


class Busy(Exception):
    """Such an answer is being made for somebody else."""


class ExclusiveAccess:
    """Who makes such an answer, in one process."""

    def __init__(self) -> None:
        self._lock = Lock()

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Make a costly answer, as the only one; raises `Busy`."""
        if not self._lock.acquire(blocking=False):
            raise Busy
        try:
            yield
        finally:
            self._lock.release()
