"""The search for the openings of ultimate and extreme."""

from pathlib import Path
from random import Random

import pytest

from engine import Side
from engine.boards.local_boards import LocalBoardsPosition
from engine.bots.local_boards.bot import BoardsBot, start_of
from engine.bots.local_boards.openings import PLIES, Opening, Openings
from tests.bench.learning import opening_search
from tests.bench.learning.opening_search import (
    Effort,
    OpeningLine,
    continued,
    distinct,
    found,
    searched,
    worth,
)

pytestmark = pytest.mark.slow


def test_a_move_is_worth_what_is_left_to_the_opponent() -> None:
    start = start_of("ultimate")
    left = BoardsBot(nodes=500).choose(start.play("e5"), 60, Random(0)).win_probability
    assert worth(start, "e5", 500) == 1 - left


def test_good_moves_are_those_that_are_worth_little_less_than_the_best() -> None:
    start = start_of("ultimate")
    opening = searched(Effort(glance=100, visits=400, margin=0.05), OpeningLine((), start))
    firsts = distinct((move, start.play(move)) for move in start.legal_moves())
    assert len(firsts) == 15
    every = {move: worth(start, move, 400) for move in firsts}
    best = max(every.values())
    assert opening.moves == ()
    assert list(opening.worths) == sorted(opening.worths, key=every.__getitem__, reverse=True)
    assert opening.worths.items() <= every.items()
    assert 1 < len(opening.worths) < 15
    assert all(best - value <= 0.05 for value in opening.worths.values())


def test_positions_are_looked_into_where_the_side_to_move_has_played_well() -> None:
    start = start_of("ultimate")
    first = Openings("ultimate", [Opening((), {"e5": 0.6})])
    replies = list(continued([OpeningLine((), start)], first))
    assert len(replies) == 81
    second = Openings("ultimate", [Opening(("e5",), {"d4": 0.4}), Opening(("a1",), {"b1": 0.4})])
    a1, e5 = (each for each in replies if each.moves in {("e5",), ("a1",)})
    assert (e5.sound, a1.sound) == (frozenset(Side), frozenset({Side.O}))
    # O may have played anything after X's good move; X's bad one is not looked into any more.
    third = list(continued([e5, a1], second))
    assert {each.moves for each in third} == {("e5", move) for move in e5.position.legal_moves()}


def position_after(moves: tuple[str, ...]) -> LocalBoardsPosition:
    position = start_of("ultimate")
    for move in moves:
        position = position.play(move)
    return position


def test_a_search_finds_openings_for_every_number_of_moves() -> None:
    lines = list(found("ultimate", Effort(glance=20, visits=60, margin=0.001)))
    assert {len(opening.moves) for opening in lines} == set(range(PLIES))
    known = Openings("ultimate", lines)
    for opening in lines:
        worths = known.worths(position_after(opening.moves))
        assert opening.worths.items() <= worths.items()


def test_the_command_writes_what_it_finds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    openings = [Opening((), {"e5": 0.5}), Opening(("e5",), {"d4": 0.5, "e4": 0.499})]
    monkeypatch.setattr(opening_search, "found", lambda *_: iter(openings))
    path = tmp_path / "found.openings"
    opening_search.main(["ultimate", "--processes", "1", "--to", str(path)])
    assert path.read_text("ascii") == "| e5 0.500\ne5 | d4 0.500 e4 0.499\n"
    assert capsys.readouterr().out == path.read_text("ascii")
