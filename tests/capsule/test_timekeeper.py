"""The sweep: it ends what is over, is cheap, and goes on."""

from __future__ import annotations

import logging
import time
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import text

from capsule import games, timekeeper
from capsule.timekeeper import Timekeeper
from tests.capsule.client import site_of
from tests.capsule.queries import noted
from tests.capsule.stories import ALICE, BOB, play, start, start_between

if TYPE_CHECKING:
    from capsule.site import Site
    from tests.capsule.client import Client


@pytest.fixture
def site(client: Client) -> Site:
    return site_of(client)


def status_of(client: Client, url: str) -> str:
    with client.store.reading() as connection:
        return connection.execute(
            text("SELECT status FROM games WHERE id = :id"), {"id": url.removeprefix("/play/")}
        ).scalar_one()


def wait_for(client: Client, url: str, status: str) -> None:
    until = time.monotonic() + 30
    while status_of(client, url) != status:
        assert time.monotonic() < until
        time.sleep(0.02)


def test_the_thread_ends_what_is_over(
    client: Client, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(timekeeper, "SWEEP", 0.01)
    url = start_between(client, "ultimate")
    play(client, url, ["e5", "d4"], ALICE, BOB)
    sweeper = Timekeeper(site, logging.getLogger("oxonaut.test"))
    sweeper.start()
    client.now += timedelta(days=14)
    wait_for(client, url, "timed out")
    sweeper.stop()


def test_the_thread_goes_on_after_a_failure(
    client: Client, site: Site, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(timekeeper, "SWEEP", 0.01)
    url = start(client, "tinc", "open")
    sweep = games.end_overdue
    calls = []

    def fail_once(site: Site) -> int:
        calls.append(site)
        if len(calls) == 1:
            raise OSError("the disk is gone")
        return sweep(site)

    monkeypatch.setattr(games, "end_overdue", fail_once)
    client.now += timedelta(days=8)
    sweeper = Timekeeper(site, logging.getLogger("oxonaut.test"))
    sweeper.start()
    wait_for(client, url, "aborted")
    sweeper.stop()
    assert "Games that are over could not be ended" in caplog.text


def test_a_sweep_reads_no_whole_table(client: Client, site: Site) -> None:
    url = start_between(client, "ultimate")
    play(client, url, ["e5", "d4"], ALICE, BOB)
    client.now += timedelta(days=20)
    with noted(client) as asked:
        assert games.end_overdue(site) == 1
        client.get("/play/", BOB)

    selects = [each for each in asked if each[0].startswith("SELECT")]
    assert selects
    with client.store.reading() as connection:
        for statement, parameters in selects:
            rows = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", parameters)
            plan = [row[3] for row in rows]
            tables = "games", "players", "vacations", "certificates", "x_players", "o_players"
            assert not [step for step in plan if step.startswith("SCAN") and step[5:] in tables], (
                statement,
                plan,
            )


def test_many_games_end_in_one_sweep_though_some_are_on_vacation(
    client: Client, site: Site
) -> None:
    urls = [start(client, "tinc", "open") for _ in range(7)]
    away = start_between(client, "ultimate")
    play(client, away, ["e5", "d4"], ALICE, BOB)
    vacation = next(
        line.split()[1] for line in client.get("/play/", ALICE).splitlines() if "/vacation" in line
    )
    client.type(vacation, "9", ALICE)
    client.now += timedelta(days=15)
    assert games.end_overdue(site, most=2) == 7
    assert {status_of(client, url) for url in urls} == {"aborted"}
    assert status_of(client, away) == "playing"
    client.now += timedelta(days=8)
    assert games.end_overdue(site, most=2) == 1
