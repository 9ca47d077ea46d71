"""The plot of a game's course, in plain text."""

from random import Random

import pytest

from capsule.ui.drawings import plot


@pytest.mark.parametrize("width", [64, 32])
@pytest.mark.parametrize("count", [1, 2, 10, 20, 30, 57, 58, 59, 82, 163, 1001])
def test_a_plot_is_plain_and_narrow_and_holds_every_column(count: int, width: int) -> None:
    random, room = Random(count), width - 6
    drawing = plot([random.random() for _ in range(count)], 100, width)
    rows = drawing.splitlines()
    assert drawing.isascii()
    assert len(rows) == 11
    assert max(map(len, rows)) <= width
    columns = zip(*(f"{row[6:]:{room}}" for row in rows[:9]), strict=True)
    marks = [column.count("*") for column in columns]
    drawn = min(room, count * max(1, min(3, room // count)))
    assert marks == [1] * drawn + [0] * (room - drawn)
    numbers = [int(number) for number in rows[-1].split()]
    assert set(numbers) <= set(range(100, 100 + count))
    assert numbers == sorted(numbers)


def test_a_plot_puts_a_win_of_x_on_top_and_one_of_o_at_the_bottom() -> None:
    rows = plot([0.5, 1.0, 0.0]).splitlines()
    assert rows[0] == "100% |   ***"
    assert rows[4] == " 50% |***------"
    assert rows[8] == "  0% |      ***"


def test_a_plot_of_a_long_game_keeps_its_peaks() -> None:
    values = [0.5] * 400
    values[203] = 1.0
    assert plot(values).splitlines()[0].count("*") == 1
