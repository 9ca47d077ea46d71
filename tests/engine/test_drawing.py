"""Boards in every style: other signs in the same places, and rulers or none."""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import replace
from itertools import zip_longest
from random import Random

import pytest
from hypothesis import given, settings

from engine import ASCII, UNICODE, VARIANTS, Position, Side, Style, Variant
from engine.cells import cell_name
from engine.drawing.text import beside, chained
from engine.testing import some_moves
from engine.variants.numeric import NumericPosition
from engine.variants.tinc import Symbols, TincPosition
from tests.support.engine.golden import FOLDER, head_of
from tests.support.engine.playouts import a_few, each_variant, games, playout

law = settings(deadline=None, derandomize=True, max_examples=5)

BARE = replace(ASCII, rulers=False)
BARE_UNICODE = replace(UNICODE, rulers=False)

BECOMES = {
    "~": "◦",
    ".": "·─",  # an empty cell, or the top of a large O
    "-": "─",
    "'": "─",
    "(": "│",
    ")": "│",
    "|": "│",
    "+": "┌┬┐├┼┤└┴┘",
    "\\": "╲",
    "/": "╱",
    ">": "▸",
    "<": "◂",
    "^": "▴",
    "v": "v▾",  # a column's name, or the end of a line
    " ": " ╭╮╰╯",  # the corners of a large O
}
"""The Unicode characters that may replace an ASCII one in a drawing; any other stays itself."""


def drawings(position: Position, style: Style) -> list[str]:
    """Return all that is drawn of a position, also around a cell of a wide board."""
    corner = position.view("a1", style)
    views = position.view(style=style), corner
    return [
        position.diagram(style),
        position.close_up(style),
        *(view.drawing for view in views),
        *(view.overview for view in views if view.overview),
    ]


def golden_games() -> Iterator[tuple[Variant, list[str]]]:
    for path in sorted(FOLDER.glob("*.txt")):
        head = head_of(path.read_text(encoding="utf-8"))
        yield VARIANTS[head.variant], list(head.moves)


def golden_drawings(style: Style) -> Iterator[str]:
    """Yield all that is drawn of the golden games: ends of lines, bonus moves, wide grids."""
    for variant, moves in golden_games():
        position = variant.start
        for move in moves:
            yield from position.stages(move, style)
            position = position.play(move)
            yield from drawings(position, style)


def expect_same_places(plain: str, drawn: str) -> None:
    """Expect of two drawings, in ASCII and in Unicode, that each mark stands where it stood."""
    rows, drawn_rows = plain.split("\n"), drawn.split("\n")
    assert len(rows) == len(drawn_rows)
    assert max(map(len, drawn_rows)) <= max(map(len, rows))
    for row, drawn_row in zip(rows, drawn_rows, strict=True):
        assert drawn_row == drawn_row.rstrip()
        for was, now in zip_longest(row, drawn_row, fillvalue=" "):
            assert now in BECOMES.get(was, was), (row, drawn_row)


BOARD_LABELS = re.compile("  1 +2")
"""Above the boards of extreme, of which the rulers' letters would say which is which."""


def expect_no_rulers(ruled: str, bare: str) -> None:
    """Expect of two drawings, with and without rulers, that the second lacks them and no more."""
    letters, *rows = ruled.split("\n")
    assert re.fullmatch(" *[a-z]+( +[a-z]+)*", letters)
    board = [re.sub("^ {0,3}[0-9]+", lambda number: " " * len(number[0]), row) for row in rows]
    bare_rows = [row for row in bare.split("\n") if not BOARD_LABELS.fullmatch(row)]
    shift = {
        len(row) - len(bare_row)
        for row, bare_row in zip(board, bare_rows, strict=True)
        if row.strip()
    }
    (left,) = shift
    assert left > 0
    assert bare_rows == [row[left:].rstrip() for row in board]
    assert min(len(row) - len(row.lstrip()) for row in bare_rows if row) <= 2


# Words


@pytest.mark.parametrize("style", [ASCII, BARE, UNICODE], ids=["ASCII", "bare", "Unicode"])
def test_a_drawing_has_no_word_since_it_is_the_same_in_every_language(style: Style) -> None:
    for drawn in golden_drawings(style):
        assert not re.search("[A-Za-z]{3}", drawn), drawn


# Unicode


@each_variant
@law
@given(random=games)
def test_unicode_puts_other_signs_in_the_same_places(variant: Variant, random: Random) -> None:
    for position in a_few(playout(variant, random)):
        for plain, drawn in zip(
            drawings(position, ASCII), drawings(position, UNICODE), strict=True
        ):
            expect_same_places(plain, drawn)


def test_so_it_does_with_ends_of_lines_wide_grids_and_stages_of_a_move() -> None:
    for plain, drawn in zip(golden_drawings(ASCII), golden_drawings(UNICODE), strict=True):
        expect_same_places(plain, drawn)


def test_no_plain_sign_is_left_in_a_unicode_drawing() -> None:
    for drawn in golden_drawings(UNICODE):
        assert not set(drawn) & set("~.-'()|+\\/<>^"), drawn


def test_every_character_takes_one_column() -> None:
    signs = set("".join(golden_drawings(UNICODE))) | {UNICODE.arrow}
    assert {len(UNICODE.arrow)} == {1}
    for sign in signs:
        assert unicodedata.east_asian_width(sign) not in "WF", sign
        assert not unicodedata.combining(sign), sign
        assert unicodedata.category(sign) not in {"Cf", "Mn", "Me"}, sign


def test_boxes_of_quantum_join() -> None:
    rows = VARIANTS["quantum"].replay(["a1+b2"]).diagram(UNICODE).split("\n")
    assert rows[:6] == [
        "          a             b             c",
        "    ┌─────────────┬─────────────┬─────────────┐",
        "    │  x1         │             │             │",
        " 1  │             │             │             │",
        "    │             │             │             │",
        "    ├─────────────┼─────────────┼─────────────┤",
    ]
    assert rows[-1] == "    └─────────────┴─────────────┴─────────────┘"


def test_settled_marks_keep_their_subscripts() -> None:
    moves = ["a1+b1", "b1+b2", "b2+c3", "a3+b3", "a1+b2", "a1"]
    rows = VARIANTS["quantum"].replay(moves).diagram(BARE_UNICODE).split("\n")
    assert rows[1:4] == [
        " │   ╲     ╱   │   ╲     ╱   │             │",
        " │     X 5     │     X 1     │             │",
        " │   ╱     ╲   │   ╱     ╲   │             │",
    ]
    assert rows[5:8] == [
        " │             │    ╭───╮    │             │",
        " │             │    │ 2 │    │             │",
        " │             │    ╰───╯    │             │",
    ]


# Rulers


@each_variant
@law
@given(random=games)
def test_rulers_off_leaves_the_board_as_it_is(variant: Variant, random: Random) -> None:
    for position in a_few(playout(variant, random)):
        for style, bare in ((ASCII, BARE), (UNICODE, BARE_UNICODE)):
            for ruled, drawn in zip(
                drawings(position, style), drawings(position, bare), strict=True
            ):
                expect_no_rulers(ruled, drawn)


def test_numbers_on_the_board_are_no_rulers() -> None:
    position = VARIANTS["numeric"].replay(["a1=5", "a2=8", "c1=1", "a3=2"])
    assert position.close_up(BARE) == "  v\n  5 ~ 1\n  8 ~ ~\n  2 ~ ~\n  ^"
    wide = NumericPosition.set_up([-12, 100, None] + 6 * [None], [3], [4], Side.X)
    assert wide.diagram(BARE).split("\n")[0] == "  -12 100   ~"


def test_a_wide_grid_has_no_rulers_either() -> None:
    moves = ["a1", *(f"a{row}" for row in range(1, 60))]
    position = TincPosition.of(VARIANTS["tinc"].replay(moves))
    assert position.size > 100
    view = position.view(style=BARE)
    assert view.overview
    for drawing in (view.drawing, view.overview):
        assert set(drawing) <= set("XO~.* \n")


# Both


def test_a_line_that_won_on_a_wide_grid_is_marked_in_the_small_one_in_every_style() -> None:
    reach = 13
    middle = [(0, row) for row in range(1 - reach, reach)]
    position = TincPosition(Side.X, reach, Symbols().adding(middle, Side.X), None, ())
    won = position.play(f"{cell_name(reach, 0)}+{cell_name(reach, 2 * reach)}")
    plain, drawn, bare = (won.view(style=style).overview for style in (ASCII, UNICODE, BARE))
    assert plain
    assert drawn
    assert bare
    expect_same_places(plain, drawn)
    expect_no_rulers(plain, bare)
    assert not set(drawn) & set(".~^")


@each_variant
@law
@given(random=games)
def test_ascii_with_rulers_is_what_everybody_gets(variant: Variant, random: Random) -> None:
    for position in a_few(playout(variant, random)):
        assert position.diagram() == position.diagram(ASCII)
        assert position.close_up() == position.close_up(ASCII)
        assert position.view() == position.view(None, ASCII)
        assert position.diagram().isascii()


@each_variant
@law
@given(random=games)
def test_stages_of_a_move_are_drawn_in_one_style(variant: Variant, random: Random) -> None:
    *before, _ = playout(variant, random).positions
    position = random.choice(before)
    move = random.choice(some_moves(position))
    plain, unicode = position.stages(move), position.stages(move, UNICODE)
    for was, now in zip(plain, unicode, strict=True):
        expect_same_places(was, now)
    for was, now in zip(plain, position.stages(move, BARE), strict=True):
        expect_no_rulers(was, now)


def test_large_marks_are_as_wide_as_three_cells() -> None:
    for style in (ASCII, UNICODE):
        assert {len(row) for row in (*style.large_x, *style.large_o)} == {5}


# Side by side


def test_two_drawings_of_different_height_stand_side_by_side() -> None:
    small = "     a b\n 1   ~ ~\n 2   ~ X"
    large = "     a b c d\n 1   ~ ~ ~ ~\n 2   ~ ~ ~ ~\n 3   ~ ~ X ~\n 4   ~ ~ ~ ~"
    assert beside(small, large) == (
        "     a b             a b c d\n"
        " 1   ~ ~   ->    1   ~ ~ ~ ~\n"
        " 2   ~ X         2   ~ ~ ~ ~\n"
        "                 3   ~ ~ X ~\n"
        "                 4   ~ ~ ~ ~"
    )


@pytest.mark.parametrize("style", [ASCII, UNICODE])
def test_the_arrow_is_drawn_in_the_style_too(style: Style) -> None:
    assert chained(["◦", "X"], "a1", style=style) == f"◦   {style.arrow:<2}   X"
    below = chained(["◦", "X"], "b2=5", widest=3, style=style)
    assert below == f"◦\n\n  {style.arrow}  b2=5\n\nX"
