"""A clock that lets no deadline pass while it is in doubt.

A clock that is wrong by days would end every game. So it is compared with the newest time seen,
which is stored, and with the machine's running time since then, which nobody can set. A restart of
the capsule changes neither. How long a machine was off before it was started is unknown: that time
counts, unless a clock was in doubt before.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from enum import Enum, auto
from math import inf
from pathlib import Path
from typing import NamedTuple
from uuid import uuid4

BEHIND = timedelta(minutes=1)
"""A clock may be this far behind the newest time seen, which may be another machine's."""

AHEAD = timedelta(hours=3)
"""A clock may be this far ahead of the machine's running time: it may be corrected now and then."""


class Doubt(Enum):
    """The reason why a clock cannot be trusted."""

    BEHIND = auto()
    AHEAD = auto()


@dataclass(frozen=True)
class RunningTime:
    """The seconds that a machine has run since it was started, asleep or not.

    `boot` identifies that start among those of all machines.
    """

    boot: str
    seconds: Callable[[], float]


def running_time() -> RunningTime:
    """Return this machine's running time.

    If the system does not identify its starts, each call counts as another start; if it does
    not count the time asleep, the clock of a machine that slept is in doubt.
    """
    boot = Path("/proc/sys/kernel/random/boot_id")
    identity = boot.read_text("ascii").strip() if boot.exists() else str(uuid4())
    if not hasattr(time, "CLOCK_BOOTTIME"):
        return RunningTime(identity, time.monotonic)
    return RunningTime(identity, lambda: time.clock_gettime(time.CLOCK_BOOTTIME))


@dataclass(frozen=True, slots=True)
class SeenTime:
    """The newest time that a trusted clock has shown, `seconds` after a machine was started.

    `was_ahead` says that a clock has been found ahead since.
    """

    at: datetime
    boot: str
    seconds: float
    was_ahead: bool = field(default=False, compare=False)


class Times(NamedTuple):
    """The time, and that by which deadlines are judged: an earlier one while the clock is doubted.

    `doubt` is why, None for a trusted clock.
    """

    now: datetime
    deadline: datetime
    doubt: Doubt | None


class TrustedClock:
    """The time, never before the newest time seen, and the time by which deadlines are judged.

    `clock` returns what the machine's clock shows, and `seen` is what is stored. Threads share it.
    `reported` is the doubt that the log has mentioned last.
    """

    reported: Doubt | None = None

    def __init__(self, clock: Callable[[], datetime], running: RunningTime, seen: SeenTime) -> None:
        self._clock = clock
        self._running = running
        self._stored = seen
        # The time from which the machine's running time is counted.
        self._origin = self._at_start(seen)

    def __call__(self) -> datetime:
        """Return the time, which does not advance while the machine's clock is behind."""
        return max(self._clock(), self._stored.at)

    def times(self) -> Times:
        """Return the time, that by which deadlines are judged, and why they differ, if they do."""
        shown = self._clock()
        now, doubt = max(shown, self._stored.at), self.doubt_about(shown)
        return Times(now, self._origin.at if doubt else now, doubt)

    def deadline_time(self) -> datetime:
        """Return the time by which deadlines are judged, which does not advance while in doubt."""
        return self.times().deadline

    @property
    def doubt(self) -> Doubt | None:
        """The reason why the clock cannot be trusted, None for a trusted clock."""
        return self.doubt_about(self._clock())

    def doubt_about(self, now: datetime) -> Doubt | None:
        """Return why a time of the machine's clock cannot be trusted, None for a trusted time."""
        if now < self._stored.at - BEHIND:
            return Doubt.BEHIND
        origin = self._origin
        ran = self._running.seconds() - origin.seconds
        is_ahead = (now - origin.at).total_seconds() > ran + AHEAD.total_seconds()
        return Doubt.AHEAD if is_ahead else None

    def shown(self) -> SeenTime:
        """Return what the machine's clock shows, be it right or wrong."""
        return SeenTime(self._clock(), self._running.boot, self._running.seconds())

    def learn(self, stored: SeenTime) -> None:
        """Adopt the stored time if it has changed."""
        if stored != self._stored:
            is_same_boot = stored.boot == self._running.boot
            self._origin = stored if is_same_boot else self._seen_now(stored)
            self._stored = stored

    def _at_start(self, stored: SeenTime) -> SeenTime:
        if stored.boot == self._running.boot:
            return stored
        if stored.was_ahead:
            return self._seen_now(stored)
        # A machine without a battery shows an old time at first, until it is set.
        shown = self.shown()
        return replace(stored, seconds=-inf) if shown.at < stored.at else shown

    def _seen_now(self, stored: SeenTime) -> SeenTime:
        return replace(stored, seconds=self._running.seconds())
