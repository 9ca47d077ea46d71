"""`oxonaut check`: the operator verifies that everything stored is consistent."""

import re
import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from random import Random

import pytest

from capsule.db import files
from capsule.games import maintenance
from tests.support.client import Client, context_of, link
from tests.support.operator import Operator
from tests.support.random_games import Crowd
from tests.support.stories import ALICE, BOB, WON_GAMES, play, start, start_between

pytestmark = pytest.mark.sqlite


def check(operator: Operator) -> tuple[int, list[str]]:
    """Return the exit status of `oxonaut check`, and the lines that it prints."""
    status, printed, errors = operator.type("check")
    assert errors == ""
    return status, printed.splitlines()


def change(client: Client, statement: str) -> None:
    """Change the database directly, even if that breaks a reference."""
    with closing(sqlite3.connect(client.home / "oxonaut.db")) as connection, connection:
        assert connection.execute(statement).rowcount > 0


@pytest.mark.slow
def test_what_a_crowd_has_played_fits_together(
    client: Client, operator: Operator, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(maintenance, "VERIFICATION_BATCH_SIZE", 7)

    def tick(passed: timedelta) -> None:
        client.now += passed

    crowd = Crowd(context_of(client), Random(3), tick)
    for number in range(12):
        crowd.arrive()
        change(
            client,
            "INSERT INTO certificates (fingerprint, player_id, first_used_at, label) "
            f"VALUES ('{number:064}', {crowd.ids[-1]}, '2026-11-20 14:02:00.000000', '')",
        )
    crowd.play(60)
    crowd.leave()
    status, (line,) = check(operator)
    assert status == 0, line
    found = re.fullmatch(r"(\d+) games, their ratings and everything else fit together\.", line)
    assert found
    assert int(found[1]) >= 60


@pytest.mark.usefixtures("client")
def test_a_capsule_without_games_is_all_right(operator: Operator) -> None:
    assert check(operator)[0] == 0


@pytest.mark.slow
def test_one_of_anything_is_no_plural(client: Client, operator: Operator) -> None:
    won = start_between(client, "numeric")
    play(client, won, WON_GAMES["numeric"].split(), ALICE, BOB)
    assert check(operator) == (0, ["1 game, its ratings and everything else fit together."])
    change(client, "UPDATE ratings SET mu = mu + 1 WHERE player_id = 1")
    assert check(operator)[1] == [
        (
            "1 rated game makes 2 ratings of players and bots: 1 figure is stored differently or "
            "not at all, by at most 30 points."
        ),
        "1 fault found.",
    ]


def test_little_room_on_the_disk_is_a_warning_and_no_fault(
    client: Client, operator: Operator, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "free_bytes", lambda _database: 12_340_000)
    assert check(operator) == (
        0,
        [
            f"Warning: Only 12.3 MB are free on the disk of {client.home}/oxonaut.db.",
            "0 games, their ratings and everything else fit together.",
        ],
    )


HARM: dict[str, tuple[str, str]] = {
    "a move that is gone": (
        "DELETE FROM moves WHERE ply = 2 AND game_id = '{won}'",
        "it should have 4 moves, but has 3, or not the right ones",
    ),
    "a move too many": (
        (
            "INSERT INTO moves (game_id, ply, move, side, played_at) "
            "VALUES ('{won}', 5, 'b2=5', 'X', '2026-11-20 14:02:00.000000')"
        ),
        "it should have 4 moves, but has 5, or not the right ones",
    ),
    "a move that nobody may make": (
        "UPDATE moves SET move = 'a1=7' WHERE ply = 3 AND game_id = '{won}'",
        "move 3 cannot be replayed: ",
    ),
    "a move of the wrong side": (
        "UPDATE moves SET side = 'O' WHERE ply = 1 AND game_id = '{won}'",
        "move 1 is stored as O's, but was X's",
    ),
    "a wrong turn": (
        "UPDATE games SET turn = 'O' WHERE id = '{running}'",
        "O is stored as the side to move, but it is X",
    ),
    "a result that is not": (
        "UPDATE games SET winner = 'X', x_points = 1, o_points = 0 WHERE id = '{won}'",
        "its result is stored as (1.0, 0.0), but is (0, 1)",
    ),
    "a game that ended and goes on": (
        "UPDATE games SET status = 'playing' WHERE id = '{won}'",
        "by the rules it is over, but its status is playing",
    ),
    "a game that goes on and ended": (
        "UPDATE games SET status = 'finished' WHERE id = '{running}'",
        "by the rules it goes on, but its status is finished",
    ),
    "a bot that nobody asks": (
        "UPDATE games SET bot_to_move = 1 WHERE id = '{running}'",
        "whether a bot is to move is stored wrongly",
    ),
    "a turn counter that was lowered": (
        "UPDATE games SET turn_counter = 1 WHERE id = '{won}'",
        "its turn counter is 1 after 4 moves",
    ),
    "a rating that was changed": (
        "UPDATE ratings SET mu = mu + 1",
        "figures are stored differently or not at all",
    ),
    "a note on a game that is gone": (
        (
            "INSERT INTO notes (game_id, player_id, text, written_at) "
            "VALUES ('gonegonego', 1, 'x', '2026-11-20 14:02:00.000000')"
        ),
        "1 row of notes is an orphan: games has nothing for its game_id",
    ),
    "a player whom nobody can be": (
        "DELETE FROM certificates WHERE player_id = 1",
        "Player number 1 has a name but no certificate, so nobody can be them",
    ),
}


@pytest.mark.slow
def test_each_kind_of_harm_is_reported(client: Client, operator: Operator) -> None:
    won, running = start_between(client, "numeric"), start(client, "tinc", "solo")
    play(client, won, WON_GAMES["numeric"].split(), ALICE, BOB)
    play(client, running, ["a1", "c1"], ALICE)
    ids = {"won": won.removeprefix("/play/"), "running": running.removeprefix("/play/")}
    assert check(operator)[0] == 0
    client.database.close()
    file = client.home / "oxonaut.db"
    whole = file.read_bytes()
    for harm, (statement, expected) in HARM.items():
        file.write_bytes(whole)
        change(client, statement.format(**ids))

        status, lines = check(operator)

        assert status == 1, harm
        assert any(expected.format(**ids) in line for line in lines), (harm, lines)
        assert re.fullmatch(r"\d+ faults? found\.", lines[-1]), harm


def damaged(path: Path) -> None:
    with path.open("r+b") as file:
        file.seek(path.stat().st_size // 2)
        file.write(b"\xff" * 20_000)


def with_zeroed_header(path: Path) -> None:
    with path.open("r+b") as file:
        file.write(b"\0" * 100)


@pytest.mark.parametrize("harm", [damaged, with_zeroed_header])
def test_a_damaged_file_is_reported(
    client: Client, operator: Operator, harm: Callable[[Path], None]
) -> None:
    play(client, start(client, "tinc", "solo"), ["a1"], ALICE)
    client.database.close()
    harm(client.home / "oxonaut.db")
    status, (line,) = check(operator)
    assert status == 1
    assert line.startswith("The file of the database is damaged: ")


def test_a_check_changes_nothing_and_delays_no_move(client: Client, operator: Operator) -> None:
    url = start_between(client, "numeric")
    prompt = link(client.get(url, ALICE), "/move")
    assert check(operator)[0] == 0
    assert client.type(prompt, "a1=5", ALICE).meta == url
