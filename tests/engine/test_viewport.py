"""Wide grids: names after z, the window, the whole in small, the ways on, and what they cost."""

import re
from dataclasses import replace
from itertools import islice

import pytest

from engine import VARIANTS, Side
from engine.cells import cell_name
from engine.drawing.viewport import MAX_OVERVIEW, square_of
from engine.style import ASCII, NARROW
from engine.variants.tinc import TINC, Symbols, TincPosition

WIDEST = 64

VAST = 200_001
"""Cells along a side of a grid that nothing may walk over: forty thousand million in all."""


def grown(turns: int) -> TincPosition:
    """The position after `turns` turns that each grow the grid at its top left corner."""
    return TincPosition.of(TINC.replay(["a1"] * turns))


def columns_of(drawing: str) -> list[str]:
    return drawing.splitlines()[0].split()


def rows_of(drawing: str) -> list[int]:
    return [int(line.split()[0]) for line in drawing.splitlines()[1:]]


def width_of(drawing: str) -> int:
    return max(map(len, drawing.splitlines()))


def vast() -> TincPosition:
    middle = VAST // 2
    symbols = Symbols().adding([(0, 0), (-middle + 1, middle - 1)], Side.X)
    return TincPosition(Side.O, middle, symbols, None, ((-middle + 1, middle - 1),))


def is_aligned(drawing: str) -> bool:
    """Whether every mark stands under the last letter of its column's name."""
    header, *lines = drawing.splitlines()
    ends = [
        place
        for place, letter in enumerate(header)
        if letter != " " and header[place + 1 : place + 2] in ("", " ")
    ]
    ruler = ends[0] - 3
    return all(
        [place for place in range(ruler, len(line)) if line[place] != " "] == ends for line in lines
    )


# Names


def test_columns_after_z_have_two_letters() -> None:
    position = grown(13)
    assert position.size == 27
    assert position.parse("AA1, z27") == "aa1+z27"
    later = position.play("aa1+z27")
    assert set(later.cells(position.turn)) >= {"ab2", "aa28"}


def test_moves_of_a_wide_grid_come_in_reading_order_row_by_row() -> None:
    moves = list(islice(grown(13).legal_moves(), 29))
    assert moves[24:] == ["y1", "z1", "aa1", "a2", "c2"]


# Drawings


@pytest.mark.parametrize("turns", range(1, 20))
def test_rulers_and_marks_stay_aligned_at_any_width(turns: int) -> None:
    position = grown(turns)
    drawing = position.diagram()
    assert f"{columns_of(drawing)[-1]}{rows_of(drawing)[-1]}" == position.parse(
        columns_of(drawing)[-1] + str(position.size)
    )
    assert is_aligned(drawing)
    assert is_aligned(position.close_up())


@pytest.mark.parametrize("turns", range(1, 13))
def test_up_to_25_cells_the_whole_grid_fits_and_is_seen_whatever_is_asked(turns: int) -> None:
    position = grown(turns)
    assert position.view("c3") == position.view()
    assert (position.view().drawing, position.view().overview) == (position.diagram(), None)
    assert position.close_up() == position.diagram()
    assert max(len(line) for line in position.diagram().splitlines()) <= 64


@pytest.mark.parametrize("corner", ["a1", "bi1", "a61", "bi61", "ae30"])
def test_a_close_up_of_a_wide_grid_is_a_piece_of_it_around_the_last_symbols(corner: str) -> None:
    position = grown(30).play(corner)
    close_up = position.close_up()
    assert is_aligned(close_up)
    assert max(len(line) for line in close_up.splitlines()) <= 64
    rows = rows_of(close_up)
    columns, everywhere = columns_of(close_up), columns_of(position.diagram())
    left = everywhere.index(columns[0])
    assert rows == list(range(rows[0], rows[0] + 25))
    assert columns == everywhere[left : left + len(columns)]
    assert len(columns) >= 19
    (column, row) = position.placed[0]
    assert columns[0] in everywhere[: column + position.reach + 1]
    assert rows[0] <= row + position.reach + 1 <= rows[-1]
    assert everywhere[column + position.reach] in columns
    whole = [line.split()[1:] for line in position.diagram().splitlines()[1:]]
    piece = [line.split()[1:] for line in close_up.splitlines()[1:]]
    assert piece == [whole[row - 1][left : left + len(columns)] for row in rows]


def test_a_close_up_holds_both_symbols_of_a_turn_where_it_can() -> None:
    position = grown(40)
    middle = position.play("ak30+au50").close_up()
    assert {"ak", "au"} <= set(columns_of(middle))
    assert {30, 50} <= set(rows_of(middle))


def test_a_close_up_stays_with_the_first_of_two_symbols_that_lie_too_far_apart() -> None:
    far_apart = grown(40).play("ad2+ae79").close_up()
    assert {"ad", "ae"} <= set(columns_of(far_apart))
    assert 2 in rows_of(far_apart)


def test_a_listener_hears_that_the_grid_is_wide() -> None:
    sentences = [str(sentence) for sentence in grown(14).play("ac29").describe()]
    assert sentences[0] == "The grid is 31 cells wide and 31 cells high, from a1 to ae31."
    assert sentences[1] == (
        "The close-up shows columns m to ae and rows 7 to 31, around the symbols placed last."
    )
    assert not any("close-up" in str(sentence) for sentence in grown(12).describe())


# What is seen of it


@pytest.mark.parametrize("key", ["ultimate", "numeric", "quantum", "extreme"])
def test_a_board_that_is_seen_whole_has_no_window(key: str) -> None:
    start = VARIANTS[key].start
    assert start.view("a1") == start.view()
    assert start.view().drawing.startswith(start.diagram())
    assert start.view().ways == ()


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


# Cost


def test_the_first_moves_of_a_wide_grid_come_without_the_rest() -> None:
    assert grown(150).size == 301
    assert list(islice(grown(150).legal_moves(), 13)) == [
        f"{letter}1" for letter in "abcdefghijklm"
    ]
    assert list(islice(vast().legal_moves(), 3)) == ["a1", "b1", "c1"]


def test_a_line_is_given_up_at_its_first_gap() -> None:
    class Watched(Symbols):
        asked = 0

        def __getitem__(self, cell: tuple[int, int]) -> Side:
            Watched.asked += 1
            return super().__getitem__(cell)

        def adding(self, *args: object) -> Symbols:
            return self

    position = TincPosition(Side.O, VAST // 2, Watched(), None, ())
    assert position.play(f"a7+{cell_name(VAST - 1, 6)}").outcome is None
    assert Watched.asked == 1
