"""Plots of ratings: what is drawn where, and how wide."""

import math
from itertools import pairwise

import pytest

from capsule.ui.drawings import LABEL_WIDTH, MAX_COLUMNS, MAX_RANGES, MAX_ROWS, plot_rating

RISING = """\
  1700 |
       |                              ***
  1650 |                        ******
       |                  ******
  1600 |            ******
       |      ******
  1550 |******
       +---------------------------------
        1                              11"""

WAVE = """\
  1800 |        ************
       |    *****          *****
  1600 | ****                  ****
       |**                        ****
  1400 |                             ****                  *****
       |                                ******         *****
  1200 |                                     ***********
       +--------------------------------------------------------
        1                                                    560"""


def test_a_rising_rating_goes_up_to_the_right() -> None:
    assert plot_rating([(1550 + 12 * step,) * 2 for step in range(11)], 1, 11) == RISING


def test_a_long_course_is_as_wide_as_there_is_room() -> None:
    course = [1500 + 300 * math.sin(column / 9) for column in range(MAX_RANGES)]
    ranges = [(min(pair), max(pair)) for pair in pairwise([*course, course[-1]])]
    drawn = plot_rating(ranges, 1, 560)
    assert drawn == WAVE
    assert max(map(len, drawn.splitlines())) == MAX_COLUMNS


def test_a_rating_that_hardly_changes_is_a_flat_line() -> None:
    drawn = plot_rating([(1500, 1500)] * 4, 1, 4).splitlines()
    assert [row for row in drawn if "*" in row] == ["  1500 |************"]


def test_a_range_is_a_stroke_from_its_lowest_to_its_highest_number() -> None:
    drawn = plot_rating([(1400, 1400), (1400, 1600), (1500, 1500)], 1, 3).splitlines()
    rows = {row[:LABEL_WIDTH].strip(): row[LABEL_WIDTH + 2 :] for row in drawn}
    assert rows["1400"] == "******"
    assert rows["1500"] == "   ******"
    assert rows["1600"] == "   ***"
    assert all(row[3:6] == "***" for row in (drawn[each][LABEL_WIDTH + 2 :] for each in range(9)))


@pytest.mark.parametrize("span", [0, 1, 3, 7, 16, 33, 90, 240, 700, 2500, 9999])
def test_rows_are_few_and_their_numbers_round(span: int) -> None:
    drawn = plot_rating([(1234, 1234), (1234 + span, 1234 + span)], 1, 2).splitlines()
    rows = [row for row in drawn if "|" in row]
    assert 3 <= len(rows) <= MAX_ROWS
    numbers = [int(row.split()[0]) for row in rows if row.split()[0].isdigit()]
    steps = {high - low for low, high in zip(numbers[1:], numbers[:-1], strict=True)}
    assert len(steps) == 1
    assert all(number % step == 0 for number in numbers for step in steps)
    assert min(numbers) - max(steps) <= 1234 <= 1234 + span <= max(numbers) + max(steps)


@pytest.mark.parametrize("count", [0, MAX_RANGES + 1])
def test_too_few_or_too_many_ranges_are_refused(count: int) -> None:
    with pytest.raises(ValueError, match="ranges"):
        plot_rating([(1500, 1500)] * count, 1, 99)


@pytest.mark.parametrize("count", [1, 20, 32, 33, MAX_RANGES])
def test_on_a_narrow_screen_neighbours_share_a_column_and_no_peak_is_lost(count: int) -> None:
    ranges = [(1500 + 10 * number, 1505 + 10 * number) for number in range(count - 1)]
    drawn = plot_rating([*ranges, (1400, 2400)], 1, count, 40).splitlines()
    assert max(map(len, drawn)) <= 40
    wide = plot_rating([*ranges, (1400, 2400)], 1, count).splitlines()
    assert drawn[0][: LABEL_WIDTH + 2] == wide[0][: LABEL_WIDTH + 2]
    assert "*" in drawn[0]
    assert len(drawn) == len(wide)
