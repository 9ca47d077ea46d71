"""Turns on the reactor's thread and on those that make pages, by a clock that is set."""

from collections.abc import Callable
from functools import partial
from typing import Any

from capsule.gemini.tls import ReactorTurns, ThreadTurns

ADDRESSES = [f"192.0.2.{number}" for number in range(20)]


class Reactor:
    """A reactor whose rounds come when a test says so."""

    def __init__(self) -> None:
        self._later: list[Callable[[], None]] = []

    def later(self, act: Callable[[], None]) -> None:
        self._later.append(act)

    def go_round(self) -> None:
        now, self._later = self._later, []
        for act in now:
            act()


class Threads:
    """A pool whose threads are called when a test says so."""

    def __init__(self) -> None:
        self.waiting: list[Callable[[], None]] = []

    def callInThread(self, act: Callable[[], None]) -> None:  # noqa: N802 - Twisted's name
        self.waiting.append(act)

    def work(self) -> None:
        self.waiting.pop(0)()


def test_another_visitor_is_next_however_many_ask_in_closed_loops() -> None:
    reactor, done = Reactor(), list[str]()
    turns = ReactorTurns(reactor.later)

    def ask(address: str) -> None:
        done.append(address)
        # The next connection is there at once.
        turns.put(address, partial(ask, address))

    for address in ADDRESSES:
        turns.put(address, partial(ask, address))
    for _ in range(400):
        reactor.go_round()
    done.clear()
    turns.put("198.51.100.1", partial(done.append, "198.51.100.1"))
    reactor.go_round()
    assert done == ["198.51.100.1"]


def test_between_two_visitors_the_reactor_looks_for_others() -> None:
    reactor, done = Reactor(), list[int]()
    turns = ReactorTurns(reactor.later)
    for number in range(3):
        turns.put(number, partial(done.append, number))
    rounds = []
    for _ in range(4):
        reactor.go_round()
        rounds.append(len(done))
    assert rounds == [1, 2, 3, 3]


def test_a_fault_keeps_nobody_else_waiting() -> None:
    reactor, done = Reactor(), list[str]()
    turns = ReactorTurns(reactor.later)
    turns.put("a", partial(int, "no number"))
    turns.put("b", partial(done.append, "b"))
    for _ in range(2):
        try:
            reactor.go_round()
        except ValueError:
            # A reactor would log it.
            done.append("fault")
    assert done == ["fault", "b"]


def test_a_page_waits_for_no_more_than_the_one_that_is_being_made() -> None:
    pool: Any = Threads()
    turns, made = ThreadTurns(pool), list[tuple[str, int]]()

    def make(address: str, number: int) -> None:
        made.append((address, number))
        # So that everybody has had something, by the processor's time.
        sum(range(10_000))

    for number in range(20):
        for address in ADDRESSES:
            turns.put({address, "one player"}, partial(make, address, number))
    pool.work()
    made.clear()
    turns.put({"198.51.100.1"}, partial(make, "198.51.100.1", 0))
    pool.work()
    assert made == [("198.51.100.1", 0)]
