"""Grids that are too wide for a page: the window, the whole in small, and the ways on."""

import re
from dataclasses import replace

import pytest

from engine import VARIANTS
from engine.cells import cell_name
from engine.drawing.viewport import MAX_OVERVIEW, square_of
from engine.game import Side
from engine.style import ASCII, NARROW
from engine.variants.tinc import TINC, Symbols, TincPosition

WIDEST = 64


def grown(turns: int) -> TincPosition:
    """The position after `turns` turns that each grow the grid at its top left corner."""
    return TincPosition.of(TINC.replay(["a1"] * turns))


def columns_of(drawing: str) -> list[str]:
    return drawing.splitlines()[0].split()


def rows_of(drawing: str) -> list[int]:
    return [int(line.split()[0]) for line in drawing.splitlines()[1:]]


def width_of(drawing: str) -> int:
    return max(map(len, drawing.splitlines()))


@pytest.mark.parametrize("key", ["ultimate", "numeric", "quantum", "extreme"])
def test_a_board_that_is_seen_whole_has_no_window(key: str) -> None:
    start = VARIANTS[key].start
    assert start.view("a1") == start.view()
    assert start.view().drawing.startswith(start.diagram())
    assert start.view().ways == ()


def test_a_grid_of_25_cells_is_seen_whole_whatever_is_asked() -> None:
    view = grown(12).view("c3")
    assert view == grown(12).view()
    assert view.drawing == grown(12).diagram()
    assert view.overview is None


def test_a_wide_grid_is_seen_around_the_last_symbols_and_around_any_cell() -> None:
    position = grown(40)
    assert position.size == 81
    assert position.view().drawing == position.close_up()
    for cell in ("a1", "cc81", "aa40", "a81"):
        view = position.view(cell)
        assert view.is_moved
        assert position.parse(cell) == cell
        assert cell.rstrip("0123456789") in columns_of(view.drawing)
        assert int(cell.lstrip("abcdefghijklmnopqrstuvwxyz")) in rows_of(view.drawing)
        assert width_of(view.drawing) <= WIDEST


@pytest.mark.parametrize(
    "text", ["", "cd1", "a82", "a1 b2", "a0", "x", "1", "{cell}", "a1" * 500, "\0", "zzzz999999"]
)
def test_what_names_no_cell_of_the_grid_moves_nothing(text: str) -> None:
    assert grown(40).view(text) == grown(40).view()


def test_the_ways_on_lead_all_over_the_grid() -> None:
    position = grown(40)
    wanted, seen = [position.view().drawing], set()
    cells = [cell for _, cell in position.view().ways]
    visited = set(cells)
    while cells:
        view = position.view(cells.pop())
        wanted.append(view.drawing)
        for _, cell in view.ways:
            if cell not in visited:
                visited.add(cell)
                cells.append(cell)
    for drawing in wanted:
        seen |= {(column, row) for column in columns_of(drawing) for row in rows_of(drawing)}
    assert len(seen) == position.size**2


def test_a_way_says_what_is_seen_there_and_none_leads_over_the_edge() -> None:
    position = grown(40)
    corner = position.view("a1")
    labels = {str(label): cell for label, cell in corner.ways}
    assert {label.split(":")[0] for label in labels} == {"Further right", "Further down"}
    for label, cell in labels.items():
        drawing = position.view(cell).drawing
        first, last = label.split()[-3], label.split()[-1]
        shown = columns_of(drawing) if "right" in label else list(map(str, rows_of(drawing)))
        assert (shown[0], shown[-1]) == (first, last)


def test_the_whole_in_small_shows_whose_symbols_are_where_and_what_is_seen() -> None:
    symbols = Symbols().adding([(-20, -20), (20, 20)], Side.X).adding([(20, -20), (19, 20)], Side.O)
    position = TincPosition(Side.X, 20, symbols, None, ((20, 20),))
    view = position.view("a1")
    assert view.overview is not None
    side = square_of(position.size)
    assert f"a square of {side} by {side} cells" in str(view.key)
    rows = [line.split()[1:] for line in view.overview.splitlines()[1:]]
    assert (rows[0][0], rows[0][-1], rows[-1][-1]) == ("X", "O", "*")
    assert rows[0][1] == "~", "a1 is in the middle of what is seen"
    assert rows[-1][0] == ".", "the bottom left corner is not seen"
    assert sum(row.count("X") + row.count("O") + row.count("*") for row in rows) == 3


@pytest.mark.parametrize("size", [27, 51, 301, 703, 2001, 9999])
def test_the_whole_in_small_is_never_large(size: int) -> None:
    reach = size // 2
    symbols = Symbols().adding([(reach - 1, reach - 1)], Side.X)
    view = TincPosition(Side.O, reach, symbols, None, ((reach - 1, reach - 1),)).view()
    assert view.overview is not None
    assert width_of(view.overview) <= WIDEST
    assert len(view.overview.splitlines()) <= MAX_OVERVIEW + 1
    assert width_of(view.drawing) <= WIDEST


def test_a_line_that_wins_on_a_wide_grid_is_marked_in_the_small_one() -> None:
    reach = 13
    middle = [(0, row) for row in range(1 - reach, reach)]
    position = TincPosition(Side.X, reach, Symbols().adding(middle, Side.X), None, ())
    top, bottom = cell_name(reach, 0), cell_name(reach, 2 * reach)
    won = position.play(f"{top}+{bottom}")
    assert won.outcome is not None
    view = won.view()
    assert view.overview is not None
    above, below = view.overview.splitlines()[1], view.overview.splitlines()[-1]
    assert (above.split(), below.split()) == (["v"], ["^"])
    assert above.index("v") == below.index("^")
    assert view.overview.splitlines()[2][above.index("v")] == "X"


# What a turn did


def drawings(stages: tuple[str, ...]) -> list[int]:
    return [len(columns_of(stage)) for stage in stages]


def test_growth_is_seen_to_happen() -> None:
    assert drawings(TINC.start.stages("a1")) == [1, 1, 3]
    before, placed, after = grown(1).stages("c2+c3")
    assert (before.count("O"), placed.count("O"), after.count("O")) == (0, 2, 2)
    assert drawings((before, placed, after)) == [3, 3, 5]
    assert drawings(TINC.replay("a1 c2+c3".split()).stages("c2+c4")) == [5, 5]


@pytest.mark.parametrize("turns", [6, 9, 12, 13, 30])
def test_on_a_larger_grid_the_part_around_the_turn_is_drawn(turns: int) -> None:
    position = grown(turns)
    before, placed, after = position.stages("b1")
    assert len(columns_of(after)) == len(columns_of(before)) + 1
    assert rows_of(before) == rows_of(placed)
    assert 2 * width_of(before) + len("   ->   ") <= WIDEST
    assert re.split(r"[\s\[\]]+", placed.splitlines()[1])[3] == "OX"[turns % 2 == 0]


def test_symbols_far_apart_are_drawn_in_the_whole_grid_or_where_it_grew() -> None:
    assert drawings(grown(12).stages("c5+w20")) == [25, 25]
    _, placed, after = grown(20).stages("u20+a41")
    assert rows_of(placed)[-1] == 41
    assert rows_of(after)[-1] == 43


def test_a_grid_that_is_about_to_be_a_wide_one_is_drawn_where_it_grew() -> None:
    stages = grown(12).stages("a1+y25")
    assert max(map(width_of, stages)) <= WIDEST
    assert [columns_of(stage)[0] for stage in stages] == ["a", "a", "a"]


# Narrow screens


@pytest.mark.parametrize("turns", [1, 5, 6, 7, 8, 12, 20, 40, 400])
def test_on_a_narrow_screen_less_of_a_grid_is_seen_at_once(turns: int) -> None:
    narrow = replace(ASCII, columns=NARROW)
    position = grown(turns)
    view = position.view(style=narrow, latest=("b2",))
    assert position.size > 16 or view.overview is None
    assert (view.drawing == position.close_up(latest=("b2",))) == (position.size <= 16)
    stages = position.stages("a1+c1", narrow)
    far = position.stages(f"a1+{cell_name(position.size - 1, position.size - 1)}", narrow)
    for drawing in (view.drawing, view.overview or "", *stages, *far):
        assert width_of(f"{drawing} ") <= NARROW
    assert "[" in stages[-1]
    assert "[" in far[-1]
