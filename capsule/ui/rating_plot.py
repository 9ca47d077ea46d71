"""The history of a rating, plotted in plain text."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


MAX_COLUMNS = 64
"""The greatest width of a plot, unless the caller passes a smaller one."""

MAX_ROWS = 9
"""The greatest number of rows above the axis."""

MIN_ROWS = 3
"""The number of rows above the axis if the rating hardly changed."""

LABEL_WIDTH = 6
"""The columns to the left of the axis, for numbers of up to six digits."""

MAX_RANGES = MAX_COLUMNS - LABEL_WIDTH - 2
"""The number of ranges in a plot of the greatest width."""

_MAX_RANGE_WIDTH = 3


def plot_rating(
    ranges: Sequence[tuple[float, float]], first: int, last: int, width: int = MAX_COLUMNS
) -> str:
    """Return a plot of a rating, in ASCII.

    Args:
        ranges: The lowest and the highest rating of each stretch of games, in order of time. One to
            `MAX_RANGES` of them.
        first: The number of the first game, written below the axis.
        last: The number of the last game.
        width: How wide the plot may be. If the ranges are too many for it, neighbours share a
            column.

    Raises:
        ValueError: There are no ranges, or too many.

    >>> print(plot_rating([(1500, 1500), (1530, 1530), (1510, 1540), (1570, 1570)], 1, 4))
      1580 |
           |         ***
      1560 |
           |
      1540 |      ***
           |   ******
      1520 |      ***
           |      ***
      1500 |***
           +------------
            1          4
    """
    if not 0 < len(ranges) <= MAX_RANGES:
        raise ValueError(f"A plot shows 1 to {MAX_RANGES} ranges, not {len(ranges)}")
    room = width - LABEL_WIDTH - 2
    shown = _merged(ranges, room)
    columns = [bounds for bounds in shown for _ in range(min(_MAX_RANGE_WIDTH, room // len(shown)))]
    low = min(bounds[0] for bounds in ranges)
    high = max(bounds[1] for bounds in ranges)
    step, lowest, highest = _rows(low, high)
    rows = [
        _label(row * step if row % 2 == 0 else None) + "|" + _marks(columns, row, step)
        for row in range(highest, lowest - 1, -1)
    ]
    ends = str(first), str(last)
    ruler = ends[0].ljust(len(columns) - len(ends[1])) + ends[1] if first != last else ends[0]
    return "\n".join([*rows, _label(None) + "+" + "-" * len(columns), _label(None) + " " + ruler])


def _merged(ranges: Sequence[tuple[float, float]], limit: int) -> Sequence[tuple[float, float]]:
    """Return at most `count` ranges, by merging neighbours."""
    each = -(-len(ranges) // limit)
    groups = (ranges[start : start + each] for start in range(0, len(ranges), each))
    return [(min(low for low, _ in group), max(high for _, high in group)) for group in groups]


def _label(number: int | None) -> str:
    return f"{'' if number is None else number:>{LABEL_WIDTH}} "


def _marks(columns: Sequence[tuple[float, float]], row: int, step: int) -> str:
    marks = (
        "*" if _nearest(low, step) <= row <= _nearest(high, step) else " " for low, high in columns
    )
    return "".join(marks).rstrip()


def _nearest(number: float, step: int) -> int:
    return math.floor(number / step + 0.5)


def _rows(low: float, high: float) -> tuple[int, int, int]:
    """Return the distance of two rows, and which multiples of it the lowest and highest row are."""
    for step in _steps():
        lowest, highest = _nearest(low, step), _nearest(high, step)
        # Even rows have labels: with one at each end, the plot shows where it begins and ends.
        lowest, highest = lowest - lowest % 2, highest + highest % 2
        if highest - lowest < MIN_ROWS - 1:
            highest = lowest + MIN_ROWS - 1
        if highest - lowest < MAX_ROWS:
            break
    return step, lowest, highest


def _steps() -> Iterator[int]:
    """Yield distances of two rows, with which every other row is at a round number."""
    yield from (1, 5)
    size = 10
    while True:
        yield from (size, size * 5 // 2, size * 5)
        size *= 10
