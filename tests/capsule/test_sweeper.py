"""The sweep: it ends what is over, is cheap, and goes on."""

import logging
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy import text

from capsule.context import AppContext
from capsule.db.faults import DatabaseUnavailable
from capsule.db.leases import Leases
from capsule.feature import Feature, Step
from capsule.games import deadlines, feature as games
from capsule.processes import housekeeping
from tests.support.client import Client, context_of
from tests.support.query_log import recorded_queries
from tests.support.stories import ALICE, BOB, play, start, start_between
from tests.support.waiting import wait_until

LOG = logging.getLogger("oxonaut.test")


@pytest.fixture
def context(client: Client) -> AppContext:
    return context_of(client)


def status_of(client: Client, url: str) -> str:
    with client.database.reading() as connection:
        return connection.execute(
            text("SELECT status FROM games WHERE id = :id"), {"id": url.removeprefix("/play/")}
        ).scalar_one()


def sharing(context: AppContext, holder: str) -> AppContext:
    """Return the context of a capsule that shares its database with others."""
    return replace(context, leases=Leases(context.database, context.clock, holder))


def with_steps(context: AppContext, steps: Sequence[Step]) -> AppContext:
    """Return the context of a capsule that has one feature, with these steps."""
    return replace(context, features=(Feature(sweep=steps),))


def test_the_thread_ends_what_is_over(
    client: Client, context: AppContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(housekeeping, "SWEEP_SECONDS", 0.01)
    url = start_between(client, "ultimate")
    play(client, url, ["e5", "d4"], ALICE, BOB)
    with housekeeping.sweeping(context, LOG):
        client.now += timedelta(days=14)
        wait_until(lambda: status_of(client, url) == "timed out")


def test_the_thread_goes_on_after_a_failure(
    client: Client,
    context: AppContext,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setattr(housekeeping, "SWEEP_SECONDS", 0.01)
    url = start(client, "tinc", "open")
    calls = []

    def fail_once(context: AppContext) -> int:
        calls.append(context)
        if len(calls) == 1:
            raise OSError("the disk is gone")
        return deadlines.end_overdue(context)

    client.now += timedelta(days=8)
    ((_, failure),) = games.FEATURE.sweep
    steps = ((fail_once, failure),)
    with housekeeping.sweeping(with_steps(context, steps), LOG):
        wait_until(lambda: status_of(client, url) == "aborted")
    assert "Games that are over could not be ended" in caplog.text


@pytest.mark.parametrize(
    ("error", "is_known"),
    [
        (DatabaseUnavailable("The database is being restarted"), True),
        (OSError("a fault of ours"), False),
    ],
)
def test_the_log_has_a_line_where_the_database_is_away_and_a_traceback_of_faults(
    context: AppContext, caplog: pytest.LogCaptureFixture, error: Exception, *, is_known: bool
) -> None:
    def fail(_context: AppContext) -> int:
        raise error

    steps = ((fail, "It failed"),)
    housekeeping.sweep(with_steps(context, steps), LOG)
    (record,) = caplog.records
    reason = f": {error}" if is_known else ""
    assert record.getMessage() == f"It failed{reason}"
    assert (record.exc_info is None) is is_known


def test_of_two_capsules_one_sweeps_and_the_other_takes_over_from_it(
    client: Client, context: AppContext
) -> None:
    swept: list[str] = []
    noting = with_steps(
        context, ((lambda context: swept.append(context.leases.holder), "It failed"),)
    )
    one, other = (sharing(noting, holder) for holder in ("one", "other"))
    for _ in range(3):
        housekeeping.sweep(one, LOG)
        housekeeping.sweep(other, LOG)
        client.now += timedelta(seconds=housekeeping.SWEEP_SECONDS)
    assert swept == ["one"] * 3
    client.now += timedelta(seconds=housekeeping.LEASE_SECONDS)
    housekeeping.sweep(other, LOG)
    housekeeping.sweep(one, LOG)
    assert swept[3:] == ["other"]


def test_a_capsule_that_stops_leaves_the_sweep_to_the_next(
    client: Client, context: AppContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Where the other one was faster at first, it soon gets another chance.
    monkeypatch.setattr(housekeeping, "SWEEP_SECONDS", 0.05)
    other = sharing(context, "other").leases
    with housekeeping.sweeping(sharing(context, "one"), LOG):
        wait_until(lambda: not other.acquire(housekeeping.LEASE, 0))
    assert other.acquire(housekeeping.LEASE, 60)


@pytest.mark.sqlite
def test_a_sweep_reads_no_whole_table(client: Client, context: AppContext) -> None:
    url = start_between(client, "ultimate")
    play(client, url, ["e5", "d4"], ALICE, BOB)
    client.now += timedelta(days=20)
    with recorded_queries(client) as asked:
        assert deadlines.end_overdue(context) == 1
        client.get("/play/", BOB)

    selects = [each for each in asked if each[0].startswith("SELECT")]
    assert selects
    with client.database.reading() as connection:
        for statement, parameters in selects:
            rows = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", parameters)
            plan = [row[3] for row in rows]
            tables = "games", "players", "vacations", "certificates", "x_players", "o_players"
            assert not [step for step in plan if step.startswith("SCAN") and step[5:] in tables], (
                statement,
                plan,
            )
