"""A queue in which everybody's tasks take turns."""

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
    place: int
    order: int
    owner: object = field(compare=False)
    item: Item = field(compare=False)


class FairQueue(Generic[Item]):
    """Items, each somebody's: the first of everybody's goes before the second of anybody's.

    Safe to share between threads.
    """

    def __init__(self) -> None:
        self._heap: list[_Queued[Item]] = []
        self._waiting: Counter[object] = Counter()
        self._order = count()
        self._changed = Condition()
        self._closed = False

    def put(self, owner: object, item: Item) -> None:
        """Queue an item behind those that its owner has waiting."""
        with self._changed:
            place = self._waiting[owner]
            self._waiting[owner] += 1
            heapq.heappush(self._heap, _Queued(place, next(self._order), owner, item))
            self._changed.notify()

    def take(self) -> Item | None:
        """Return the next item, as soon as there is one; None once the queue is closed."""
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
        """Let everybody go who waits for an item; what is queued stays undone."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
