"""Leases of work: only one holder at a time, and only for a while."""

import secrets
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from sqlalchemy import text

from capsule.db.leases import Leases, leases_of, new_holder
from tests.support.client import Client


@pytest.fixture
def leases(client: Client) -> tuple[Leases, Leases]:
    one, other = (
        Leases(client.database, lambda: client.now, new_holder(secrets.token_bytes))
        for _ in range(2)
    )
    return one, other


def test_the_first_to_acquire_a_lease_gets_it_and_keeps_it(leases: tuple[Leases, Leases]) -> None:
    one, other = leases
    assert one.acquire("sweep", 60)
    assert not other.acquire("sweep", 60)
    assert one.acquire("sweep", 60)
    assert other.acquire("turn k3x9m2pqrt 12", 60)


def test_a_lease_expires(client: Client, leases: tuple[Leases, Leases]) -> None:
    one, other = leases
    assert one.acquire("sweep", 60)
    client.now += timedelta(seconds=59)
    assert not other.acquire("sweep", 60)
    client.now += timedelta(seconds=1)
    assert other.acquire("sweep", 60)
    assert not one.acquire("sweep", 60)


def test_a_lease_that_is_renewed_in_time_is_kept(
    client: Client, leases: tuple[Leases, Leases]
) -> None:
    one, other = leases
    for _ in range(3):
        assert one.acquire("sweep", 60)
        client.now += timedelta(seconds=40)
        assert not other.acquire("sweep", 60)


def test_a_released_lease_is_free(leases: tuple[Leases, Leases]) -> None:
    one, other = leases
    assert one.acquire("sweep", 60)
    other.release("sweep")
    assert not other.acquire("sweep", 60)
    one.release("sweep")
    assert other.acquire("sweep", 60)
    assert other.acquire("turn k3x9m2pqrt 12", 60)
    other.release_all()
    assert one.acquire("sweep", 60)
    assert one.acquire("turn k3x9m2pqrt 12", 60)


def test_expired_leases_are_deleted(client: Client, leases: tuple[Leases, Leases]) -> None:
    one, other = leases
    one.acquire("turn k3x9m2pqrt 12", 6)
    other.acquire("sweep", 60)
    client.now += timedelta(seconds=10)
    one.expire()
    with client.database.reading() as connection:
        assert connection.execute(text("SELECT name FROM claims")).scalars().all() == ["sweep"]


def test_of_many_simultaneous_attempts_one_succeeds(client: Client) -> None:
    def claims_it(_number: int) -> bool:
        holder = new_holder(secrets.token_bytes)
        return Leases(client.database, lambda: client.now, holder).acquire("sweep", 60)

    with ThreadPoolExecutor(8) as threads:
        assert sum(threads.map(claims_it, range(8))) == 1


@pytest.mark.sqlite
def test_leases_that_nobody_can_contest_are_not_stored(client: Client) -> None:
    leases = leases_of(client.database, lambda: client.now, "the only one")
    assert leases.acquire("sweep", 60)
    assert leases.acquire("turn k3x9m2pqrt 12", 60)
    with client.database.reading() as connection:
        assert connection.execute(text("SELECT count(*) FROM claims")).scalar_one() == 0
    leases.release("sweep")
    leases.release_all()
    leases.expire()
    assert leases.acquire("sweep", 60)
