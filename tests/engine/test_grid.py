"""Cells and lines: what the boards are made of."""

from itertools import product

import pytest
from hypothesis import given, settings, strategies as st

from engine.boards.grid import (
    FULL,
    HAS_LINE,
    LINE_MASKS,
    LINES,
    NINE,
    PLACES,
    completed_lines,
    places,
)
from engine.cells import cell_name, cells_in, column_name, column_number

law = settings(deadline=None, derandomize=True)


# Names


@law
@given(st.integers(0, 26**4))
def test_a_column_is_found_again_by_its_name(column: int) -> None:
    assert column_number(column_name(column)) == column


def test_columns_are_named_in_the_order_of_a_dictionary_of_growing_words() -> None:
    names = [column_name(column) for column in range(26 + 26**2 + 26)]
    letters = "abcdefghijklmnopqrstuvwxyz"
    assert names == [
        *letters,
        *("".join(pair) for pair in product(letters, repeat=2)),
        *(f"aa{letter}" for letter in letters),
    ]


@law
@given(st.integers(0, 26**3), st.integers(0, 9999))
def test_a_cell_is_found_again_by_its_name(column: int, row: int) -> None:
    assert cells_in(cell_name(column, row)) == [(column, row)]
    assert cells_in(cell_name(column, row).upper()) == [(column, row)]


def test_the_nine_cells_stand_in_reading_order() -> None:
    assert NINE == ("a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3")
    assert len({str(place) for place in PLACES}) == 9


@pytest.mark.parametrize(
    "text",
    [
        "d4c3", "d4 c3", "D4,C3", " d4 + c3 ", "d4;c3", "d4 & c3", "d4 and c3", "d4\n\tc3",
        "d4-c3", "d4/c3", "d4 – c3", "d4. c3.", "4d 3c", "4d3c", "d 4 c 3", "d-4, 3-c", "4 d/c3",
        "d4 e c3", "D4 E C3", "d4、c3", "d4和c3", "d4 與 c3", "D4 与 C3", "d4 及 c3。", "d4跟c3",
    ],
)  # fmt: skip
def test_what_stands_between_two_cells_does_not_matter(text: str) -> None:
    assert cells_in(text) == [(3, 3), (2, 2)]


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "+",
        "and",
        "e",
        "5",
        "5 5",
        "ee 5 5 e e",
        "e0",
        "e05",
        "e5!",
        "e=5",
        "(e5)",
        "e5?",
        "e\u00a05\u0301",
        "e5 or e6",
        "é5",
        "e٥",
        "aaaaa1",
    ],
)
def test_what_is_no_list_of_cells_is_none(text: str) -> None:
    assert cells_in(text) is None


@law
@given(st.text())
def test_any_text_is_cells_or_none(text: str) -> None:
    cells = cells_in(text)
    assert cells is None or all(column >= 0 and row >= 0 for column, row in cells)


# Lines


@pytest.mark.parametrize("mask", [0, 0b101_010_101, 0b011_101_110, FULL, *LINE_MASKS])
def test_the_lines_in_a_mask_are_those_whose_places_are_all_set(mask: int) -> None:
    expected = tuple(line for line in LINES if set(line) <= set(places(mask)))
    assert completed_lines(mask) == expected
    assert HAS_LINE[mask] == bool(expected)


@law
@given(st.integers(0, FULL))
def test_the_places_of_a_mask_are_its_bits_in_reading_order(mask: int) -> None:
    assert sum(1 << place for place in places(mask)) == mask
    assert list(places(mask)) == sorted(places(mask))
