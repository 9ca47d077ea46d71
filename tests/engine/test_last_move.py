"""The last move on the board and in words, and boards on narrow screens, in every variant."""

from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings

from engine import VARIANTS, Position, Variant
from engine.drawing.text import Span, bracketed, chained
from engine.style import ASCII, NARROW, UNICODE
from engine.variants.tinc import TincPosition
from tests.support.engine.playouts import each_variant, games, playout

law = settings(deadline=None, derandomize=True, max_examples=5)

WINS_A_BOARD = "d7 c3 h8 e4 e2 e6 e7 d3 a9 b7 e3 e9 f7"
WINS_A_SMALL_BOARD = """
    m8 b4 f3 q9 m9 l7 p3 j7 l2 g4 a3 a7 l1 r1 p1 k2 o6 q7 o2 h5 e5 e4 o3
    h7 o1
"""

STYLES = [
    replace(signs, rulers=rulers, columns=columns)
    for signs in (ASCII, UNICODE)
    for rulers in (True, False)
    for columns in (ASCII.columns, NARROW)
]


def steps(variant: Variant, random: Random) -> Iterator[tuple[Position, str, Position]]:
    """Yield moves from all over a random game, each with the positions before and after it."""
    game = playout(variant, random)
    all_steps = [*zip(game.positions, game.moves, game.positions[1:], strict=False)]
    yield from all_steps[:: -max(1, len(all_steps) // 20)]


def without_brackets(drawing: str) -> str:
    """Return a drawing without brackets, and without the frame, which they may stand in."""
    rows = drawing.translate(dict.fromkeys(map(ord, "[]|│"), " ")).split("\n")
    return "\n".join(row.rstrip() for row in rows)


# On the board


@each_variant
@law
@given(random=games)
def test_the_last_move_stands_in_brackets_and_nothing_else_changes(
    variant: Variant, random: Random
) -> None:
    style = random.choice(STYLES)
    for before, move, after in steps(variant, random):
        latest = before.marked_by(move)
        marked, plain = after.close_up(style, latest), after.close_up(style)
        assert without_brackets(marked) == without_brackets(plain)
        if latest:
            assert 1 <= marked.count("[") == marked.count("]") <= len(latest) + 2
        assert after.view(style=style, latest=latest).drawing.startswith(marked)
        assert before.stages(move, style)[-1].count("[") >= min(len(latest), 1)


@each_variant
@law
@given(random=games)
def test_what_a_move_marks_are_cells_of_the_board_after_it(
    variant: Variant, random: Random
) -> None:
    for before, move, after in steps(variant, random):
        latest = before.marked_by(move)
        assert len(set(latest)) == len(latest)
        assert bool(latest) == (variant.key in VARIANTS)
        if latest and variant.key not in ("tinc", "quantum"):
            assert move.startswith(latest)
        if isinstance(after, TincPosition):
            assert set(latest) <= set(after.cells(before.turn))


def marked(variant: str, *moves: str) -> str:
    *earlier, last = moves
    before = VARIANTS[variant].replay(earlier)
    return before.play(last).close_up(latest=before.marked_by(last))


def test_neighbours_share_their_brackets() -> None:
    assert marked("tinc", "a1", "b1+c1").split("\n")[2] == "   2   ~ ~[O O]~"
    assert marked("tinc", "a1", "a1+c1").split("\n")[2] == "   2   ~[O]~[O]~"


def test_brackets_have_room_at_both_sides_of_the_board() -> None:
    assert marked("ultimate", "a1").split("\n")[1].startswith(" 1   [X]~ ~ ")
    assert marked("ultimate", "i9").split("\n")[-1].endswith("   ~ ~[X]")
    assert marked("numeric", "c1=9").split("\n")[1] == " 1   ~ ~[9]"


def test_a_move_that_wins_a_local_board_is_seen_in_its_large_mark() -> None:
    rows = marked("ultimate", *WINS_A_BOARD.split()).split("\n")
    assert rows[9:] == [
        " 7    . O .   \\   /   . . .",
        " 8    . . .  [  X  ]  . X .",
        " 9    X . .   /   \\   . . .",
    ]


def test_a_measurement_is_seen_in_every_square_that_it_settled() -> None:
    rows = marked("quantum", "a1+b1", "a1+b1", "a1").split("\n")
    assert rows[3] == " 1  |   [( 2 )]   |   [ X 1 ]   |             |"


def test_the_choice_in_a_measurement_stands_in_brackets_for_everybody() -> None:
    position = VARIANTS["quantum"].replay(["a1+b1", "a1+b1"])
    assert position.close_up() == position.close_up(latest=("a1", "b1")) == position.diagram()
    assert position.diagram().count("[o2]") == 2


def test_spans_far_from_each_other_have_brackets_of_their_own() -> None:
    assert bracketed(" X X  X", [Span(0, 1, 1), Span(0, 3, 3), Span(0, 6, 6)]) == "[X X][X]"


# In words


@pytest.mark.parametrize(
    ("variant", "moves", "narration"),
    [
        ("tinc", "a1", "a1, now b2"),
        ("tinc", "a1 a1+a3", "a1+a3, now b2 and b4"),
        ("tinc", "a1 a1+a3 d4", "d4"),
        ("ultimate", "e5", "e5"),
        ("ultimate", WINS_A_BOARD, "f7, which won the bottom centre board"),
        ("numeric", "b2=5", "b2=5"),
        ("quantum", "a1+b1", "a1+b1"),
        ("quantum", "a1+b1 a1+b1 a1", "a1, which settled o2 in a1 and x1 in b1"),
        ("extreme", WINS_A_SMALL_BOARD, "o1, which won the top centre board of board 2"),
    ],
)
def test_a_move_is_narrated_with_its_consequences(variant: str, moves: str, narration: str) -> None:
    *earlier, last = moves.split()
    assert str(VARIANTS[variant].replay(earlier).narration(last)) == narration


@each_variant
@law
@given(random=games)
def test_every_account_begins_with_the_move(variant: Variant, random: Random) -> None:
    for before, move, _ in steps(variant, random):
        narration = str(before.narration(move))
        assert narration.partition(",")[0] == move
        assert not narration.endswith(".")


# Narrow screens


@each_variant
@law
@given(random=games)
def test_nothing_is_wider_than_a_narrow_screen(variant: Variant, random: Random) -> None:
    style = replace(random.choice([ASCII, UNICODE]), columns=NARROW)
    for before, move, after in steps(variant, random):
        latest = before.marked_by(move)
        views = after.view(style=style, latest=latest), after.view("a1", style, latest)
        for drawing in (
            after.close_up(style, latest),
            chained(before.stages(move, style), move, widest=style.columns, style=style),
            *(view.drawing for view in views),
            *(view.overview or "" for view in views),
        ):
            assert max(map(len, drawing.split("\n"))) <= NARROW


@pytest.mark.parametrize("key", VARIANTS)
def test_a_narrow_board_has_all_that_a_wide_one_has(key: str) -> None:
    narrow = replace(ASCII, columns=NARROW)
    for seed in range(10):
        for _, _, after in steps(VARIANTS[key], Random(seed)):
            if isinstance(after, TincPosition) and after.size > 15:
                break
            wide, slim = after.diagram(), after.diagram(narrow)
            for sign in "XOxo~.":
                assert slim.count(sign) == wide.count(sign)
            assert set(slim) == set(wide)


def test_the_second_big_board_stands_below_the_first_under_its_own_ruler() -> None:
    position = VARIANTS["extreme"].replay(["e5"])
    rows = position.diagram(replace(ASCII, columns=NARROW)).split("\n")
    assert rows[0] == "   a b c   d e f   g h i"
    assert rows[13] == "   j k l   m n o   p q r"
    bare = position.diagram(replace(ASCII, columns=NARROW, rulers=False)).split("\n")
    assert (bare[0], bare[13]) == ("  1", "  2")
    rest = (row for number, row in enumerate(bare) if number not in (0, 13))
    assert not any(set(row) & set("abcjklr123") for row in rest)
