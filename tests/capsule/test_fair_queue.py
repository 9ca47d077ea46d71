"""Owners take turns, by what each of them has had."""

from __future__ import annotations

from functools import partial
from threading import Event, Thread

import pytest

from capsule.fair_queue import CREDIT, MAX_OWNERS, FairQueue, FairWork, WaitingQueue
from tests.support.waiting import PATIENCE, wait_until


def test_everybodys_first_goes_before_anybodys_second() -> None:
    queue: WaitingQueue[str] = WaitingQueue()
    for item in ("a1", "a2", "a3", "b1", "c1", "b2"):
        queue.put(item[0], item)
    assert [queue.take() for _ in range(6)] == ["a1", "b1", "c1", "a2", "b2", "a3"]


def test_an_owner_who_was_served_queues_again() -> None:
    queue: WaitingQueue[str] = WaitingQueue()
    queue.put("a", "a1")
    assert queue.take() == "a1"
    queue.put("b", "b1")
    queue.put("a", "a2")
    queue.put("b", "b2")
    assert [queue.take() for _ in range(3)] == ["b1", "a2", "b2"]


def test_closing_lets_those_go_who_wait() -> None:
    queue: WaitingQueue[str] = WaitingQueue()
    taken: list[str | None] = []
    waiting = Thread(target=lambda: taken.append(queue.take()))
    waiting.start()
    queue.close()
    waiting.join(PATIENCE)
    assert taken == [None]


def test_of_those_who_wait_the_last_one_is_served() -> None:
    queue: WaitingQueue[str] = WaitingQueue()
    served: list[str] = []
    waiting = [Event() for _ in range(3)]

    def serve(number: int) -> None:
        item = "ready"
        while item:
            waiting[number].set()
            item = queue.take() or ""
            served.append(f"{item} {number}")

    threads = [Thread(target=serve, args=(number,)) for number in range(3)]
    for number, thread in enumerate(threads):
        thread.start()
        waiting[number].wait(PATIENCE)
        settled(queue, number + 1)
    for item in "abcdef":
        queue.put("a", item)
        settled(queue, 3)
    queue.close()
    for thread in threads:
        thread.join(PATIENCE)
    assert served[:6] == ["a 2", "b 2", "c 2", "d 2", "e 2", "f 2"]


def test_nothing_is_lost_where_many_take() -> None:
    queue: WaitingQueue[int] = WaitingQueue()
    served: list[int] = []

    def serve() -> None:
        while (item := queue.take()) is not None:
            served.append(item)

    threads = [Thread(target=serve) for _ in range(5)]
    for thread in threads:
        thread.start()
    for item in range(2000):
        queue.put(item % 7, item)
    wait_until(lambda: len(served) == 2000)
    queue.close()
    for thread in threads:
        thread.join(PATIENCE)
    assert sorted(served) == list(range(2000))


def settled(queue: WaitingQueue[str], idle: int) -> None:
    """Wait until this many threads wait for an item."""
    wait_until(lambda: len(queue._idle) == idle)


class Work:
    """Work that takes as long as it says, by a clock to set."""

    def __init__(self) -> None:
        self.now = 0.0
        self.done: list[str] = []
        self.waiting = FairWork(lambda: self.now)

    def put(self, *items: str, seconds: float) -> None:
        """Queue items that are owned by the letters of their names."""
        for item in items:
            owners = {letter for letter in item if letter.isalpha()}
            self.waiting.put(owners, partial(self._do, item, seconds))

    def _do(self, item: str, seconds: float) -> None:
        self.now += seconds
        self.done.append(item)

    def do(self, count: int) -> str:
        """Do so much of it, and return what was done."""
        self.done.clear()
        for _ in range(count):
            self.waiting.do_next()
        return " ".join(self.done)


def test_who_comes_for_once_passes_twenty_who_keep_asking() -> None:
    work = Work()
    everybody = "abcdefghijklmnopqrst"
    for round_number in range(20):
        work.put(*(f"{letter}{round_number}" for letter in everybody), seconds=CREDIT / 4)
        work.do(19)
    work.put(*everybody, seconds=CREDIT / 4)
    work.put("z", "z", seconds=CREDIT / 4)
    assert work.do(2) == "z z"


def test_who_asks_for_little_goes_before_who_asks_for_much() -> None:
    work = Work()
    work.put("a1", "a2", "a3", seconds=2 * CREDIT)
    work.put("b1", "b2", "b3", seconds=CREDIT / 2)
    assert work.do(6) == "a1 b1 b2 b3 a2 a3"


def test_a_player_gains_nothing_by_many_addresses() -> None:
    work = Work()
    work.put("pa", "pb", "pc", "pd", "x", seconds=CREDIT)
    assert work.do(3) == "pa x pb"


def test_nobody_waits_for_ever_because_others_come() -> None:
    work = Work()
    work.put("first", "first", seconds=2 * CREDIT)
    work.do(1)
    for newcomer in range(10_000):
        work.waiting.put({newcomer}, partial(work._do, "other", CREDIT / 2))
        if work.do(1) == "first":
            break
    else:
        raise AssertionError("never")


def test_a_fault_costs_its_owner_as_much_as_a_page() -> None:
    work = Work()

    def fault() -> None:
        work.now += 2 * CREDIT
        raise ValueError

    work.waiting.put({"a"}, fault)
    work.put("a", "b", seconds=CREDIT)
    with pytest.raises(ValueError):  # noqa: PT011 - there is no text
        work.do(1)
    assert work.do(2) == "b a"


def test_not_all_owners_are_remembered_for_ever() -> None:
    queue: FairQueue[int] = FairQueue(credit=1)
    for number in range(MAX_OWNERS + 10):
        queue.put({number}, number)
        queue.count(queue.pop()[0], 1)
    assert len(queue._had) <= MAX_OWNERS
