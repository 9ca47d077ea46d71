"""`oxonaut arena`: bots play each other, and the report says what their games say."""

import json
import math
import os
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from capsule.__main__ import main
from capsule.cli.arena import (
    MatchResults,
    beginnings,
    elo_difference,
    in_json,
    in_words,
    results_of,
    thinking,
)
from engine import VARIANTS, Side
from engine.bots.hosting.match import MatchGame, MatchTerms, opening, played
from tests.support.waiting import PATIENCE, wait_until

# Its matches are on no database.
pytestmark = pytest.mark.sqlite

ROOT = Path(__file__).resolve().parents[3]
COURSE = "tests.support.engine.course_bots"
PLAIN = "tests.support.engine.plain_bots"
FIRST, ANY = f"{PLAIN}:FirstMove", f"{PLAIN}:AnyMove"


def match(variant: str, a: str, b: str, games: int, **terms: object) -> list[MatchGame]:
    agreed = MatchTerms(variant, (a, b), games, **terms)  # type: ignore[arg-type]  # as MatchTerms has them
    return sorted(played(agreed, cores=1), key=lambda game: game.number)


def won_by_a_bot(
    number: int, winner: int | None, x: int = 0, forfeit: str | None = None
) -> MatchGame:
    return MatchGame(number, x, winner, ("e5",), ((0.5, 1.5), (1.0,)), (3000, 0), forfeit)


def test_both_bots_have_x_in_turn_and_every_game_is_played_by_the_rules() -> None:
    games = match("numeric", FIRST, ANY, 6)
    assert [game.x for game in games] == [0, 1, 0, 1, 0, 1]
    for game in games:
        outcome = VARIANTS["numeric"].replay(game.moves).outcome
        assert outcome is not None
        sides = {Side.X: game.x, Side.O: 1 - game.x, None: None}
        assert game.winner == sides[outcome.winner]
        assert sum(map(len, game.seconds)) == len(game.moves)
        assert game.simulations == (len(game.seconds[0]), 2 * len(game.seconds[1]))


@pytest.mark.slow
def test_the_same_seed_plays_the_same_games_and_another_others() -> None:
    first, again, other = (
        [game.moves for game in match("ultimate", ANY, ANY, 2, seed=seed)] for seed in (1, 1, 2)
    )
    assert first == again
    assert first != other
    assert first[0] != first[1], "not every game is the same"


@pytest.mark.parametrize("variant", VARIANTS)
def test_there_are_openings_of_every_game(variant: str) -> None:
    moves = opening(variant, 3, Random(3))
    assert len(moves) == 3
    assert VARIANTS[variant].replay(moves).outcome is None


def test_a_game_of_tinc_that_does_not_end_is_a_draw() -> None:
    [game] = match("tinc", "master", "master", 1)
    assert len(game.moves) == 60
    assert game.winner is None


def test_a_forfeit_loses_the_game() -> None:
    games = match("extreme", f"{COURSE}:LooksAhead", f"{COURSE}:PlaysOnTaken", 2)
    assert [game.winner for game in games] == [0, 0]
    assert all(game.forfeit and "illegal move" in game.forfeit for game in games)
    assert "B tests.support.engine.course_bots:PlaysOnTaken made an illegal move" in in_words(
        MatchTerms("extreme", (f"{COURSE}:LooksAhead", f"{COURSE}:PlaysOnTaken"), 2), games
    )


@pytest.mark.slow
def test_a_bot_of_the_course_plays_to_the_end_and_beats_a_random_one() -> None:
    games = match("extreme", f"{COURSE}:LooksAhead", f"{COURSE}:RandomCell", 4)
    assert all(game.forfeit is None for game in games)
    assert results_of(games).wins == 4


@pytest.mark.parametrize(
    ("share", "points"), [(0.5, 0), (0.64, 100), (0.76, 200), (0.36, -100), (10 / 11, 400)]
)
def test_the_elo_difference_is_that_of_the_chess_tables(share: float, points: float) -> None:
    assert elo_difference(share) == pytest.approx(points, abs=1)


def test_a_one_sided_match_says_nothing_certain() -> None:
    low, high = MatchResults(4, 0, 0).interval()
    assert low == pytest.approx(0.51, abs=0.005)
    assert high == 1
    assert MatchResults(0, 0, 4).interval() == (pytest.approx(0), pytest.approx(1 - low))
    assert elo_difference(high) == math.inf


@pytest.mark.parametrize(("wins", "draws", "losses"), [(1, 0, 0), (0, 1, 0), (7, 2, 5), (0, 3, 90)])
def test_the_score_lies_in_its_interval(wins: int, draws: int, losses: int) -> None:
    ended = MatchResults(wins, draws, losses)
    low, high = ended.interval()
    assert 0 <= low <= ended.score <= high <= 1


def test_games_are_distinguished_by_who_had_x() -> None:
    games = [won_by_a_bot(0, 0), won_by_a_bot(1, None, x=1), won_by_a_bot(2, 1)]
    assert results_of(games) == MatchResults(1, 1, 1)
    assert results_of(games, 0) == MatchResults(1, 0, 1)
    assert results_of(games, 1) == MatchResults(0, 1, 0)


def test_beginnings_are_distinguished_by_their_first_four_moves() -> None:
    games = [
        replace(won_by_a_bot(number, 0), moves=tuple(moves.split()))
        for number, moves in enumerate(["a1 b2 c3 d4 e5", "a1 b2 c3 d4 f6", "a1 b2 c3 e5", "a1"])
    ]
    assert beginnings(games) == 3
    assert beginnings([]) == 0


def test_the_report_in_words() -> None:
    terms = MatchTerms("ultimate", ("expert", "my.bots:Best"), 4, seconds=1.5, seed=7, openings=1)
    games = [won_by_a_bot(0, 0), won_by_a_bot(1, None, 1), won_by_a_bot(2, 0, 0, "crashed: Oh")]
    assert in_words(terms, games) == (
        "Ultimate: 3 games of 4, seed 7, 1.5 s a move, openings of 1 random move\n"
        "A, expert, against B, my.bots:Best:\n"
        "  score      2.5 of 3 = 83.3%, 95 % interval 31.0% to 98.2%\n"
        "  Elo        +280, 95 % interval -139 to +698\n"
        "  in all     2 won, 1 drawn, 0 lost\n"
        "  as X       2 won, 0 drawn, 0 lost\n"
        "  as O       0 won, 1 drawn, 0 lost\n"
        "  beginnings 1 different by the first 4 moves\n"
        "\n"
        "                 s a move   longest   simulations a move   a second\n"
        "A expert            1.000     1.500                1,500      1,500\n"
        "B my.bots:Best      1.000     1.000                 none       none\n"
        "B my.bots:Best crashed: Oh: 1 game forfeited"
    )


def test_the_report_in_json_holds_every_game() -> None:
    terms = MatchTerms("ultimate", ("expert", "club"), 1)
    report = json.loads(json.dumps(in_json(terms, [won_by_a_bot(0, 0)]), allow_nan=False))
    assert (report["a"], report["b"], report["score"]) == ("expert", "club", 1)
    assert report["elo"] is None, "as good as infinite"
    assert report["results"]["as_x"] == {"wins": 1, "draws": 0, "losses": 0}
    assert report["thinking"]["a"]["simulations_a_second"] == 1500
    assert report["played"] == [
        {"number": 0, "x": "a", "winner": "a", "forfeit": None, "moves": ["e5"]}
    ]
    assert thinking([], 0)["simulations_a_second"] == 0
    assert in_json(terms, [])["score"] is None


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ("chess club club", "There is no variant chess: it is one of tinc, ultimate,"),
        ("ultimate king club", "There is no level king: name one of novice,"),
        ("ultimate nowhere:Bot club", "nowhere:Bot cannot be loaded: ModuleNotFoundError"),
        ("ultimate club", "Name two bots, A and B, or play a --ladder"),
        ("ultimate club expert --ladder", "A ladder is played by the levels: name no bots for it"),
        ("chess --ladder", "There is no variant chess: it is one of tinc, ultimate,"),
        (
            "numeric club club --openings 9",
            "No game of numeric is still in progress after 9 random moves",
        ),
    ],
)
def test_what_cannot_be_played_is_refused_in_a_line(
    arguments: str, reason: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["arena", *arguments.split()]) == 2
    output = capsys.readouterr()
    assert output.err.startswith(f"oxonaut: {reason}")
    assert output.err.count("\n") == 1
    assert not output.out


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "capsule", "arena", *arguments]


def test_the_command_prints_json_alone(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["arena", "numeric", "club", ANY, *"-n 4 --openings 2 --json".split()]) == 0
    printed = capsys.readouterr()
    report = json.loads(printed.out)
    assert report["games"] == len(report["played"]) == 4
    assert report["clock"] == "wall"
    assert not printed.err


@pytest.mark.slow
def test_a_bot_may_lie_in_the_working_directory(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        "class Bot:\n"
        "    def move(self, board, old_move, flag):\n"
        "        return board.find_valid_move_cells(old_move)[0]\n"
    )
    ended = subprocess.run(
        command("extreme", "mine:Bot", "mine:Bot", "-n", "2"),
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=True,
    )
    assert "score      1 of 2 = 50.0%" in ended.stdout


@pytest.mark.slow
def test_ctrl_c_prints_what_was_played_so_far(tmp_path: Path) -> None:
    games = tmp_path / "games"
    (tmp_path / "counting.py").write_text(
        f"from {PLAIN} import FirstMove\n"
        "class Bot(FirstMove):\n"
        "    def __init__(self):\n"
        f"        with open({str(games)!r}, 'a') as file:\n"
        "            file.write('.')\n"
    )
    with subprocess.Popen(
        command("ultimate", "counting:Bot", ANY, "-n", "1000000", "--json"),
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        # Made twice in each process before the first game, and once for each game.
        enough = 2 * (os.cpu_count() or 1) + 20
        wait_until(lambda: games.exists() and games.stat().st_size >= enough)
        process.send_signal(signal.SIGINT)
        out, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    assert not errors
    assert 0 < json.loads(out)["games"] < 1_000_000
