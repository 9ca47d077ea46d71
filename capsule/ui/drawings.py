"""Plots and tables, drawn with characters."""

import math
from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import chain, pairwise

from capsule.ui.columns import is_latin, is_wide, shortened, width
from capsule.ui.render import shown

WIDTH = 64
"""The greatest width of a plot, unless the caller passes a smaller one."""

_LEVELS = 8
"""The number of rows of a plot above the lowest one."""

_LABEL = 6


def plot(win_probabilities: Sequence[float], first: int = 0, columns: int = WIDTH) -> str:
    """Return a plot of X's winning probability in plain ASCII, with up to three columns a move.

    `win_probabilities` are those of an `Analysis`, from that after `first` moves; the numbers below
    count moves. If there are more than fit, a column shows the one of several that is farthest from
    even.

    >>> print(plot([0.5, 0.5, 1, 1, 0.75]))
    100% |      ******
         |
     75% |            ***
         |
     50% |******---------
         |
     25% |
         |
      0% |
         +---------------
          0     2     4
    """
    room = columns - _LABEL
    each = max(1, min(3, room // max(1, len(win_probabilities))))
    shown = _sampled(win_probabilities, room)
    rows = [round(value * _LEVELS) for value in shown for _ in range(each)]
    lines = []
    for level in range(_LEVELS, -1, -1):
        label = f"{100 * level // _LEVELS}%" if level % 2 == 0 else ""
        empty = "-" if 2 * level == _LEVELS else " "
        lines.append(
            f"{label:>4} |" + "".join("*" if row == level else empty for row in rows).rstrip()
        )
    lines += [
        "     +" + "-" * len(rows),
        " " * _LABEL + _ruler(len(win_probabilities), len(rows), first, room),
    ]
    return "\n".join(lines)


def _sampled(values: Sequence[float], limit: int) -> list[float]:
    if len(values) <= limit:
        return [*values]
    ends = [len(values) * column // limit for column in range(limit + 1)]
    return [
        max(values[begin:end], key=lambda value: abs(value - 0.5)) for begin, end in pairwise(ends)
    ]


def _ruler(count: int, columns: int, first: int, room: int) -> str:
    """Return the row of move numbers below their columns, at round distances, where they fit."""
    step = next(
        size * power
        for power in (10**exponent for exponent in range(9))
        for size in (1, 2, 5)
        if size * power * columns >= 6 * count
    )
    ruler = ""
    for number in range(-(-first // step) * step, first + count, step):
        column = (number - first) * columns // count
        if column + len(str(number)) <= room:
            ruler = f"{ruler:<{column}}{number}"
    return ruler


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


GAP = "  "
"""The space between two columns."""


def table(
    rows: Sequence[Sequence[object]], left_aligned: Collection[int] = (), columns: int = 64
) -> str:
    """Return rows of values in columns below a head, aligned to the right except those numbered.

    If they take more than `columns` of text, those aligned to the left are shortened.

    >>> print(table([("Rank", "Player", "Rating"), (1, "alice", "1612"), (2, "bob", "987?")], {1}))
    Rank  Player  Rating
       1  alice     1612
       2  bob       987?

    Few fonts have Chinese characters that are exactly two columns wide. Where there are some, words
    stand in the last column, and nothing is aligned with the head.

    >>> print(table([("名次", "玩家", "積分"), (1, "新手電腦", "1612"), (12, "bob", "987?")], {1}))
    名次  積分  玩家
     1  1612  新手電腦
    12  987?  bob
    """
    texts = [[str(shown(value)) for value in row] for row in rows]
    if is_latin("".join(chain.from_iterable(texts))):
        return "\n".join(_aligned(texts, left_aligned, columns, len))
    if not any(is_wide(text) for row in texts for text in row):
        return "\n".join(_aligned(texts, left_aligned, columns, width))
    order = sorted(range(len(texts[0])), key=lambda number: number in left_aligned)
    head, *body = [[row[number] for number in order] for row in texts]
    words = {place for place, number in enumerate(order) if number in left_aligned}
    return "\n".join([GAP.join(head), *_aligned(body, words, columns, width)])


def _aligned(
    texts: Sequence[list[str]],
    left_aligned: Collection[int],
    columns: int,
    measure: Callable[[str], int],
) -> Sequence[str]:
    """Return the lines of a table; `measure` returns how many columns a text takes."""
    widths = [max(map(measure, column)) for column in zip(*texts, strict=True)]
    too_much = sum(widths) + len(GAP) * (len(widths) - 1) - columns
    for number in left_aligned if too_much > 0 else ():
        widths[number] = max(widths[number] - too_much, 1)
        for row in texts:
            row[number] = shortened(row[number], widths[number])
    is_left = [number in left_aligned for number in range(len(widths))]
    return [
        GAP.join(
            [
                text + " " * (room - measure(text))
                if at_left
                else " " * (room - measure(text)) + text
                for text, room, at_left in zip(row, widths, is_left, strict=True)
            ]
        ).rstrip()
        for row in texts
    ]
