"""A plot of the course of a game, in plain text."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


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
