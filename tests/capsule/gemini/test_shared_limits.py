"""Limits that hold across processes, also when one of them dies in the middle."""

from __future__ import annotations

import os
import signal
import time
from multiprocessing import get_context
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from capsule.gemini.limits import (
    ConnectionLimit,
    RequestLimit,
    TooManyConnections,
    WaitLimit,
)
from capsule.gemini.shared_limits import (
    SETS,
    WAYS,
    SharedLock,
    SharedRequestLimit,
    SharedTally,
    SharedTimes,
    SharedWaitLimit,
    SharedWaits,
)

if TYPE_CHECKING:
    from collections.abc import Callable

# Other tests in this process may have left threads, none of which matters to what is forked here.
pytestmark = pytest.mark.filterwarnings("ignore:This process .* is multi-threaded")


def in_another_process(action: Callable[[], object]) -> None:
    """Do something in a process that has been forked, and wait for its end."""
    process = get_context("fork").Process(target=action)
    process.start()
    process.join()


def test_what_one_process_counts_the_others_see() -> None:
    limit = SharedRequestLimit(2, 3, SharedTimes(os.urandom))
    in_another_process(lambda: [limit.seconds_to_wait("alice", 100.0) for _ in range(2)])
    assert [limit.seconds_to_wait("alice", 100.0) for _ in range(2)] == [0, 1]
    assert limit.seconds_to_wait("bob", 100.0) == 0


@settings(max_examples=30, deadline=None)
@given(
    st.floats(0.1, 50),
    st.integers(1, 20),
    st.lists(st.tuples(st.sampled_from("abc"), st.floats(0, 2), st.booleans()), max_size=50),
)
def test_shared_memory_counts_as_memory_of_ones_own(
    rate: float, burst: int, requests: list[tuple[str, float, bool]]
) -> None:
    shared, own = (
        SharedRequestLimit(rate, burst, SharedTimes(os.urandom)),
        RequestLimit(rate, burst),
    )
    now = 1000.0
    for visitor, pause, comes_to_nothing in requests:
        now += pause
        seconds = shared.seconds_to_wait(visitor, now)
        assert seconds == own.seconds_to_wait(visitor, now)
        if comes_to_nothing and not seconds:
            shared.give_back(visitor)
            own.give_back(visitor)


def test_a_rate_of_nothing_is_no_limit_here_either() -> None:
    limit = SharedRequestLimit(0, 1, SharedTimes(os.urandom))
    assert not any(limit.seconds_to_wait("alice", 0.0) for _ in range(10))
    limit.give_back("alice")


def test_a_crowd_does_not_free_whoever_has_to_wait() -> None:
    limit = SharedRequestLimit(1, 10, SharedTimes(os.urandom))
    while not limit.seconds_to_wait("alice", 0.0):
        pass
    for visitor in range(SETS * WAYS // 4):
        limit.seconds_to_wait(visitor, 0.0)
    assert limit.seconds_to_wait("alice", 0.0) == 1


def test_a_process_that_dies_lets_go_of_its_lock() -> None:
    lock = SharedLock()

    def die() -> None:
        with lock.held():
            os.kill(os.getpid(), signal.SIGKILL)

    in_another_process(die)
    with lock.held():
        pass


def test_no_other_process_holds_the_lock_meanwhile() -> None:
    lock = SharedLock()
    held = get_context("fork").Event()

    def hold() -> None:
        with lock.held():
            held.set()
            time.sleep(0.3)

    process = get_context("fork").Process(target=hold)
    process.start()
    held.wait()
    begun = time.monotonic()
    with lock.held():
        assert time.monotonic() - begun > 0.1
    process.join()


def two_limits(total: int, per_visitor: int) -> list[ConnectionLimit[str]]:
    """Return the limits of two processes, which share a tally."""
    tally = SharedTally(2, os.urandom)
    return [ConnectionLimit(total, per_visitor, tally.of(number)) for number in range(2)]


def test_busy_connections_of_another_process_count() -> None:
    first, second = two_limits(10, 2)
    for connection in ("a", "b"):
        first.enter(connection, "alice")
        first.request_arrived(connection)
    with pytest.raises(TooManyConnections):
        second.enter("c", "alice")
    assert second.enter("c", "bob") is None
    first.leave("a")
    assert second.enter("d", "alice") is None


def test_the_busy_ones_of_all_visitors_count_together() -> None:
    first, second = two_limits(2, 2)
    for connection, visitor in (("a", "alice"), ("b", "bob")):
        first.enter(connection, visitor)
        first.request_arrived(connection)
    with pytest.raises(TooManyConnections):
        second.enter("c", "carol")


@pytest.mark.parametrize(("total", "per_visitor"), [(10, 2), (2, 10)])
def test_a_waiting_one_in_another_process_makes_room_a_little_later(
    total: int, per_visitor: int
) -> None:
    first, second = two_limits(total, per_visitor)
    assert [first.enter(connection, "alice") for connection in ("a", "b")] == [None, None]
    assert first.make_room() == ()
    assert second.enter("c", "alice") is None
    assert first.make_room() == ("a",)
    assert first.make_room() == ()
    assert first.waiting() == ("b",)
    assert second.make_room() == ()


def test_no_more_are_let_in_than_can_be_made_room_for() -> None:
    first, second = two_limits(10, 3)
    for connection in ("a", "b", "c"):
        first.enter(connection, "alice")
    first.request_arrived("a")
    first.request_arrived("b")
    assert second.enter("d", "alice") is None
    # One could go to make room for it; for the next, the last that came to this process goes.
    assert second.enter("e", "alice") == "d"
    assert first.make_room() == ("c",)


def test_what_a_dead_process_had_counted_is_forgotten() -> None:
    tally = SharedTally(2, os.urandom)
    dead = ConnectionLimit[str](3, 2, tally.of(0))
    for connection in ("a", "b"):
        dead.enter(connection, "alice")
        dead.request_arrived(connection)
    living = ConnectionLimit[str](3, 2, tally.of(1))
    living.enter("c", "bob")
    tally.forget(0)
    assert [living.enter(connection, "alice") for connection in ("d", "e")] == [None, None]
    assert tally.of(0).held(None) == 3


def two_waits(waits: int) -> tuple[SharedWaits, list[SharedWaitLimit]]:
    """Return the limits on waits of two processes, and what they share."""
    shared = SharedWaits(2, waits, os.urandom)
    return shared, [SharedWaitLimit(shared, number) for number in range(2)]


def test_whoever_waits_for_one_process_does_not_wait_for_another() -> None:
    _, (first, second) = two_waits(8)
    assert first.begin([7, "address 1"])
    assert not second.begin([7, "address 2"])
    assert not second.begin([8, "address 1"])
    assert second.begin([8, "address 2"])
    first.end([7, "address 1"])
    assert second.begin([7, "address 1"])


def test_so_many_wait_for_each_process() -> None:
    _, (first, second) = two_waits(2)
    assert [first.begin([number]) for number in range(3)] == [True, True, False]
    assert second.begin([3])


def test_a_dead_process_keeps_nobody_from_waiting() -> None:
    shared, (first, second) = two_waits(8)
    assert first.begin([7, "address 1"])
    shared.forget(0)
    assert second.begin([7, "address 1"])


@settings(max_examples=50, deadline=None)
@given(st.lists(st.tuples(st.booleans(), st.sets(st.integers(0, 5), min_size=1, max_size=2))))
def test_shared_waits_are_counted_as_ones_own(steps: list[tuple[bool, set[int]]]) -> None:
    own, shared = WaitLimit(3), two_waits(3)[1][0]
    waiting: list[set[int]] = []
    for begins, owners in steps:
        if begins:
            may_wait = own.begin(owners)
            assert shared.begin(owners) == may_wait
            waiting += [owners] if may_wait else []
        elif waiting:
            ended = waiting.pop(0)
            own.end(ended)
            shared.end(ended)
