"""A finished game shows where the line runs that won it: a mark outside the board at both ends."""

from pathlib import Path

import pytest

from engine import VARIANTS, Side
from engine.variants.numeric import NumericPosition
from tests.support.engine.golden import FOLDER, head_of


def shown(variant: str, moves: str) -> str:
    return VARIANTS[variant].replay(moves.split()).close_up()


def test_a_row_is_marked_on_both_sides() -> None:
    assert shown("numeric", "a1=5 a3=8 b1=9 c3=2 c1=1") == (
        "     a b c\n 1 > 5 9 1 <\n 2   ~ ~ ~\n 3   8 ~ 2"
    )


def test_a_column_is_marked_above_and_below() -> None:
    assert shown("numeric", "a1=5 a2=8 c1=1 a3=2") == (
        "     a b c\n     v\n 1   5 ~ 1\n 2   8 ~ ~\n 3   2 ~ ~\n     ^"
    )


def test_two_lines_at_once_are_both_marked() -> None:
    position = NumericPosition.set_up([8, 1, 6, 3, None, None, 4, None, None], [5], [2], Side.X)
    both = position.close_up()
    assert [mark for mark in both if mark in "><v^"] == ["v", ">", "<", "^"]


def test_diagonals_are_marked_beyond_their_corners() -> None:
    falling = NumericPosition.set_up(
        [4, None, None, None, 5, None, None, None, 6], [1], [2], Side.X
    )
    assert falling.close_up() == (
        "     a b c\n   \\\n 1   4 ~ ~\n 2   ~ 5 ~\n 3   ~ ~ 6\n           \\"
    )
    rising = NumericPosition.set_up([None, None, 4, None, 5, None, 6, None, None], [1], [2], Side.X)
    assert rising.close_up() == (
        "     a b c\n           /\n 1   ~ ~ 4\n 2   ~ 5 ~\n 3   6 ~ ~\n   /"
    )


def test_in_ultimate_the_line_runs_through_won_boards() -> None:
    moves = "d7 c3 h8 e4 e2 e6 e7 d3 a9 b7 e3 e9 f7 i3 g9 c9 i7 g3 b8 f6 c7"
    rows = shown("ultimate", moves).splitlines()
    (marked,) = [row for row in rows if ">" in row]
    assert marked == " 8  >   X       X       X   <"


def test_in_extreme_the_line_stays_on_its_big_board() -> None:
    moves = "k8 o6 r9 i9 r7 i1 q3 o9 r8 r6 g9 l7 r1 r3 h8 m4 c1 p3 b9 o8 p6 j7 b2 o5 q6"
    rows = shown("extreme", moves).splitlines()
    assert rows[1].strip() == "v"
    assert rows[0][rows[1].index("v")] == "q", "above the middle of the right boards"
    assert rows[-1].index("^") == rows[1].index("v")


def test_in_quantum_the_lines_of_both_players_are_marked() -> None:
    rows = shown("quantum", "b1+a3 a2+b3 b1+b2 a1+a3 b1+b3 a3+b3 a3").splitlines()
    assert rows[1].split() == ["v", "v"]
    assert rows[-1].split() == ["^", "^"]
    assert [rows[0][place] for place, mark in enumerate(rows[1]) if mark == "v"] == ["a", "b"]


def test_in_tinc_the_ends_are_the_symbols_placed_last() -> None:
    assert shown("tinc", "a1 c1 b3+d3 d4 a3+e3").splitlines()[3] == "   3 > X X X X X <"


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.txt")), ids=lambda path: path.stem)
def test_the_diagram_itself_is_never_marked_and_no_game_before_its_end(path: Path) -> None:
    head = head_of(path.read_text(encoding="utf-8"))
    position = VARIANTS[head.variant].start
    for move in head.moves:
        assert not set("><^") & set(position.close_up())
        assert not position.view().marks_line
        position = position.play(move)
    assert not set("><^") & set(position.diagram())
    is_won = position.outcome is not None and position.outcome.winner is not None
    assert position.view().marks_line == is_won
    if not is_won:
        return
    marked = position.close_up()
    plain = [row.translate(str.maketrans("><", "  ")).rstrip() for row in marked.splitlines()]
    assert set(position.diagram().splitlines()) <= set(plain)
    assert marked != position.diagram()
