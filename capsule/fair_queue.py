"""Queues in which owners take turns, however many items each of them has."""

from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterator
from contextlib import contextmanager
from heapq import heappop, heappush
from itertools import count
from threading import Condition, Lock, RLock
from time import monotonic, thread_time
from typing import Generic, TypeVar

Item = TypeVar("Item")


class FairQueue(Generic[Item]):
    """A queue of items with owners: the next item is that of the owners who have had the least.

    What owners have had counts while they are present, and is then forgotten. They are present
    while an item of theirs waits or is being worked on, and from `enter` to `leave`. An owner who
    comes is counted as having had what the owners who are next have had (the virtual time of fair
    queueing), less the `credit`, in seconds: newcomers go first for a little while. Items of the
    same owners keep their order.

    `clock` counts the seconds that a thread spends on an item. By default, it leaves out those for
    which the thread waits. The queue is safe to share between threads.
    """

    def __init__(self, credit: float, clock: Callable[[], float] = thread_time) -> None:
        self._credit = credit
        self._clock = clock
        # What an item's owners have had can only grow while it waits, so that an item is at its
        # place or too far in front, and is put right when it is next.
        self._items: list[tuple[float, int, Collection[Hashable], Item]] = []
        self._order = count()
        self._had: dict[Hashable, float] = {}
        self._presence: Counter[Hashable] = Counter()
        self._now = 0.0
        self._lock = RLock()

    def __len__(self) -> int:
        """Return how many items wait."""
        return len(self._items)

    def enter(self, owners: Collection[Hashable]) -> None:
        """Count owners as present until they `leave` as often as they have entered."""
        with self._lock:
            least = self._now - self._credit
            for owner in owners:
                self._had[owner] = max(self._had.get(owner, least), least)
            self._presence.update(owners)

    def leave(self, owners: Collection[Hashable]) -> None:
        """Forget owners, unless an item of theirs waits or they have entered more than once."""
        with self._lock:
            self._presence.subtract(owners)
            for owner in owners:
                if not self._presence[owner]:
                    del self._had[owner], self._presence[owner]

    def put(self, owners: Collection[Hashable], item: Item) -> None:
        """Queue an item with one or more owners."""
        with self._lock:
            self.enter(owners)
            heappush(self._items, (self._most(owners), next(self._order), owners, item))

    @contextmanager
    def turn(self) -> Iterator[Item]:
        """Remove the next item and give it to the block, whose seconds count for its owners.

        Raises `IndexError` if there is none.
        """
        owners, item = self._pop()
        begun = self._clock()
        try:
            yield item
        finally:
            effort = self._clock() - begun
            with self._lock:
                # Half of what each owner would have had if all were served at once: newcomers go
                # first for up to half of the time, and nobody waits for ever because others come.
                self._now += effort / (2 * len(self._had))
                self._had.update(dict.fromkeys(owners, self._most(owners) + effort))
                self.leave(owners)

    def _pop(self) -> tuple[Collection[Hashable], Item]:
        with self._lock:
            while True:
                had, number, owners, item = heappop(self._items)
                if had >= self._most(owners):
                    self._now = max(self._now, had)
                    return owners, item
                heappush(self._items, (self._most(owners), number, owners, item))

    def _most(self, owners: Collection[Hashable]) -> float:
        return max(self._had[owner] for owner in owners)


class WaitingQueue(Generic[Item]):
    """A fair queue of which threads wait for items, by the seconds that pass for each.

    Of the threads that wait for an item, the thread that took an item last gets it.
    """

    def __init__(self) -> None:
        self._items: FairQueue[Item] = FairQueue(0, monotonic)
        # Items that no thread has gone to fetch yet.
        self._free = 0
        self._lock = Lock()
        self._idle: list[Condition] = []
        self._closed = False

    def put(self, owner: Hashable, item: Item) -> None:
        """Queue an item behind its owner's other waiting items."""
        with self._lock:
            self._items.put((owner,), item)
            self._free += 1
            if self._idle:
                self._idle.pop().notify()

    def serve(self, work: Callable[[Item], object]) -> None:
        """Work on one item after the other, and wait for more, until the queue is closed."""
        while self._wait():
            with self._items.turn() as item:
                work(item)

    def _wait(self) -> bool:
        """Wait until there is an item for this thread; return False if the queue is closed."""
        with self._lock:
            while not self._free and not self._closed:
                self._idle.append(Condition(self._lock))
                self._idle[-1].wait()
            if self._closed:
                return False
            self._free -= 1
            return True

    def close(self) -> None:
        """Close the queue: `serve` returns after its item, and queued items are abandoned."""
        with self._lock:
            self._closed = True
            while self._idle:
                self._idle.pop().notify()
