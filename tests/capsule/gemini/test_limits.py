"""Limits on one visitor's requests and open connections."""

import hashlib
import re
from ipaddress import ip_address

import pytest
from hypothesis import given, strategies as st

from capsule.gemini.limits import (
    IDLE_SECONDS,
    ConnectionLimit,
    RequestLimit,
    Stage,
    TooManyConnections,
    opaque_key,
    rate_limit_key,
)

NOW = 1000.0
LATER = NOW + IDLE_SECONDS


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("192.0.2.1", "192.0.2.1"),
        ("192.0.2.1", "::ffff:192.0.2.1"),
        ("2001:db8:1:2::1", "2001:db8:1:2:ffff:ffff:ffff:ffff"),
        ("fe80::1%eth0", "fe80::2"),
    ],
)
def test_one_visitor_may_have_several_addresses(one: str, other: str) -> None:
    assert rate_limit_key(one) == rate_limit_key(other)
    assert opaque_key(one) == opaque_key(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("192.0.2.1", "192.0.2.2"),
        ("::ffff:192.0.2.1", "::ffff:192.0.2.2"),
        ("2001:db8:1:2::1", "2001:db8:1:3::1"),
        ("::1", "127.0.0.1"),
        ("0.0.0.1", "0:0:0:1::"),
        ("not an address", "another"),
    ],
)
def test_other_networks_are_other_visitors(one: str, other: str) -> None:
    assert rate_limit_key(one) != rate_limit_key(other)
    assert opaque_key(one) != opaque_key(other)


@pytest.mark.parametrize("host", ["192.0.2.1", "2001:db8:1:2::1"])
def test_an_opaque_key_does_not_reveal_the_address(host: str) -> None:
    assert re.fullmatch("[0-9a-f]{32}", opaque_key(host))
    address = ip_address(host)
    for spelling in (host, address.packed.hex(), f"{int(address):x}", str(int(address))):
        assert spelling not in opaque_key(host)
    guess = hashlib.blake2b(str(rate_limit_key(host)).encode(), digest_size=16).hexdigest()
    assert opaque_key(host) != guess, "it takes this process's secret to make it"


def test_a_burst_is_allowed_and_then_one_request_at_a_time() -> None:
    limit = RequestLimit(rate=2, burst=3)
    assert [limit.seconds_to_wait("alice", 100.0) for _ in range(4)] == [0, 0, 0, 1]
    assert limit.seconds_to_wait("alice", 100.4) == 1
    assert limit.seconds_to_wait("alice", 100.5) == 0
    assert limit.seconds_to_wait("alice", 100.5) == 1


def test_a_rest_earns_a_whole_burst_and_no_more() -> None:
    limit = RequestLimit(rate=2, burst=3)
    for now in (0.0, 1000.0):
        assert [limit.seconds_to_wait("alice", now) for _ in range(4)] == [0, 0, 0, 1]


def test_the_seconds_to_wait_are_enough() -> None:
    limit = RequestLimit(rate=0.1, burst=1)
    assert limit.seconds_to_wait("alice", 0.0) == 0
    assert limit.seconds_to_wait("alice", 0.5) == 10
    assert limit.seconds_to_wait("alice", 9.9) == 1
    assert limit.seconds_to_wait("alice", 10.0) == 0


def test_requests_that_are_turned_away_cost_nothing() -> None:
    limit = RequestLimit(rate=1, burst=1)
    assert limit.seconds_to_wait("alice", 0.0) == 0
    assert all(limit.seconds_to_wait("alice", 0.5) == 1 for _ in range(100))
    assert limit.seconds_to_wait("alice", 1.0) == 0


def test_visitors_do_not_share_a_limit() -> None:
    limit = RequestLimit(rate=1, burst=1)
    assert limit.seconds_to_wait("alice", 0.0) == 0
    assert limit.seconds_to_wait("bob", 0.0) == 0
    assert limit.seconds_to_wait("alice", 0.0) == 1


def test_a_rate_of_nothing_is_no_limit() -> None:
    limit = RequestLimit(rate=0, burst=1)
    assert not any(limit.seconds_to_wait("alice", 0.0) for _ in range(1000))


def test_only_so_many_visitors_are_remembered() -> None:
    limit = RequestLimit(rate=1, burst=1, max_visitors=2)
    assert limit.seconds_to_wait("alice", 0.0) == 0
    assert limit.seconds_to_wait("bob", 0.1) == 0
    assert limit.seconds_to_wait("carol", 0.2) == 0
    assert limit.seconds_to_wait("bob", 0.3) == 1
    assert limit.seconds_to_wait("carol", 0.3) == 1
    assert limit.seconds_to_wait("alice", 0.3) == 0


@given(
    rate=st.integers(1, 50),
    burst=st.integers(1, 20),
    pauses=st.lists(st.floats(0, 2), max_size=200),
)
def test_no_pattern_of_requests_gets_more_than_burst_and_rate_allow(
    rate: int, burst: int, pauses: list[float]
) -> None:
    limit = RequestLimit(rate, burst)
    now = 0.0
    made = 0
    for pause in pauses:
        now += pause
        made += limit.seconds_to_wait("alice", now) == 0
    assert made <= burst + rate * now + 0.01


def test_a_visitor_with_too_many_connections_gives_up_the_oldest() -> None:
    limit: ConnectionLimit[str] = ConnectionLimit(total=10, per_visitor=2, held_back_per_visitor=1)
    limit.enter("bobs", "bob", NOW)
    limit.enter("first", "alice", NOW)
    limit.enter("second", "alice", NOW)
    assert limit.enter("third", "alice", LATER) == "first"
    assert limit.enter("fourth", "alice", LATER) == "second"
    assert limit.waiting() == ("bobs", "third", "fourth")


def test_a_visitor_with_too_many_connections_at_once_keeps_those_that_came_first() -> None:
    limit: ConnectionLimit[str] = ConnectionLimit(total=10, per_visitor=2, held_back_per_visitor=1)
    limit.enter("first", "alice", NOW)
    limit.enter("second", "alice", NOW)
    with pytest.raises(TooManyConnections):
        limit.enter("third", "alice", NOW)
    assert limit.waiting() == ("first", "second")


def test_a_full_house_gives_up_the_one_who_has_waited_longest() -> None:
    limit: ConnectionLimit[str] = ConnectionLimit(total=2, per_visitor=2, held_back_per_visitor=1)
    limit.enter("alices", "alice", NOW)
    limit.enter("bobs", "bob", NOW)
    assert limit.enter("carols", "carol", NOW) == "alices"
    assert limit.waiting() == ("bobs", "carols")


def test_a_connection_that_has_asked_keeps_its_place() -> None:
    limit: ConnectionLimit[str] = ConnectionLimit(total=2, per_visitor=2, held_back_per_visitor=1)
    limit.enter("alices", "alice", NOW)
    limit.enter("bobs", "bob", NOW)
    limit.reach("alices", Stage.PROCESSING)
    assert limit.enter("carols", "carol", NOW) == "bobs"


def test_who_has_been_answered_gives_way_first_and_then_who_is_held_back() -> None:
    limit: ConnectionLimit[str] = ConnectionLimit(total=4, per_visitor=4, held_back_per_visitor=1)
    for name, stage in (
        ("waits", Stage.WAITING),
        ("held back", Stage.THROTTLED),
        ("is owed", Stage.PROCESSING),
        ("was answered", Stage.ANSWERED),
    ):
        limit.enter(name, name, NOW)
        limit.reach(name, stage)
    assert [limit.enter(f"new {number}", number, NOW) for number in range(3)] == [
        "was answered",
        "held back",
        "waits",
    ]


def test_a_visitor_whose_own_limit_is_reached_gives_way_to_themselves_alone() -> None:
    limit: ConnectionLimit[str] = ConnectionLimit(total=10, per_visitor=2, held_back_per_visitor=1)
    limit.enter("bobs", "bob", NOW)
    limit.reach("bobs", Stage.ANSWERED)
    limit.enter("first", "alice", NOW)
    limit.enter("second", "alice", NOW)
    limit.reach("second", Stage.ANSWERED)
    assert limit.enter("third", "alice", NOW) == "second"


def test_who_is_held_back_often_enough_does_not_come_in() -> None:
    limit: ConnectionLimit[str] = ConnectionLimit(total=10, per_visitor=10, held_back_per_visitor=2)
    for name in ("first", "second"):
        limit.enter(name, "alice", NOW)
        limit.reach(name, Stage.THROTTLED)
    with pytest.raises(TooManyConnections):
        limit.enter("third", "alice", NOW)
    assert limit.enter("bobs", "bob", NOW) is None
    limit.reach("first", Stage.ANSWERED)
    assert limit.enter("fourth", "alice", NOW) is None


def test_nobody_comes_in_when_all_are_being_answered() -> None:
    limit: ConnectionLimit[str] = ConnectionLimit(total=3, per_visitor=1, held_back_per_visitor=1)
    limit.enter("alices", "alice", NOW)
    limit.reach("alices", Stage.PROCESSING)
    with pytest.raises(TooManyConnections):
        limit.enter("another", "alice", NOW)
    for name in ("bob", "carol"):
        limit.enter(name, name, NOW)
        limit.reach(name, Stage.PROCESSING)
    with pytest.raises(TooManyConnections):
        limit.enter("daves", "dave", NOW)
    assert len(limit) == 3
