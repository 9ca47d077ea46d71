"""A jump of the clock, and the timekeeper, who judges no deadline by a clock that has jumped.

A clock that is set ahead by days, by mistake, would end every game. So the timekeeper compares it
with a second one, the system's monotonic clock, which nobody can set and which says only how much
time goes by. While the capsule is switched off it says nothing: that is not taken for a jump.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from enum import Enum, auto
from threading import Lock
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime


JUMP = timedelta(hours=1)
"""A clock that is further ahead than this has jumped."""

PROBATION = timedelta(hours=3)
"""After this time without another jump, a clock is trusted again though nobody has confirmed it."""

COMPARED_OVER = timedelta(seconds=20)
"""The time over which the clocks are compared: one that slowly gains on the other has not jumped.

A clock that is ahead may be set right little by little.
"""


@dataclass(frozen=True, slots=True)
class Suspicion:
    """A jump of the clock that nobody has confirmed.

    It was noticed when the clock said `noticed_at`, and would have said `expected`.
    """

    noticed_at: datetime
    expected: datetime


@dataclass(frozen=True, slots=True)
class StoredClock:
    """What the processes of a capsule tell each other about the clock.

    `confirmed_at` is what it said when a jump was confirmed last, None if none ever was.
    """

    suspicion: Suspicion | None = None
    confirmed_at: datetime | None = None


class Finding(Enum):
    """What the timekeeper has found out."""

    JUMPED = auto()
    """The clock has jumped."""

    LEFT_OVER = auto()
    """It had jumped before this process started."""

    CONFIRMED = auto()
    """The operator, or another process, says that it is right."""

    STEADY = auto()
    """It has not jumped again for a while."""

    SET_RIGHT = auto()
    """It says again what was expected."""


@dataclass(frozen=True, slots=True)
class _Mark:
    """What the two clocks said at the same moment."""

    now: datetime
    seconds: float

    def expected(self, seconds: float) -> datetime:
        return self.now + timedelta(seconds=seconds - self.seconds)


@dataclass(frozen=True, slots=True)
class News:
    """What is new, if anything, and the jump that nobody has confirmed, if there was one."""

    finding: Finding | None
    suspicion: Suspicion | None


class Timekeeper:
    """Says by which time deadlines are judged; threads share it.

    `clock` returns the time, and `monotonic` seconds that never go back. `stored` is what other
    processes knew when this one started.
    """

    def __init__(
        self,
        clock: Callable[[], datetime],
        monotonic: Callable[[], float],
        stored: StoredClock,
    ) -> None:
        self._clock = clock
        self._monotonic = monotonic
        self._lock = Lock()
        seconds = monotonic()
        # The latest comparison of the clocks, and the one before the clock jumped.
        self._mark = _Mark(clock(), seconds)
        self._before = self._mark
        self._steady_since = seconds
        self._suspicion = stored.suspicion
        self._finding: Finding | None = None
        if self._suspicion is not None:
            self._before = _Mark(self._suspicion.expected, seconds)
            self._finding = Finding.LEFT_OVER

    def time(self) -> datetime:
        """Return the time by which deadlines are judged.

        It is what the clock says, unless the clock has jumped: then no more deadlines pass until
        it is trusted again.
        """
        with self._lock:
            now = self._look()
            suspicion = self._suspicion
            return now if suspicion is None else min(now, suspicion.expected)

    def compare(self, stored: StoredClock) -> News:
        """Take note of what is stored, and return what is new, until it is `reported`.

        What others say of a jump counts only if they say it of this one: the processes may be on
        several machines, each with a clock of its own.
        """
        with self._lock:
            now = self._look()
            if self._suspicion is not None and self._is_explained_by(stored.confirmed_at, now):
                self._trust(now, Finding.CONFIRMED)
            return News(self._finding, self._suspicion)

    def reported(self, finding: Finding) -> None:
        """Note that a finding is new no more."""
        with self._lock:
            if finding is self._finding:
                self._finding = None

    def _look(self) -> datetime:
        """Look at both clocks, draw conclusions, and return what the clock says."""
        now, seconds = self._clock(), self._monotonic()
        expected = self._mark.expected(seconds)
        has_jumped = now > expected + JUMP
        if has_jumped:
            self._steady_since = seconds
            if self._suspicion is None:
                self._before = self._mark
                self._suspicion = Suspicion(noticed_at=now, expected=expected)
                self._finding = Finding.JUMPED
        elif self._suspicion is not None:
            if now <= self._before.expected(seconds) + JUMP:
                self._trust(now, Finding.SET_RIGHT)
            elif seconds - self._steady_since >= PROBATION.total_seconds():
                self._trust(now, Finding.STEADY)
        is_old = seconds - self._mark.seconds >= COMPARED_OVER.total_seconds()
        if has_jumped or is_old or now < expected - JUMP:
            self._mark = _Mark(now, seconds)
        return now

    def _trust(self, now: datetime, finding: Finding) -> None:
        self._suspicion = None
        self._mark = _Mark(now, self._monotonic())
        self._finding = finding

    def _is_explained_by(self, confirmed_at: datetime | None, now: datetime) -> bool:
        """Return whether a time was confirmed that the clock can only have reached by its jump."""
        if confirmed_at is None or confirmed_at <= self._before.now + JUMP:
            return False
        went_by = timedelta(seconds=self._monotonic() - self._before.seconds)
        return confirmed_at - JUMP <= now <= confirmed_at + went_by + JUMP
