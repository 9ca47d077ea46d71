"""An outage of the database: one request at a time finds out whether it is over."""

from __future__ import annotations

from contextlib import contextmanager
from threading import Lock
from typing import TYPE_CHECKING

from capsule.db.faults import DatabaseAway

if TYPE_CHECKING:
    from collections.abc import Iterator


class Outage:
    """Has nobody wait for a database that is known to be away.

    A server that does not answer at all is noticed only after seconds, by whoever asks it. As long
    as it is away, one transaction at a time asks again; all others fail at once.
    """

    def __init__(self) -> None:
        self._is_known = False
        self._asking = Lock()

    @contextmanager
    def watched(self) -> Iterator[None]:
        """Watch over one transaction; raises `DatabaseAway` where another is asking already."""
        if not self._is_known:
            try:
                yield
            except DatabaseAway:
                self._is_known = True
                raise
            return
        if not self._asking.acquire(blocking=False):
            raise DatabaseAway("The database was away a moment ago")
        try:
            yield
            self._is_known = False
        finally:
            self._asking.release()
