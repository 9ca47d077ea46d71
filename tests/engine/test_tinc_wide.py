"""Tinc on wide grids: names after z, the close-up, and a cost that follows symbols, not area."""

from itertools import islice

import pytest

from engine.cells import cell_name
from engine.game import Side
from engine.variants.tinc import TINC, Symbols, TincPosition

VAST = 200_001
"""Cells along a side of a grid that nothing may walk over: forty thousand million in all."""


def grown(turns: int) -> TincPosition:
    """The position after `turns` turns that each grow the grid at its top left corner."""
    return TincPosition.of(TINC.replay(["a1"] * turns))


def vast() -> TincPosition:
    middle = VAST // 2
    symbols = Symbols().adding([(0, 0), (-middle + 1, middle - 1)], Side.X)
    return TincPosition(Side.O, middle, symbols, None, ((-middle + 1, middle - 1),))


def columns_of(drawing: str) -> list[str]:
    return drawing.splitlines()[0].split()


def rows_of(drawing: str) -> list[str]:
    return [line.split()[0] for line in drawing.splitlines()[1:]]


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
    assert columns_of(drawing)[-1] + rows_of(drawing)[-1] == position.parse(
        columns_of(drawing)[-1] + str(position.size)
    )
    assert is_aligned(drawing)
    assert is_aligned(position.close_up())


@pytest.mark.parametrize("turns", range(1, 13))
def test_up_to_25_cells_the_whole_grid_fits_and_is_its_own_close_up(turns: int) -> None:
    position = grown(turns)
    assert position.close_up() == position.diagram()
    assert max(len(line) for line in position.diagram().splitlines()) <= 64


@pytest.mark.parametrize("corner", ["a1", "bi1", "a61", "bi61", "ae30"])
def test_a_close_up_of_a_wide_grid_is_a_piece_of_it_around_the_last_symbols(corner: str) -> None:
    position = grown(30).play(corner)
    close_up = position.close_up()
    assert is_aligned(close_up)
    assert max(len(line) for line in close_up.splitlines()) <= 64
    rows = [int(row) for row in rows_of(close_up)]
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
    assert {"30", "50"} <= set(rows_of(middle))


def test_a_close_up_stays_with_the_first_of_two_symbols_that_lie_too_far_apart() -> None:
    far_apart = grown(40).play("ad2+ae79").close_up()
    assert {"ad", "ae"} <= set(columns_of(far_apart))
    assert "2" in rows_of(far_apart)


def test_a_listener_hears_that_the_grid_is_wide() -> None:
    sentences = [str(sentence) for sentence in grown(14).play("ac29").describe()]
    assert sentences[0] == "The grid is 31 cells wide and 31 cells high, from a1 to ae31."
    assert sentences[1] == (
        "The close-up shows columns m to ae and rows 7 to 31, around the symbols placed last."
    )
    assert not any("close-up" in str(sentence) for sentence in grown(12).describe())


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
