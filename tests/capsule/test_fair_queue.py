"""Owners take turns, by what each of them has had while present."""

from collections import Counter
from threading import Event, Thread

import pytest
from hypothesis import given, strategies as st

from capsule.fair_queue import FairQueue, WaitingQueue
from tests.support.waiting import PATIENCE, wait_until

CREDIT = 0.1


class Work:
    """Work that takes as long as it says, by a clock to set; `done` is the order of its items."""

    def __init__(self, credit: float = CREDIT) -> None:
        self.now = 0.0
        self.done: list[str] = []
        self.queue: FairQueue[tuple[str, float]] = FairQueue(credit, lambda: self.now)

    def put(self, *items: str, seconds: float) -> None:
        """Queue items that are owned by the letters of their names."""
        for item in items:
            self.queue.put(owners(item), (item, seconds))

    def do(self, count: int) -> str:
        """Do so much of it, and return what was done."""
        before = len(self.done)
        for _ in range(count):
            with self.queue.turn() as (item, seconds):
                self.now += seconds
                self.done.append(item)
        return " ".join(self.done[before:])


def owners(item: str) -> set[str]:
    return {letter for letter in item if letter.isalpha()}


def test_a_thousand_items_delay_another_owner_by_one() -> None:
    work = Work(credit=0)
    work.put(*(f"a{number}" for number in range(1000)), seconds=1)
    work.put("b1", "b2", seconds=1)
    assert work.do(4) == "a0 b1 a1 b2"


def test_a_player_gains_nothing_by_many_addresses() -> None:
    work = Work()
    work.put("pa", "pb", "pc", "pd", "x", seconds=CREDIT)
    assert work.do(3) == "pa x pb"


@pytest.mark.parametrize("order", ["kn", "nk"])
def test_who_was_here_before_waits_as_long_as_who_is_new(order: str) -> None:
    work = Work()
    for number in range(1000):
        work.put(f"k{number}", seconds=CREDIT)
        work.do(1)
    work.put(*(f"{letter}{number}" for number in range(9) for letter in "abc"), seconds=CREDIT)
    work.do(9)
    work.put(*order, seconds=CREDIT / 10)
    assert work.do(2) == " ".join(order)


def test_who_comes_for_once_passes_twenty_who_keep_asking() -> None:
    work = Work()
    everybody = "abcdefghijklmnopqrst"
    work.put(*(f"{letter}{number}" for number in range(99) for letter in everybody), seconds=0.01)
    work.do(20 * 12)
    work.put("z1", "z2", seconds=0.01)
    assert work.do(2) == "z1 z2"


def test_who_has_a_connection_open_gains_nothing_by_a_pause() -> None:
    work = Work()
    work.queue.enter("a")
    work.put(*(f"b{number}" for number in range(99)), seconds=0.01)
    for number in range(40):
        # Between two of these, nothing of a waits.
        work.put(f"a{number}", seconds=0.01)
        work.do(2)
    work.put("z1", "z2", "z3", seconds=0.01)
    work.put("a", seconds=0.01)
    assert work.do(3) == "z1 z2 z3"
    work.queue.leave("a")


def test_nobody_waits_for_ever_because_others_come() -> None:
    work = Work()
    work.put("a1", "a2", seconds=5)
    work.do(1)
    for newcomer in range(1000):
        work.queue.put({newcomer}, ("other", CREDIT / 2))
        if work.do(1) == "a2":
            break
    else:
        pytest.fail("a never had its second turn")


ARRIVALS = st.lists(st.sampled_from("abcde."), min_size=1, max_size=200)
"""Owners who queue an item each, and where there is a point, the next item is done."""


@given(ARRIVALS)
def test_a_newcomer_waits_for_one_item_of_each_other_owner_at_most(arrivals: list[str]) -> None:
    work = Work(credit=0)
    number = 0
    for each in arrivals:
        if each != ".":
            number += 1
            work.put(f"{each}{number}", seconds=1)
        elif work.queue:
            work.do(1)
    work.put("z", seconds=1)
    following = work.do(len(work.queue)).split()
    before = Counter(item[0] for item in following[: following.index("z")])
    assert all(count == 1 for count in before.values())


@given(st.integers(1, 9), st.floats(0, 1))
def test_among_those_who_wait_all_the_time_nobody_has_two_items_more(
    number: int, credit: float
) -> None:
    work = Work(credit)
    present = "abcdefghi"[:number]
    work.put(*(f"{each}{place}" for each in present for place in range(10)), seconds=1)
    had = dict.fromkeys(present, 0)
    for _ in range(10 * number):
        had[work.do(1)[0]] += 1
        assert max(had.values()) - min(had.values()) <= 1


@given(ARRIVALS)
def test_everything_is_done_and_nobody_is_remembered(arrivals: list[str]) -> None:
    work = Work()
    put = [f"{each}{number}" for number, each in enumerate(arrivals) if each != "."]
    work.put(*put, seconds=1)
    work.do(len(put))
    assert sorted(work.done) == sorted(put)
    assert (len(work.queue), work.queue._had, work.queue._presence) == (0, {}, Counter())


def test_an_owner_whose_item_takes_long_waits_behind_others() -> None:
    queue: WaitingQueue[str] = WaitingQueue()
    done: list[str] = []
    is_begun, may_end = Event(), Event()

    def work(item: str) -> None:
        if item == "a1":
            is_begun.set()
            may_end.wait(PATIENCE)
        done.append(item)

    thread = Thread(target=queue.serve, args=(work,))
    queue.put("a", "a1")
    thread.start()
    is_begun.wait(PATIENCE)
    for item in ("a2", "b1", "b2"):
        queue.put(item[0], item)
    may_end.set()
    wait_until(lambda: len(done) == 4)
    queue.close()
    thread.join(PATIENCE)
    assert done.index("b1") < done.index("a2")
