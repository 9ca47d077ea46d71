"""A limit on the players made from one address, since certificates cost nothing.

A visitor is known here by an opaque key, from which the address cannot be computed.
"""

from __future__ import annotations

from contextlib import contextmanager
from threading import Lock
from typing import TYPE_CHECKING

from capsule.gemini.limits import RequestLimit

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


HOUR_SECONDS = 3600.0


class TooManyNewcomers(Exception):
    """Too many players come from the address; the next may follow in this many `seconds`."""

    def __init__(self, seconds: int) -> None:
        super().__init__(f"the next in {seconds} seconds")
        self.seconds = seconds


class NewcomerLimit:
    """A limit on the players made by this process: `per_hour` at once, and as many in an hour.

    A `per_hour` of 0 sets no limit. `monotonic` returns seconds that never go back.
    """

    def __init__(self, per_hour: int, monotonic: Callable[[], float]) -> None:
        self._monotonic = monotonic
        self._lock = Lock()
        self._per_hour = -1
        self.allow(per_hour)

    def allow(self, per_hour: int) -> None:
        """Allow this many from now on."""
        with self._lock:
            if per_hour != self._per_hour:
                self._per_hour = per_hour
                self._limit = RequestLimit(per_hour / HOUR_SECONDS, per_hour)

    def take(self, address_key: str) -> int:
        """Count a player, and return 0; or return in how many seconds there may be another one."""
        with self._lock:
            return self._limit.seconds_to_wait(address_key, self._monotonic())

    def give_back(self, address_key: str) -> None:
        """Uncount the last player, who has not been made after all."""
        with self._lock:
            self._limit.give_back(address_key)


@contextmanager
def counted(limit: NewcomerLimit, address_key: str | None) -> Iterator[None]:
    """Count a player who is made in the block, and not if it raises an error.

    Nothing is counted without an address. Raises `TooManyNewcomers`.
    """
    if address_key is None:
        yield
        return
    seconds = limit.take(address_key)
    if seconds:
        raise TooManyNewcomers(seconds)
    try:
        yield
    except BaseException:
        limit.give_back(address_key)
        raise
