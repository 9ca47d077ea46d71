"""A clock in doubt ends nothing: no game, no challenge, and no tournament begins by it."""

import logging
from datetime import timedelta

import pytest

from capsule.__main__ import main
from capsule.games import deadlines
from capsule.processes import housekeeping
from capsule.timekeeping.trusted_clock import Doubt
from capsule.timekeeping.watching import watch
from tests.support.client import Client, action, context_of, find_game, link, links
from tests.support.console import Console
from tests.support.crawling import SMALL
from tests.support.query_log import queries_of_page, recorded_queries
from tests.support.stories import ALICE, BOB, CAROL, play, record, start, start_between
from tests.support.tournaments import BEGUN, announce, join
from tests.support.walking import walk

LOG = logging.getLogger("oxonaut.test")
MONTH = timedelta(days=30)
SWEEP = timedelta(seconds=20)


@pytest.fixture
def running(client: Client) -> str:
    """The URL of a game in which bob is to move, for which he has seven days."""
    url = start_between(client, "ultimate")
    play(client, url, ["e5"], ALICE)
    play(client, url, ["d4", "b2"], ALICE, BOB)
    return url


@pytest.fixture
def ahead(client: Client, running: str) -> str:
    """The URL of that game, after the clock has jumped a month ahead, as a sweep has noticed."""
    sweep(client)
    client.jump(MONTH)
    sweep(client)
    return running


def sweep(client: Client, times: int = 1) -> None:
    """Run sweeps in the process that answers."""
    for _ in range(times):
        client.now += SWEEP
        housekeeping.sweep(client.context, LOG)


def status(client: Client, url: str) -> str:
    return record(client, url)["status"]


def stored_status(client: Client, url: str) -> str:
    with client.database.reading() as connection:
        statement = f"SELECT status FROM games WHERE id = '{url.removeprefix('/play/')}'"
        return connection.exec_driver_sql(statement).scalar_one()


def claim_links(client: Client, url: str) -> list[str]:
    return [each for each in links(client.get(url, ALICE)).values() if "/claim" in each]


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
    logged = [each for each in caplog.messages if "The clock shows" in each]
    assert len(logged) == 1, "it is said once"
    assert "2026-12-20 14:02" in logged[0]
    assert "three hours ahead of the machine's running time since 2026-11-20" in logged[0]
    assert "oxonaut admin clock" in logged[0]


def test_nothing_ends_by_a_clock_that_is_behind(
    client: Client, running: str, caplog: pytest.LogCaptureFixture
) -> None:
    client.now += timedelta(days=13)
    sweep(client)
    client.jump(timedelta(days=-3))
    client.now += timedelta(days=2)
    sweep(client)
    assert status(client, running) == stored_status(client, running) == "playing"
    assert "2026-12-02" in caplog.text
    assert "before the newest time seen, 2026-12-03" in caplog.text


def test_a_game_goes_on_meanwhile(client: Client, console: Console, ahead: str) -> None:
    play(client, ahead, ["d5", "a4"], ALICE, BOB)
    page = client.get("/play/", ALICE)
    assert page.startswith("# Your games (1 waiting)\n") or "Waiting for your opponent" in page
    assert status(client, ahead) == "playing"
    console.admin("clock")
    sweep(client)
    assert status(client, ahead) == "playing", "who has moved since has their time"


def test_a_player_who_moves_while_the_clock_is_behind_has_their_time(
    client: Client, running: str
) -> None:
    sweep(client)
    client.jump(timedelta(days=-20))
    sweep(client)
    play(client, running, ["d5", "a4"], ALICE, BOB)
    client.jump(timedelta(days=20))
    sweep(client)
    assert status(client, running) == stored_status(client, running) == "playing"
    assert not claim_links(client, running)


@pytest.mark.parametrize("is_swept", [True, False])
def test_nobody_can_claim_a_game_by_it(
    client: Client, console: Console, running: str, *, is_swept: bool
) -> None:
    sweep(client)
    resign = action(client.get(running, ALICE), "resign")
    client.jump(timedelta(days=8))
    if is_swept:
        sweep(client)
    assert not claim_links(client, running)
    client.ask(resign.replace("/resign", "/claim?claim"), ALICE)
    assert status(client, running) == "playing"
    assert "you may claim" not in client.get("/play/", ALICE)
    assert record(client, running)["status"] == "playing"
    sweep(client)
    console.admin("clock")
    sweep(client)
    client.type(link(client.get(running, ALICE), "/claim"), "claim", ALICE)
    assert status(client, running) == "timed out"


@pytest.mark.parametrize("wrong", [MONTH, timedelta(hours=-2)])
def test_what_could_be_claimed_before_can_not_while_in_doubt(
    client: Client, running: str, wrong: timedelta
) -> None:
    client.now += timedelta(days=8)
    sweep(client)
    claim = link(client.get(running, ALICE), "/claim")
    client.jump(wrong)
    assert not claim_links(client, running)
    assert "you may claim" not in client.get("/play/", ALICE)
    client.ask(f"{claim}?claim", ALICE)
    assert status(client, running) == "playing"
    client.jump(-wrong)
    client.type(link(client.get(running, ALICE), "/claim"), "claim", ALICE)
    assert status(client, running) == "timed out"


def test_the_operator_confirms_it(
    client: Client, console: Console, running: str, caplog: pytest.LogCaptureFixture
) -> None:
    assert console.admin("clock") == (
        "The clock shows 2026-11-20 at 14:02 UTC.\n"
        "It is trusted already: there was nothing to confirm.\n"
    )
    sweep(client)
    client.jump(MONTH)
    sweep(client)
    assert stored_status(client, running) == "playing"
    assert console.admin("clock") == (
        "The clock shows 2026-12-20 at 14:02 UTC.\n"
        "It was in doubt: the newest time seen was 2026-11-20 at 14:02 UTC. It is confirmed now. "
        "Within 20 seconds, games end by it again.\n"
    )
    sweep(client)
    assert stored_status(client, running) == "timed out"
    assert "and is trusted again" in caplog.text
    assert "It is trusted" in console.admin("clock")


def test_time_alone_confirms_nothing(client: Client, running: str) -> None:
    sweep(client)
    client.jump(MONTH)
    for _ in range(3):
        client.now += timedelta(days=10)
        sweep(client)
        assert stored_status(client, running) == "playing"


@pytest.mark.parametrize("is_swept", [True, False])
def test_a_restart_does_not_make_it_right(
    client: Client,
    console: Console,
    running: str,
    caplog: pytest.LogCaptureFixture,
    *,
    is_swept: bool,
) -> None:
    sweep(client)
    client.jump(MONTH)
    if is_swept:
        sweep(client)
    client.restart()
    caplog.clear()
    assert status(client, running) == "playing"
    sweep(client, 2)
    assert stored_status(client, running) == "playing"
    assert caplog.text.count("The clock shows") == 1
    console.admin("clock")
    sweep(client)
    assert stored_status(client, running) == "timed out"


def test_nor_does_restarting_the_machine(client: Client, console: Console, ahead: str) -> None:
    client.reboot()
    sweep(client, 2)
    assert status(client, ahead) == stored_status(client, ahead) == "playing"
    console.admin("clock")
    sweep(client)
    assert stored_status(client, ahead) == "timed out"


def test_a_clock_that_is_set_right_is_followed_again(
    client: Client, console: Console, ahead: str, caplog: pytest.LogCaptureFixture
) -> None:
    client.jump(-MONTH)
    sweep(client)
    assert "and is trusted again" in caplog.text
    assert "It is trusted" in console.admin("clock")
    assert status(client, ahead) == "playing"
    client.now += timedelta(days=14)
    sweep(client)
    assert stored_status(client, ahead) == "timed out"


def test_a_machine_that_was_switched_off_for_weeks_ends_what_is_over(
    client: Client, running: str, caplog: pytest.LogCaptureFixture
) -> None:
    sweep(client)
    client.reboot(off=MONTH)
    assert status(client, running) == "timed out"
    sweep(client)
    assert stored_status(client, running) == "timed out"
    assert "The clock" not in caplog.text


def test_two_processes_and_the_operator_agree(
    client: Client, console: Console, running: str
) -> None:
    """One process sweeps, and another answers; each looks at the clock now and then."""
    sweep(client)
    worker = context_of(client)
    client.jump(MONTH)
    sweep(client)
    watch(worker, LOG)
    for context in (client.context, worker):
        assert context.clock.doubt is Doubt.AHEAD
        assert find_game(context, running.removeprefix("/play/")).is_running
    console.admin("clock")
    watch(worker, LOG)
    assert worker.clock.doubt is None
    assert not find_game(worker, running.removeprefix("/play/")).is_running
    sweep(client)
    assert stored_status(client, running) == "timed out"


def test_the_time_is_stored_once_a_minute_and_no_page_reads_it(
    client: Client, running: str
) -> None:
    sweep(client)
    with recorded_queries(client) as queries:
        sweep(client, 9)
    assert len([each for each in queries if each.sql.startswith("UPDATE clock")]) == 3
    queries = queries_of_page(client, running, BOB)
    assert queries
    assert not [each for each in queries if "clock" in each.sql]


@pytest.mark.slow
@pytest.mark.sqlite
def test_a_game_goes_on_though_the_clock_was_set_back(
    client: Client, capsys: pytest.CaptureFixture[str]
) -> None:
    url = start_between(client, "numeric")
    play(client, url, ["a1=5"], ALICE, BOB)
    client.now -= timedelta(hours=20)
    client.restart()
    deadlines.end_overdue(context_of(client))
    assert record(client, url)["status"] == "playing"
    for _ in walk(client, ALICE, SMALL):
        pass
    play(client, url, ["a2=8", "c1=1", "a3=2"], ALICE, BOB)
    assert record(client, url)["moves"] == ["a1=5", "a2=8", "c1=1", "a3=2"]
    assert record(client, url)["status"] == "finished"
    client.now += timedelta(hours=20)
    assert main(["check", "--home", str(client.home)]) == 0, capsys.readouterr().out
