"""Claims on work: only one holder at a time, and only for a while."""

import secrets
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from sqlalchemy import text

from capsule.db.claims import StoredClaims, UncontestedClaims, claims_of, new_holder
from tests.support.client import Client


@pytest.fixture
def claims(client: Client) -> tuple[StoredClaims, StoredClaims]:
    one, other = (
        StoredClaims(client.database, lambda: client.now, new_holder(secrets.token_bytes))
        for _ in range(2)
    )
    return one, other


def test_the_first_to_claim_gets_it_and_keeps_it(claims: tuple[StoredClaims, StoredClaims]) -> None:
    one, other = claims
    assert one.claim("sweep", 60)
    assert not other.claim("sweep", 60)
    assert one.claim("sweep", 60)
    assert other.claim("turn k3x9m2pqrt 12", 60)


def test_a_claim_lapses(client: Client, claims: tuple[StoredClaims, StoredClaims]) -> None:
    one, other = claims
    assert one.claim("sweep", 60)
    client.now += timedelta(seconds=59)
    assert not other.claim("sweep", 60)
    client.now += timedelta(seconds=1)
    assert other.claim("sweep", 60)
    assert not one.claim("sweep", 60)


def test_a_claim_that_is_renewed_in_time_is_kept(
    client: Client, claims: tuple[StoredClaims, StoredClaims]
) -> None:
    one, other = claims
    for _ in range(3):
        assert one.claim("sweep", 60)
        client.now += timedelta(seconds=40)
        assert not other.claim("sweep", 60)


def test_a_released_claim_is_free(claims: tuple[StoredClaims, StoredClaims]) -> None:
    one, other = claims
    assert one.claim("sweep", 60)
    other.release("sweep")
    assert not other.claim("sweep", 60)
    one.release("sweep")
    assert other.claim("sweep", 60)
    assert other.claim("turn k3x9m2pqrt 12", 60)
    other.release_all()
    assert one.claim("sweep", 60)
    assert one.claim("turn k3x9m2pqrt 12", 60)


def test_lapsed_claims_are_deleted(
    client: Client, claims: tuple[StoredClaims, StoredClaims]
) -> None:
    one, other = claims
    one.claim("turn k3x9m2pqrt 12", 6)
    other.claim("sweep", 60)
    client.now += timedelta(seconds=10)
    one.forget_lapsed()
    with client.database.reading() as connection:
        assert connection.execute(text("SELECT name FROM claims")).scalars().all() == ["sweep"]


def test_of_many_simultaneous_claims_one_succeeds(client: Client) -> None:
    def claims_it(_number: int) -> bool:
        holder = new_holder(secrets.token_bytes)
        return StoredClaims(client.database, lambda: client.now, holder).claim("sweep", 60)

    with ThreadPoolExecutor(8) as threads:
        assert sum(threads.map(claims_it, range(8))) == 1


@pytest.mark.sqlite
def test_claims_that_nobody_can_contest_are_not_stored(client: Client) -> None:
    claims = claims_of(client.database, lambda: client.now, "the only one")
    assert isinstance(claims, UncontestedClaims)
    assert claims.claim("sweep", 60)
    assert claims.claim("turn k3x9m2pqrt 12", 60)
    with client.database.reading() as connection:
        assert connection.execute(text("SELECT count(*) FROM claims")).scalar_one() == 0
    claims.release("sweep")
    claims.release_all()
    claims.forget_lapsed()
    assert claims.claim("sweep", 60)
