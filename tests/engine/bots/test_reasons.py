"""Reasons for moves of ultimate and extreme say what is true, tried move by move."""

import re
from collections.abc import Iterator
from random import Random

import pytest

from engine import VARIANTS, Position, Side
from engine.boards.local_board_effects import boards_of
from engine.boards.local_boards import LocalBoardsPosition
from engine.bots.reasons import fault, reason
from tests.support.engine.playouts import playout

each_game = pytest.mark.parametrize("variant", ["ultimate", "extreme"])


def positions(variant: str) -> Iterator[Position]:
    for seed in range(2):
        *running, _ = playout(VARIANTS[variant], Random(seed)).positions
        yield from running[4::7]


def can_win_board(position: Position, side: Side) -> bool:
    """Return whether a side is to move and one of its moves wins a small board or the game."""
    if position.outcome is not None or position.turn is not side:
        return False
    now = LocalBoardsPosition.of(position)
    return any(
        boards_of(LocalBoardsPosition.of(now.play(move)), side) != boards_of(now, side)
        for move in now.legal_moves()
    )


def can_win(position: Position, side: Side) -> bool:
    """Return whether a side is to move and one of its moves wins the game."""
    if position.outcome is not None or position.turn is not side:
        return False
    outcomes = (position.play(move).outcome for move in position.legal_moves())
    return any(outcome is not None and outcome.winner is side for outcome in outcomes)


@each_game
def test_the_other_moves_that_give_something_away_are_counted(variant: str) -> None:
    counted = 0
    for position in positions(variant):
        opponent, moves = position.turn.other, list(position.legal_moves())
        for move in moves[:3]:
            said = str(reason(position, move))
            assert said.startswith(str(position.effect(move)))
            match = re.search(
                r"\. (Every|One|\d+ of the (\d+)) other moves? lets? . win"
                r" (at once|a small board)$",
                said,
            )
            if match is None:
                assert " other move" not in said
                continue
            counted += 1
            count, of, what = match.groups()
            gives = can_win if what == "at once" else can_win_board
            others = [position.play(other) for other in moves if other != move]
            giving = sum(gives(after, opponent) for after in others)
            assert not gives(position.play(move), opponent)
            expected = {"Every": len(others), "One": 1}
            assert giving == (expected[count] if count in expected else int(count.split()[0]))
            assert of is None or int(of) == len(others)
    assert counted


@each_game
def test_a_fault_is_a_win_that_was_missed_or_is_there_for_the_other_side(variant: str) -> None:
    found = 0
    for position in positions(variant):
        side, moves = position.turn, list(position.legal_moves())
        for move in moves[:3]:
            said, after = fault(position, move, moves[-1]), position.play(move)
            if not said:
                continue
            found += 1
            words = " ".join(map(str, said))
            if "misses the win" in words:
                assert can_win(position, side)
                continue
            reply = words.rstrip(".").rpartition(" ")[2]
            gives = can_win if "at once" in words else can_win_board
            assert gives(after, side.other)
            replied = after.play(reply)
            assert boards_of(LocalBoardsPosition.of(replied), side.other) != boards_of(
                LocalBoardsPosition.of(after), side.other
            )
            assert not fault(position, move, move), "nothing that the better move allows, too"
    assert found


@pytest.mark.parametrize(
    ("game", "move", "why"),
    [
        (
            (
                "g5 c4 g2 a4 b1 f1 h2 f6 g8 c5 g4 c3 i9 h8 d6 b9 d8 a6 b7 f3 h7 e3 d7 a3 a8 c6 g9 "
                "c8 i5 i6 g7 b3 e8 d4 f2 g6 c9 b8 e4 d1 i3 i2 h4 d3 a9 a7 e9 f7 h3 e7 h1 h6 f9 d5 "
                "e5 e6"
            ),
            "f4",
            "Nobody can win a board there",
        ),
        (
            (
                "e2 d6 b9 f7 h1 e1 d1 a3 b8 d4 a2 c6 i9 i8 h5 f6 h7 f1 i2 g5 a4 c3 h9 f8 i6 g8 c4 "
                "i1 h2 d5 b6 f9 h8 b3 c9"
            ),
            "d2",
            "No line that X can still make goes through there",
        ),
        (
            (
                "c3 h8 e4 e3 e9 f9 h9 d9 a8 b4 f3 g7 a3 b9 e8 d4 c2 h6 f7 g2 c4 g3 a7 a1 b1 f2 g4 "
                "b3 e7 d2 b6 a2 a6 c7 i3 i8 h5 d6 b8 e5 d5 a5 c6 g8 c1 h2 f4 h1"
            ),
            "e1",
            "No line that O can still make goes through there",
        ),
    ],
)
def test_a_board_that_is_of_no_use_is_called_so(game: str, move: str, why: str) -> None:
    position = VARIANTS["ultimate"].replay(game.split())
    assert str(reason(position, move)) == f"{position.effect(move)}. {why}"
