"""A course of numbers, drawn in plain text."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


MAX_COLUMNS = 64
"""The columns of a plot, at most."""

MAX_ROWS = 9
"""The rows of a plot above its axis, at most."""

MIN_ROWS = 3
"""The rows that it has even where the numbers hardly change."""

LABEL_WIDTH = 6
"""The columns that the numbers beside a plot take, up to six digits of them."""

MAX_RANGES = MAX_COLUMNS - LABEL_WIDTH - 2
"""The ranges that a plot has room for."""

_WIDEST = 3


def plot(ranges: Sequence[tuple[float, float]], first: int, last: int) -> str:
    """Return how a number went, drawn in plain ASCII, at most `WIDTH` columns wide.

    `ranges` say in order of time between which numbers it went, `ROOM` of them at most; those with
    a single number have it twice. `first` and `last` count what the first and the last range tell
    of. Raises `ValueError` where there is no range, or more than there is room for.

    >>> print(plot([(1500, 1500), (1530, 1530), (1510, 1540), (1570, 1570)], 1, 4))
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
    each = min(_WIDEST, MAX_RANGES // len(ranges))
    columns = [bounds for bounds in ranges for _ in range(each)]
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
    """Return how far apart rows are, and which multiples of that the lowest and the highest are."""
    for step in _steps():
        lowest, highest = _nearest(low, step), _nearest(high, step)
        # Rows with a label at both ends tell where a plot begins and ends.
        lowest, highest = lowest - lowest % 2, highest + highest % 2
        if highest - lowest < MIN_ROWS - 1:
            highest = lowest + MIN_ROWS - 1
        if highest - lowest < MAX_ROWS:
            break
    return step, lowest, highest


def _steps() -> Iterator[int]:
    """Yield distances of rows, such that every other row is at a round number."""
    yield from (1, 5)
    size = 10
    while True:
        yield from (size, size * 5 // 2, size * 5)
        size *= 10
