"""Tasks take turns: nobody's second goes before anybody's first."""

from __future__ import annotations

from threading import Thread

from capsule.bots.fair_queue import FairQueue


def test_everybodys_first_goes_before_anybodys_second() -> None:
    queue: FairQueue[str] = FairQueue()
    for item in ("a1", "a2", "a3", "b1", "c1", "b2"):
        queue.put(item[0], item)
    assert [queue.take() for _ in range(6)] == ["a1", "b1", "c1", "a2", "b2", "a3"]


def test_whoever_was_served_begins_anew() -> None:
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
    waiting.join(10)
    assert taken == [None]
