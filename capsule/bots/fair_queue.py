"""A queue in which owners take turns, however many items each of them has."""

from __future__ import annotations

import heapq
from collections import Counter
from dataclasses import dataclass, field
from itertools import count
from threading import Condition
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

    Safe to share between threads.
    """

    def __init__(self) -> None:
        self._heap: list[_Queued[Item]] = []
        self._waiting: Counter[object] = Counter()
        self._order = count()
        self._changed = Condition()
        self._closed = False

    def put(self, owner: object, item: Item) -> None:
        """Queue an item behind its owner's other waiting items."""
        with self._changed:
            turn = self._waiting[owner]
            self._waiting[owner] += 1
            heapq.heappush(self._heap, _Queued(turn, next(self._order), owner, item))
            self._changed.notify()

    def take(self) -> Item | None:
        """Wait for the next item and return it; return None once the queue is closed."""
        with self._changed:
            while not self._heap and not self._closed:
                self._changed.wait()
            if self._closed:
                return None
            queued = heapq.heappop(self._heap)
            self._waiting[queued.owner] -= 1
            if not self._waiting[queued.owner]:
                del self._waiting[queued.owner]
            return queued.item

    def close(self) -> None:
        """Close the queue: threads waiting in `take` return, and queued items are abandoned."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
