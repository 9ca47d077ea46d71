"""A queue in which owners take turns, however many items each of them has."""

from __future__ import annotations

import heapq
from collections import Counter
from dataclasses import dataclass, field
from itertools import count
from threading import Condition, Lock
from typing import Generic, TypeVar

Item = TypeVar("Item")


@dataclass(order=True)
class _Queued(Generic[Item]):
    turn: int
    order: int
    owner: object = field(compare=False)
    item: Item = field(compare=False)


class FairQueue(Generic[Item]):
    """A queue of items with owners: every owner's first item precedes any owner's second.

    Safe to share between threads. Of those that wait for an item, it goes to whoever took one last.
    """

    def __init__(self) -> None:
        self._heap: list[_Queued[Item]] = []
        self._waiting: Counter[object] = Counter()
        self._order = count()
        self._lock = Lock()
        self._idle: list[Condition] = []
        self._closed = False

    def put(self, owner: object, item: Item) -> None:
        """Queue an item behind its owner's other waiting items."""
        with self._lock:
            turn = self._waiting[owner]
            self._waiting[owner] += 1
            heapq.heappush(self._heap, _Queued(turn, next(self._order), owner, item))
            if self._idle:
                self._idle.pop().notify()

    def take(self) -> Item | None:
        """Wait for the next item and return it; return None once the queue is closed."""
        with self._lock:
            while not self._heap and not self._closed:
                self._idle.append(Condition(self._lock))
                self._idle[-1].wait()
            if self._closed:
                return None
            queued = heapq.heappop(self._heap)
            self._waiting[queued.owner] -= 1
            if not self._waiting[queued.owner]:
                del self._waiting[queued.owner]
            return queued.item

    def close(self) -> None:
        """Close the queue: threads waiting in `take` return, and queued items are abandoned."""
        with self._lock:
            self._closed = True
            while self._idle:
                self._idle.pop().notify()
