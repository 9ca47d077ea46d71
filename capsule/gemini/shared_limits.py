"""Limits on visitors that hold across the processes of one machine, in memory that they share.

The memory is made before the processes are forked. Visitors are known in it by keyed hashes, whose
key is not in it. The locks are the system's, which lets go of them when a process ends, however
suddenly; what such a process had counted is taken back by whoever replaces it.
"""

from __future__ import annotations

import fcntl
import hashlib
import mmap
import os
import tempfile
import weakref
from collections import Counter
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Lock
from typing import TYPE_CHECKING

from capsule.gemini.limits import LIVE_READERS, LIVE_READERS_EACH, Allowance

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Hashable, Iterator, Sequence
    from contextlib import AbstractContextManager


SETS = 4096
WAYS = 8
"""A visitor's time is in one of the `WAYS` places of one of the `SETS`, which their hash names."""

WIDTH = 4096
"""Counters in each of the two rows of a tally."""

HASH_BYTES = 8

OWNERS = 2
"""Owners of a wait: a player, for instance, and an address."""


class SharedLock:
    """A lock among processes, and among the threads of each; a process that ends lets go of it."""

    def __init__(self) -> None:
        # The system locks files only; this one has neither a name nor a content.
        with tempfile.TemporaryFile() as file:
            self._file = os.dup(file.fileno())
        weakref.finalize(self, os.close, self._file)
        self._threads = Lock()

    @contextmanager
    def held(self) -> Iterator[None]:
        """Hold the lock."""
        with self._threads:
            fcntl.lockf(self._file, fcntl.LOCK_EX)
            try:
                yield
            finally:
                fcntl.lockf(self._file, fcntl.LOCK_UN)


class SharedTimes:
    """A table of times by visitor, shared by all processes forked after it was made.

    It remembers up to `SETS` times `WAYS` visitors. A new one takes the place of the one with the
    earliest time among those of the same set.
    """

    def __init__(self, random_bytes: Callable[[int], bytes]) -> None:
        size = SETS * WAYS * 8
        self._hashes = memoryview(mmap.mmap(-1, size)).cast("Q")
        self._times = memoryview(mmap.mmap(-1, size)).cast("d")
        self._key = random_bytes(16)
        self._lock = SharedLock()

    @contextmanager
    def at(self, visitor: Hashable) -> Iterator[_Place]:
        """Yield the visitor's place, which no other process changes meanwhile."""
        hashed = _hash(visitor, self._key) or 1
        with self._lock.held():
            first = hashed % SETS * WAYS
            ways = range(first, first + WAYS)
            for index in ways:
                if self._hashes[index] == hashed:
                    break
            else:
                index = min(ways, key=self._times.__getitem__)
                # In this order, a process that is killed in between leaves a time that limits
                # nobody.
                self._times[index] = 0.0
                self._hashes[index] = hashed
            yield _Place(self._times, index)


@dataclass(frozen=True)
class _Place:
    times: memoryview[float]
    index: int

    @property
    def time(self) -> float:
        return self.times[self.index]

    def set(self, time: float) -> None:
        self.times[self.index] = time


class SharedRequestLimit:
    """A limit on each visitor's requests to all processes: see `RequestLimit`."""

    def __init__(self, rate: float, burst: int, times: SharedTimes) -> None:
        self._allowance = Allowance(rate, burst)
        self._times = times

    def seconds_to_wait(self, visitor: Hashable, now: float) -> int:
        """Return 0 and count a visitor's request, or return the whole seconds until it is allowed.

        `now` is in seconds, by a clock that all processes share, and never goes back. A request
        that has to wait is not counted.
        """
        if self._allowance.rate <= 0:
            return 0
        with self._times.at(visitor) as place:
            full_at, seconds = self._allowance.count(place.time, now)
            place.set(full_at)
        return seconds

    def give_back(self, visitor: Hashable) -> None:
        """Count one request less: the last one that was counted has come to nothing."""
        if self._allowance.rate > 0:
            with self._times.at(visitor) as place:
                place.set(place.time - 1 / self._allowance.rate)


class SharedTally:
    """The open connections of several processes, of which each has a number from 0.

    Visitors are counted by hash in two rows of counters; the lower of a visitor's two counts. Two
    visitors are counted as one where both hashes agree, as they do for one pair in 16 million. Each
    process writes its own counters only.
    """

    def __init__(self, processes: int, random_bytes: Callable[[int], bytes]) -> None:
        self.counts = [(_Counts(), _Counts()) for _ in range(processes)]
        self.asked = memoryview(mmap.mmap(-1, processes * _INT)).cast("i")
        self.lock = SharedLock()
        self._key = random_bytes(16)

    def of(self, process: int) -> ProcessTally:
        """Return the tally as one of the processes sees and changes it."""
        return ProcessTally(self, process)

    def forget(self, process: int) -> None:
        """Take back all that a process has counted, after its end."""
        for counts in self.counts[process]:
            counts.clear()

    def indices(self, visitor: Hashable | None) -> Sequence[int]:
        """Return the indices of a visitor's counters."""
        if visitor is None:
            return (0,)
        hashed = _hash(visitor, self._key)
        return 1 + hashed % WIDTH, 1 + WIDTH + hashed // WIDTH % WIDTH


class ProcessTally:
    """The tally that several processes share, from the side of one of them."""

    def __init__(self, shared: SharedTally, process: int) -> None:
        self._shared = shared
        self._process = process

    def unchanging(self) -> AbstractContextManager[None]:
        """Return a context in which no other process changes the tally.

        They may still release what they hold.
        """
        return self._shared.lock.held()

    def held(self, visitor: Hashable | None) -> int:
        """Return the number of open connections of all processes."""
        return self._count(visitor, _HELD)

    def waiting(self, visitor: Hashable | None) -> int:
        """Return the number of connections of all processes without a request so far."""
        return self._count(visitor, _WAITING)

    def _count(self, visitor: Hashable | None, kind: int) -> int:
        return min(
            sum(counts[kind].memory[index] for counts in self._shared.counts)
            for index in self._shared.indices(visitor)
        )

    def add(self, visitor: Hashable, *, held: int = 0, waiting: int = 0) -> None:
        """Change the numbers of a visitor of this process by these amounts."""
        indices = (*self._shared.indices(None), *self._shared.indices(visitor))
        for kind, amount in ((_HELD, held), (_WAITING, waiting)):
            memory = self._shared.counts[self._process][kind].memory
            for index in indices if amount else ():
                memory[index] += amount

    def has_less_than_its_part(self, visitor: Hashable | None) -> bool:
        """Tell whether this process has fewer open connections than others have on average."""
        held = min(
            self._shared.counts[self._process][_HELD].memory[index]
            for index in self._shared.indices(visitor)
        )
        return held * len(self._shared.counts) < self.held(visitor)

    def ask_for_room(self) -> None:
        """Have the other processes close waiting connections beyond the limits."""
        for process in range(len(self._shared.asked)):
            if process != self._process:
                self._shared.asked[process] = 1

    def is_asked_for_room(self) -> bool:
        """Tell whether another process has asked for room since the last call."""
        is_asked = bool(self._shared.asked[self._process])
        self._shared.asked[self._process] = 0
        return is_asked


_HELD, _WAITING = range(2)

_INT = 4


class _Counts:
    """Counters of one process: first the sum of all visitors, then two rows."""

    def __init__(self) -> None:
        self._mapped = mmap.mmap(-1, (1 + 2 * WIDTH) * _INT)
        self.memory = memoryview(self._mapped).cast("i")

    def clear(self) -> None:
        self._mapped[:] = bytes(len(self._mapped))


class SharedWaits:
    """The owners of several processes' waits, of which each process has so many at most.

    One owner has `each` of them at most. Owners are known by their hashes, which each process
    writes in memory of its own.
    """

    def __init__(
        self, processes: int, waits: int, random_bytes: Callable[[int], bytes], each: int = 1
    ) -> None:
        self._mapped = [mmap.mmap(-1, waits * OWNERS * HASH_BYTES) for _ in range(processes)]
        self.owners = [memoryview(mapped).cast("Q") for mapped in self._mapped]
        self.waits = waits
        self.each = each
        self.lock = SharedLock()
        self._key = random_bytes(16)

    def hashed(self, owner: Hashable) -> int:
        """Return an owner's hash, which is never 0."""
        return _hash(owner, self._key) or 1

    def forget(self, process: int) -> None:
        """Take back all that a process has counted, after its end."""
        self._mapped[process][:] = bytes(len(self._mapped[process]))


class SharedWaitLimit:
    """A limit on visitors who wait: see `WaitLimit`. So many may wait for each process."""

    def __init__(self, shared: SharedWaits, process: int) -> None:
        self._shared = shared
        self._own = shared.owners[process]
        self._free = shared.waits

    def begin(self, owners: Collection[Hashable]) -> bool:
        """Count a wait of these owners, unless one has as many already; return whether it may."""
        hashed = {self._shared.hashed(owner) for owner in owners}
        with self._shared.lock.held():
            waiting = Counter(owner for each in self._shared.owners for owner in each)
            if self._free == 0 or any(waiting[owner] >= self._shared.each for owner in hashed):
                return False
            self._free -= 1
            places = (place for place, owner in enumerate(self._own) if not owner)
            for owner, place in zip(hashed, places, strict=False):
                self._own[place] = owner
            return True

    def end(self, owners: Collection[Hashable]) -> None:
        """Forget a wait that has begun."""
        hashed = {self._shared.hashed(owner) for owner in owners}
        self._free += 1
        for place, owner in enumerate(self._own):
            if owner in hashed:
                hashed.remove(owner)
                self._own[place] = 0


@dataclass(frozen=True)
class SharedLimits:
    """What several processes, of which each has a number from 0, count together."""

    requests: SharedTimes
    newcomers: SharedTimes
    tally: SharedTally
    waits: SharedWaits
    live: SharedWaits

    @classmethod
    def of_processes(
        cls, processes: int, waits: int, random_bytes: Callable[[int], bytes]
    ) -> SharedLimits:
        """Return the limits of so many processes, for each of which so many visitors may wait.

        `random_bytes` returns unguessable bytes.
        """
        return cls(
            SharedTimes(random_bytes),
            SharedTimes(random_bytes),
            SharedTally(processes, random_bytes),
            SharedWaits(processes, waits, random_bytes),
            SharedWaits(processes, LIVE_READERS, random_bytes, LIVE_READERS_EACH),
        )

    def forget(self, process: int) -> None:
        """Take back all that a process has counted, after its end."""
        self.tally.forget(process)
        self.waits.forget(process)
        self.live.forget(process)

    def of(self, process: int) -> ProcessLimits:
        """Return the limits from the side of one of the processes."""
        return ProcessLimits(
            self.requests,
            self.newcomers,
            self.tally.of(process),
            SharedWaitLimit(self.waits, process),
            SharedWaitLimit(self.live, process),
        )


@dataclass(frozen=True)
class ProcessLimits:
    """What several processes count together, from the side of one of them."""

    requests: SharedTimes
    newcomers: SharedTimes
    tally: ProcessTally
    waits: SharedWaitLimit
    live: SharedWaitLimit


def _hash(visitor: Hashable, key: bytes) -> int:
    digest = hashlib.blake2b(repr(visitor).encode(), digest_size=HASH_BYTES, key=key).digest()
    return int.from_bytes(digest)
