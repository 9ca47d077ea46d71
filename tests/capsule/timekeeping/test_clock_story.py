"""A clock that jumps ends nothing: no game, no challenge, and no tournament begins by it."""

from __future__ import annotations

import logging
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from capsule.sweeper import Sweeper
from tests.support.client import link, links
from tests.support.stories import ALICE, BOB, CAROL, play, record, start, start_between
from tests.support.tournaments import BEGUN, announce, join

if TYPE_CHECKING:
    from tests.support.client import Client
    from tests.support.console import Console

MONTH = timedelta(days=30)
SWEEP = timedelta(seconds=20)


@pytest.fixture
def running(client: Client) -> str:
    """The URL of a game in which bob is to move, for which he has seven days."""
    url = start_between(client, "ultimate")
    play(client, url, ["e5"], ALICE)
    play(client, url, ["d4", "b2"], ALICE, BOB)
    return url


def sweep(client: Client, times: int = 1) -> None:
    """Let sweeps come by, in the process that answers."""
    for _ in range(times):
        client.now += SWEEP
        Sweeper(client.context, logging.getLogger("oxonaut.test")).sweep()


def status(client: Client, url: str) -> str:
    return record(client, url)["status"]


def stored_status(client: Client, url: str) -> str:
    with client.database.reading() as connection:
        statement = f"SELECT status FROM games WHERE id = '{url.removeprefix('/play/')}'"
        return connection.exec_driver_sql(statement).scalar_one()


def test_nothing_ends_by_a_clock_that_has_jumped(
    client: Client, running: str, caplog: pytest.LogCaptureFixture
) -> None:
    open_seat = start(client, "tinc", "open", CAROL)
    page = client.get("/play/new/tinc", CAROL)
    challenge = client.type(link(page, "/challenge"), "alice", CAROL).meta
    tournament = announce(client, "seats=5&starts=3")
    join(client, tournament, BOB, CAROL)
    sweep(client)
    client.jump(MONTH)
    urls = (running, open_seat, challenge)
    before = ("playing", "waiting", "challenged")
    assert tuple(status(client, url) for url in urls) == before, "no page ends it, even at once"
    sweep(client, 2)
    assert tuple(stored_status(client, url) for url in urls) == before
    assert tuple(status(client, url) for url in urls) == before
    assert BEGUN not in client.get(tournament)
    assert "Players: 3 of 5" in client.get(tournament)
    told = [each for each in caplog.messages if "The clock has jumped from" in each]
    assert len(told) == 1, "it is said once"
    assert "2026-11-20 14:02" in told[0]
    assert "2026-12-20 14:02" in told[0]
    assert "oxonaut admin clock" in told[0]


def test_a_game_goes_on_meanwhile(client: Client, running: str) -> None:
    sweep(client)
    client.jump(MONTH)
    sweep(client)
    play(client, running, ["d5", "a4"], ALICE, BOB)
    page = client.get("/play/", ALICE)
    assert page.startswith("# (1) Your games\n") or "Waiting for your opponent" in page
    assert status(client, running) == "playing"
    client.now += timedelta(hours=3)
    sweep(client)
    assert status(client, running) == "playing", "who has moved since has their time"


def test_nobody_can_claim_a_game_by_it(client: Client, running: str) -> None:
    sweep(client)
    resign = link(client.get(running, ALICE), "/resign")
    client.jump(timedelta(days=8))
    assert not [url for url in links(client.get(running, ALICE)).values() if "/claim" in url]
    client.ask(resign.replace("/resign", "/claim?claim"), ALICE)
    assert status(client, running) == "playing"
    assert "you may claim" not in client.get("/play/", ALICE)
    client.now += timedelta(hours=3)
    sweep(client)
    client.type(link(client.get(running, ALICE), "/claim"), "claim", ALICE)
    assert status(client, running) == "timed out"


def test_the_operator_confirms_it(
    client: Client, console: Console, running: str, caplog: pytest.LogCaptureFixture
) -> None:
    assert console.admin("clock") == (
        "The clock says 2026-11-20 at 14:02 UTC.\nIt is trusted: no jump waits to be confirmed.\n"
    )
    sweep(client)
    client.jump(MONTH)
    sweep(client)
    assert stored_status(client, running) == "playing"
    assert console.admin("clock") == (
        "The clock says 2026-12-20 at 14:02 UTC.\n"
        "It had jumped from 2026-11-20 at 14:02 UTC to 2026-12-20 at 14:02 UTC, which is confirmed "
        "now. Within 20 seconds games end by it again.\n"
    )
    sweep(client)
    assert stored_status(client, running) == "timed out"
    assert "is trusted again: it was confirmed" in caplog.text
    assert "no jump waits" in console.admin("clock")


def test_after_three_hours_it_is_believed(
    client: Client, running: str, caplog: pytest.LogCaptureFixture
) -> None:
    sweep(client)
    client.jump(MONTH)
    sweep(client)
    client.now += timedelta(hours=2, minutes=59)
    sweep(client)
    assert stored_status(client, running) == "playing"
    client.now += timedelta(minutes=1)
    sweep(client)
    assert stored_status(client, running) == "timed out"
    assert "is trusted again: it has been steady for three hours" in caplog.text


def test_a_restart_does_not_make_it_right(
    client: Client, console: Console, running: str, caplog: pytest.LogCaptureFixture
) -> None:
    sweep(client)
    client.jump(MONTH)
    sweep(client)
    client.restart()
    caplog.clear()
    assert status(client, running) == "playing"
    sweep(client, 2)
    assert stored_status(client, running) == "playing"
    assert caplog.text.count("The clock has jumped from") == 1
    console.admin("clock")
    sweep(client)
    assert stored_status(client, running) == "timed out"


def test_a_clock_that_is_set_right_is_followed_again(
    client: Client, console: Console, running: str, caplog: pytest.LogCaptureFixture
) -> None:
    sweep(client)
    client.jump(MONTH)
    sweep(client)
    client.jump(-MONTH)
    sweep(client)
    assert "is trusted again: it says what was expected" in caplog.text
    assert "no jump waits" in console.admin("clock")
    assert status(client, running) == "playing"
    client.now += timedelta(days=14)
    sweep(client)
    assert stored_status(client, running) == "timed out"


def test_a_capsule_that_was_switched_off_for_weeks_ends_what_is_over(
    client: Client, running: str, caplog: pytest.LogCaptureFixture
) -> None:
    sweep(client)
    client.database.close()
    # A machine that was off: nothing went by on its monotonic clock.
    client.jump(MONTH)
    client.start()
    sweep(client)
    assert stored_status(client, running) == "timed out"
    assert "The clock" not in caplog.text


def test_a_clock_that_is_set_back_breaks_nothing(
    client: Client, running: str, caplog: pytest.LogCaptureFixture
) -> None:
    sweep(client)
    client.jump(-timedelta(hours=20))
    sweep(client)
    play(client, running, ["d5", "a4"], ALICE, BOB)
    for who in (ALICE, BOB):
        assert client.ask("/play/", who).status == 20
    sweep(client)
    assert stored_status(client, running) == "playing"
    assert not [each for each in caplog.records if each.levelno >= logging.ERROR]
    client.jump(timedelta(hours=20))
    sweep(client)
    client.now += timedelta(hours=3)
    sweep(client)
    assert status(client, running) == "playing"
