"""Whether a database can be written to, as all processes of a capsule see it.

A database that can be read cannot always be written to: its disk may be full, its file system
read-only, or its server a standby.
"""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from mmap import mmap
from struct import Struct
from threading import Lock

from capsule.db.faults import CannotStore

LOG_SECONDS = 60.0
"""Seconds between two lines of the log about outages."""

_SINCE = Struct("d")
_STATE = Struct("dd?Q240s")
"""The begin of the outage or 0, the time of the last line in the log, whether that was about this
outage, the number of failures since then, and the reason."""


def in_words(moment: datetime) -> str:
    """Return a time in UTC as the log and operators read it, to the second."""
    return f"{moment:%Y-%m-%d %H:%M:%S} UTC"


@dataclass(frozen=True)
class StorageOutage:
    """The time since which nothing can be stored, and the reason."""

    since: datetime
    reason: str


class StorageHealth:
    """Records which writes fail and which succeed, and the outage between them.

    Processes that are forked share it. Without a `log`, nothing is logged.
    """

    def __init__(
        self,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
        log: logging.Logger | None = None,
    ) -> None:
        self._clock = clock
        self._log = log
        # Processes share no lock, since one that is killed would never release it.
        self._lock = Lock()
        self._memory = mmap(-1, _STATE.size)

    @property
    def outage(self) -> StorageOutage | None:
        """The present outage, None if there is none."""
        since, _, _, _, reason = _STATE.unpack_from(self._memory)
        if not since:
            return None
        words = reason.rstrip(b"\0").decode(errors="ignore")
        return StorageOutage(datetime.fromtimestamp(since, UTC), words)

    def failed(self, error: CannotStore) -> None:
        """Record that a write has failed for lack of room or permission."""
        with self._lock:
            now = self._clock().timestamp()
            since, logged_at, is_logged, failures, reason = _STATE.unpack_from(self._memory)
            failures += 1
            if not since:
                since, is_logged, reason = now, False, error.reason.encode()
            if not 0 <= now - logged_at < LOG_SECONDS:
                if self._log is not None:
                    self._log.error(
                        "Nothing can be stored since %s: %s. Writes that failed: %d",
                        in_words(datetime.fromtimestamp(since, UTC)),
                        error.reason,
                        failures,
                    )
                logged_at, is_logged, failures = now, True, 0
            _STATE.pack_into(self._memory, 0, since, logged_at, is_logged, failures, reason)

    def succeeded(self) -> None:
        """Record that a write has succeeded, which ends an outage."""
        with self._lock:
            since, _, is_logged, _, _ = _STATE.unpack_from(self._memory)
            if not since:
                return
            _SINCE.pack_into(self._memory, 0, 0.0)
            if is_logged and self._log is not None:
                self._log.warning("Storing again after %.0f s", self._clock().timestamp() - since)
