"""Queues in which owners take turns, however many items each of them has."""

from __future__ import annotations

from collections import OrderedDict
from heapq import heappop, heappush
from itertools import count
from threading import Condition, Lock
from time import thread_time
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Hashable

Item = TypeVar("Item")

CREDIT = 0.1
"""Seconds of work by which somebody who has had little goes before the others: some pages made."""

MAX_OWNERS = 10_000
"""Owners whose efforts are remembered; the one who queued least recently is forgotten first."""

AGEING = 0.001
"""Part of each effort by which those who have had less are counted as having had more."""


class FairQueue(Generic[Item]):
    """A queue of items with owners: the next item is that of the owners who have had the least.

    Somebody who has had little goes first, but is counted as having had what the next in line has
    had, less the `credit`; and this grows a little with each item, so that nobody waits for ever
    because others come. Items of the same owners keep their order. Safe to share between threads.
    """

    def __init__(self, credit: float) -> None:
        self._credit = credit
        # What an item's owners have had can only grow, so that an item is at its place or too far
        # in front, and is put right when it is next.
        self._items: list[tuple[float, int, Collection[Hashable], Item]] = []
        self._order = count()
        self._had: OrderedDict[Hashable, float] = OrderedDict()
        self._now = 0.0
        self._lock = Lock()

    def __len__(self) -> int:
        return len(self._items)

    def put(self, owners: Collection[Hashable], item: Item) -> None:
        """Queue an item."""
        with self._lock:
            for owner in owners:
                self._had[owner] = max(self._now - self._credit, self._had.pop(owner, 0.0))
            while len(self._had) > MAX_OWNERS:
                self._had.popitem(last=False)
            heappush(self._items, (self._most(owners), next(self._order), owners, item))

    def pop(self) -> tuple[Collection[Hashable], Item]:
        """Remove the next item and return it with its owners.

        Raises `IndexError` if there is none.
        """
        with self._lock:
            while True:
                had, number, owners, item = heappop(self._items)
                if had >= self._most(owners):
                    self._now = max(self._now, had)
                    return owners, item
                heappush(self._items, (self._most(owners), number, owners, item))

    def count(self, owners: Collection[Hashable], effort: float) -> None:
        """Count the effort that an item has cost to its owners."""
        with self._lock:
            had = self._most(owners) + effort
            self._had.update(dict.fromkeys(owners, had))
            self._now += AGEING * effort

    def _most(self, owners: Collection[Hashable]) -> float:
        return max(self._had.get(owner, 0.0) for owner in owners)


class FairWork:
    """Work that is done in turns of its owners, by the seconds that each of them has had.

    `clock` counts the seconds for which a thread has worked, without those for which it has waited.
    """

    def __init__(self, clock: Callable[[], float] = thread_time) -> None:
        self._clock = clock
        self._queue: FairQueue[Callable[[], object]] = FairQueue(CREDIT)

    def __len__(self) -> int:
        return len(self._queue)

    def put(self, owners: Collection[Hashable], work: Callable[[], object]) -> None:
        """Have work done when it is its owners' turn."""
        self._queue.put(owners, work)

    def do_next(self) -> None:
        """Do the work that is next; raises `IndexError` if there is none, and the work's errors."""
        owners, work = self._queue.pop()
        begun = self._clock()
        try:
            work()
        finally:
            self._queue.count(owners, self._clock() - begun)


class WaitingQueue(Generic[Item]):
    """A fair queue of which threads wait for items.

    Of the threads that wait for an item, it goes to the one that took an item last.
    """

    def __init__(self) -> None:
        self._items: FairQueue[Item] = FairQueue(credit=1)
        self._lock = Lock()
        self._idle: list[Condition] = []
        self._closed = False

    def put(self, owner: Hashable, item: Item) -> None:
        """Queue an item behind its owner's other waiting items."""
        with self._lock:
            self._items.put((owner,), item)
            if self._idle:
                self._idle.pop().notify()

    def take(self) -> Item | None:
        """Wait for the next item and return it; return None once the queue is closed."""
        with self._lock:
            while not self._items and not self._closed:
                self._idle.append(Condition(self._lock))
                self._idle[-1].wait()
            if self._closed:
                return None
            owners, item = self._items.pop()
            self._items.count(owners, 1)
            return item

    def close(self) -> None:
        """Close the queue: threads waiting in `take` return, and queued items are abandoned."""
        with self._lock:
            self._closed = True
            while self._idle:
                self._idle.pop().notify()
