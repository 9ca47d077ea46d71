"""Boards as text: rulers, the ends of lines, boards side by side.

A variant draws its board with the signs of a `Style`, in the same places whichever they are, a row
of letters above it and numbers at its left. `trimmed` takes these away if the style has none.
"""

from collections.abc import Iterable, Sequence
from functools import reduce
from typing import NamedTuple

from engine.style import ASCII, Style


class Area(NamedTuple):
    """The area of a board in its drawing: rows and columns of text, the last ones included."""

    top: int
    bottom: int
    left: int
    right: int


def trimmed(drawing: str, left: int, style: Style) -> str:
    r"""Return a drawing, without its rulers and moved to the left if the style has none.

    `left` is the column of text where the board begins; two columns stay free before it, where the
    end of a line may be marked.

    >>> print(trimmed("     a b\n 1   ~ ~\n 2 > X X <", 5, Style(rulers=False)))
      ~ ~
    > X X <
    """
    if style.rulers:
        return drawing
    _, *rows = drawing.split("\n")
    return "\n".join(row[left - 2 :] for row in rows)


class Span(NamedTuple):
    """A part of a row of text, the last column included."""

    row: int
    first: int
    last: int


def bracketed(drawing: str, spans: Iterable[Span], style: Style = ASCII) -> str:
    """Return a drawing with brackets around some spans, in columns of text that are free.

    Neighbours with a single column between them share their brackets.

    >>> print(bracketed("X O ~ X", [Span(0, 2, 2), Span(0, 4, 4)]))
    X[O ~]X
    """
    rows = [list(row) for row in drawing.splitlines()]
    opening, closing = style.brackets
    wanted = set(spans)
    begins = {(row, first - 1) for row, first, _ in wanted}
    ends = {(row, last + 1) for row, _, last in wanted}
    for places, sign in ((begins - ends, opening), (ends - begins, closing)):
        for row, place in places:
            _put(rows[row], place, sign)
    return "\n".join("".join(row).rstrip() for row in rows)


def with_ends(
    drawing: str, area: Area, lines: Iterable[tuple[str, int]], style: Style = ASCII
) -> str:
    r"""Return a drawing with a mark at both ends of each line, outside the `area` of the board.

    A line is how it runs, a key of `Style.ends`, and where: the row of text of a "row", the column
    of text of a "column", anything for a diagonal. A line that ends above or below the area gets a
    separate row of text there.

    >>> print(with_ends("     a b\n 1   X ~\n 2   ~ X", Area(1, 2, 5, 7), [("falling", 0)]))
         a b
       \
     1   X ~
     2   ~ X
             \
    """
    rows = [list(row) for row in drawing.splitlines()]
    above: list[str] = []
    below: list[str] = []
    before, behind = area.left - 2, area.right + 2
    for run, where in lines:
        first, last = style.ends[run]
        if run == "row":
            _put(rows[where], before, first)
            _put(rows[where], behind, last)
            continue
        ends = {"column": (where, where), "falling": (before, behind), "rising": (behind, before)}
        start, end = ends[run]
        _put(above, start, first)
        _put(below, end, last)
    if above:
        rows.insert(area.bottom + 1, below)
        rows.insert(area.top, above)
    return "\n".join("".join(row).rstrip() for row in rows)


def _put(row: list[str], place: int, character: str) -> None:
    row += " " * (place + 1 - len(row))
    row[place] = character


def beside(left: str, right: str, joint: str = "->") -> str:
    """Return two drawings side by side with `joint` between them, half way down the lower one.

    >>> print(beside("1 ~", "1 X", "->"))
    1 ~   ->   1 X
    """
    left_rows, right_rows = left.splitlines(), right.splitlines()
    height = max(len(left_rows), len(right_rows))
    width = max(len(row) for row in left_rows)
    middle = min(len(left_rows), len(right_rows)) // 2
    return "\n".join(
        _joined_row(left_rows, right_rows, number, width, joint if number == middle else "")
        for number in range(height)
    )


def _joined_row(
    left: Sequence[str], right: Sequence[str], number: int, width: int, joint: str
) -> str:
    before = left[number] if number < len(left) else ""
    after = right[number] if number < len(right) else ""
    return f"{before:<{width}}   {joint:<2}   {after}".rstrip()


def width_beside(drawings: Iterable[str], style: Style = ASCII) -> int:
    """Return how many columns of text drawings take side by side, an arrow between neighbours.

    >>> width_beside(["1 ~", "1 X", "1 O"])
    25
    """
    first, *others = drawings
    row = reduce(lambda left, right: beside(left, right, style.arrow), others, first)
    return max(map(len, row.splitlines()))


def chained(drawings: Iterable[str], label: str, *, widest: int = 64, style: Style = ASCII) -> str:
    """Return drawings one after the other: side by side as far as `widest` columns allow.

    An arrow separates neighbours, with the `label` if one is below the other.

    >>> print(chained(["1 ~", "1 X", "1 O"], "a1", widest=20))
    1 ~   ->   1 X
    <BLANKLINE>
      ->  a1
    <BLANKLINE>
    1 O
    """
    first, *others = drawings
    rows = [first]
    for drawing in others:
        longer = beside(rows[-1], drawing, style.arrow)
        if max(map(len, longer.splitlines())) <= widest:
            rows[-1] = longer
        else:
            rows.append(drawing)
    return f"\n\n  {style.arrow}  {label}\n\n".join(rows)
