"""Owners take turns, by what each of them has had."""

from __future__ import annotations

from threading import Event, Thread

import pytest

from capsule.bots.fair_queue import FairQueue, FairTurns
from tests.support.waiting import PATIENCE, wait_until


def test_everybodys_first_goes_before_anybodys_second() -> None:
    queue: FairQueue[str] = FairQueue()
    for item in ("a1", "a2", "a3", "b1", "c1", "b2"):
        queue.put(item[0], item)
    assert [queue.take() for _ in range(6)] == ["a1", "b1", "c1", "a2", "b2", "a3"]


def test_an_owner_who_was_served_queues_again() -> None:
    queue: FairQueue[str] = FairQueue()
    queue.put("a", "a1")
    assert queue.take() == "a1"
    queue.put("b", "b1")
    queue.put("a", "a2")
    queue.put("b", "b2")
    assert [queue.take() for _ in range(3)] == ["b1", "a2", "b2"]


def test_closing_lets_those_go_who_wait() -> None:
    queue: FairQueue[str] = FairQueue()
    taken: list[str | None] = []
    waiting = Thread(target=lambda: taken.append(queue.take()))
    waiting.start()
    queue.close()
    waiting.join(PATIENCE)
    assert taken == [None]


def test_of_those_who_wait_the_last_one_is_served() -> None:
    queue: FairQueue[str] = FairQueue()
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
    queue: FairQueue[int] = FairQueue()
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


def settled(queue: FairQueue[str], idle: int) -> None:
    """Wait until this many threads wait for an item."""
    wait_until(lambda: len(queue._idle) == idle)


def order(*items: str, efforts: dict[str, int] | None = None) -> str:
    """Return the order in which items have their turns, each owned by the letters of its name."""
    turns, waiting, chosen = FairTurns(), list(items), []
    while waiting:
        item = waiting.pop(turns.next([owners(each) for each in waiting]))
        turns.count(owners(item), (efforts or {}).get(item, 1))
        chosen.append(item)
    return " ".join(chosen)


def owners(item: str) -> list[str]:
    return [letter for letter in item if letter.isalpha()]


def test_who_has_had_least_is_next() -> None:
    assert order("a1", "a2", "b1", "b2", "b3", efforts={"a1": 3}) == "a1 b1 b2 b3 a2"


def test_both_owners_have_had_what_their_item_took() -> None:
    assert order("ab", "a", "b", "c", "d") == "ab c d a b"


def test_nobody_waits_for_ever_because_others_come() -> None:
    turns = FairTurns()
    waiting: list[tuple[object]] = [("a",), ("a",)]
    assert turns.next(waiting) == 0
    turns.count(waiting.pop(0), 10)
    for newcomer in range(1, 40):
        waiting.append((newcomer,))
        index = turns.next(waiting)
        if index == 0:
            break
        turns.count(waiting.pop(index), 10)
    else:
        pytest.fail("a never had its second turn")


def test_who_comes_while_somebody_has_it_all_is_next() -> None:
    turns = FairTurns()
    assert turns.next([("a",), ("a",)]) == 0
    turns.count(("a",), 40)
    assert turns.next([("a",), ("b",)]) == 1
