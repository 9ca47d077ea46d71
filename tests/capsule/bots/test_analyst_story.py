"""Analyses are made in turns of those who played, and no game keeps others from theirs."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from threading import Event
from typing import Any

import pytest

from capsule.bots import pool
from capsule.db.leases import Leases
from tests.support.client import Client, context_of
from tests.support.stored import change_row, long_game
from tests.support.stories import ALICE, BOB, CAROL, play, start_between
from tests.support.thinking import Minds
from tests.support.tournaments import resign
from tests.support.waiting import wait_until

LONG = 40
"""Moves of a long game."""


class Scribe:
    """Takes down what it is asked to analyse, instead of thinking about it."""

    def __init__(self) -> None:
        self.asked: list[dict[str, Any]] = []
        self.answer: Callable[[dict[str, Any]], dict[str, Any]] = lambda _: {"analysis": "{}"}

    def ask(self, task: dict[str, Any], _limit: float) -> dict[str, Any]:
        self.asked.append(task)
        return self.answer(task)

    def shut_down(self) -> None:
        """Do nothing: there is nothing to stop."""

    end = shut_down


@pytest.fixture
def scribe(monkeypatch: pytest.MonkeyPatch) -> Scribe:
    made = Scribe()
    monkeypatch.setattr(pool, "_worker", lambda: made)
    return made


def let_analyse(client: Client) -> None:
    """Let a process of the capsule analyse games until none is due."""
    with Minds(processes=0) as minds:
        minds(context_of(client))
        wait_until(lambda: not due(client))


def due(client: Client) -> int:
    with client.database.reading() as connection:
        statement = "SELECT count(*) FROM games WHERE analysis_due"
        return connection.exec_driver_sql(statement).scalar_one()


def given_up(client: Client, url: str, who: object) -> str:
    """Let somebody give up a game, a minute after the last event, and return its URL."""
    client.now += timedelta(minutes=1)
    resign(client, url, who)
    return url


def ended(client: Client, x: object = BOB, o: object = CAROL) -> str:
    """Let two people play a game of three moves, and return its URL."""
    url = start_between(client, "ultimate", x, o)
    play(client, url, ["e5", "d4", "b2"], x, o)
    return given_up(client, url, o)


def test_one_players_long_games_do_not_hold_up_the_others(client: Client, scribe: Scribe) -> None:
    for _ in range(3):
        given_up(client, long_game(client, LONG)[0], ALICE)
    ended(client)
    ended(client)
    let_analyse(client)
    assert [len(task["moves"]) for task in scribe.asked] == [LONG, 3, 3, LONG, LONG]


@pytest.mark.parametrize("damage", ["a move", "the variant"])
def test_a_game_that_cannot_be_read_is_put_aside_for_good(
    client: Client, scribe: Scribe, damage: str, caplog: pytest.LogCaptureFixture
) -> None:
    broken, whole = ended(client), ended(client)
    game_id = broken.removeprefix("/play/")
    with client.database.writing() as connection:
        if damage == "a move":
            connection.exec_driver_sql(f"UPDATE moves SET move = 'zz' WHERE game_id = '{game_id}'")
        else:
            change_row(connection, game_id, variant="chess")
    scribe.answer = lambda task: (
        {"error": "InvalidMove"} if "zz" in task["moves"] else {"analysis": "{}"}
    )
    let_analyse(client)
    assert f"Game {game_id} is put aside without an analysis: " in caplog.text
    with client.database.writing() as connection:
        change_row(connection, game_id, variant="ultimate")
        found = connection.exec_driver_sql("SELECT game_id FROM analyses").scalars().all()
    assert found == [whole.removeprefix("/play/")]
    scribe.asked.clear()
    ended(client)
    let_analyse(client)
    assert len(scribe.asked) == 1, "after a restart nobody asks about the broken one again"


@pytest.mark.slow
def test_of_two_capsules_with_one_database_one_analyses_a_game(
    client: Client, scribe: Scribe
) -> None:
    for _ in range(4):
        ended(client)
    may_answer = Event()

    def answer(_task: dict[str, Any]) -> dict[str, Any]:
        # Both have chosen a game before the first is done with one.
        may_answer.wait(1)
        return {"analysis": "{}"}

    scribe.answer = answer
    context = context_of(client)
    claims = [Leases(context.database, context.clock, holder) for holder in ("one", "other")]
    with Minds(processes=0) as minds:
        for each in claims:
            minds(replace(context, leases=each))
        wait_until(lambda: not due(client))
    assert len(scribe.asked) == 4


def test_a_very_long_game_gets_no_more_time_than_a_long_one(client: Client, scribe: Scribe) -> None:
    given_up(client, long_game(client, 300)[0], ALICE)
    ended(client)
    let_analyse(client)
    long, short = scribe.asked
    assert long["seconds"] * 300 == pytest.approx(20)
    assert short["seconds"] == 0.2
