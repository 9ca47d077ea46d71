"""Square grids of any width on a page of limited width: a window, the whole in small, ways on.

Columns and rows are counted from the top left corner of the grid. What is shown costs as much as
the window is large and there are marks, however many cells the grid has.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from engine.game import Message, Side, message
from engine.grid import Area, cell_name, cells_in, column_name, with_ends

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from collections.abc import Set as AbstractSet

Cell: TypeAlias = tuple[int, int]
"""A column and a row."""

Line: TypeAlias = tuple[Cell, Cell]
"""A line from one side of the grid to the opposite one, as its ends."""

CLOSE_UP = 25
"""Rows, and at most columns, that a window shows; a grid larger than this is a wide one."""

LARGEST_OVERVIEW = 18
"""Squares along a side of the whole grid in small, at most."""

COLUMNS_OF_TEXT = 64
"""Columns of text that a drawing may take."""

_RULER = 4
_GAP = "   "
_HALF = (COLUMNS_OF_TEXT - len("   ->   ")) // 2 - _RULER - len(_GAP) + 1
"""Columns of text that cells may take, each with a space, in one of two drawings side by side."""

_KEPT = 3
"""Columns or rows that two neighbouring windows share, for the eye to hold on to."""


class Window(NamedTuple):
    """The part of a grid that is seen."""

    columns: range
    rows: range

    def middle(self) -> Cell:
        """Return the cell in the middle."""
        return self.columns[len(self.columns) // 2], self.rows[len(self.rows) // 2]


def whole(size: int) -> Window:
    """Return the window that shows the whole grid of `size` by `size` cells."""
    return Window(range(size), range(size))


def window(cells: Sequence[Cell], size: int) -> Window:
    """Return the window around cells of a grid: all of the grid where it is not a wide one."""
    if size <= CLOSE_UP:
        return whole(size)
    room = COLUMNS_OF_TEXT - max(_RULER, len(str(size))) - len(_GAP) + 1
    columns = [column for column, _ in cells]
    spans = (around(columns, length, size) for length in range(CLOSE_UP, 0, -1))
    widest = next(span for span in spans if len(span) * (len(column_name(span[-1])) + 1) <= room)
    return Window(widest, around([row for _, row in cells], CLOSE_UP, size))


def around(places: Sequence[int], length: int, size: int) -> range:
    """Return `length` numbers below `size`, with `places` in their middle as far as that goes.

    Places too far apart to be shown together are not averaged into the empty space between them:
    the first takes the middle.

    >>> around([2, 5], 5, 100), around([2, 50], 5, 100)
    (range(1, 6), range(0, 5))
    """
    near = places if max(places) - min(places) < length else places[:1]
    start = (min(near) + max(near)) // 2 - length // 2
    start = min(max(start, 0), size - length)
    return range(start, start + length)


def cell_at(text: str | None, size: int) -> Cell | None:
    """Return the one cell of a grid that a text names, or None.

    >>> cell_at("C5", 9), cell_at("c5", 3), cell_at("c5 d5", 9), cell_at("c" * 900, 9)
    ((2, 4), None, None, None)
    """
    cells = cells_in(text) if text and len(text) <= len("zzzz999999") else None
    return cells[0] if cells and len(cells) == 1 and max(cells[0]) < size else None


def drawing(marks: Mapping[Cell, Side], shown: Window, size: int, line: Line | None = None) -> str:
    """Return the part of a grid that a window shows; `~` is an empty cell.

    The ends of `line`, the one that won, are marked where the window shows the whole grid.
    """
    columns, rows = shown
    names = [column_name(column) for column in columns]
    width = len(names[-1])
    ruler = max(_RULER, len(str(rows[-1] + 1)))
    lines = [" " * ruler + _GAP + " ".join(f"{name:>{width}}" for name in names)]
    for row in rows:
        seen = (marks.get((column, row), "~") for column in columns)
        lines.append(f"{row + 1:>{ruler}}{_GAP}" + " ".join(f"{mark!s:>{width}}" for mark in seen))
    text = "\n".join(lines)
    if line is None or shown != whole(size):
        return text
    return _with_line(text, line, ruler + len(_GAP) + width - 1, width + 1)


def overview(marks: Mapping[Cell, Side], shown: Window, size: int, line: Line | None = None) -> str:
    """Return the whole grid in small, each square of it one character.

    That is X or O where only one side has symbols, * where both have, else ~ in the part that
    `shown` shows and . outside it. The ends of `line`, the one that won, are marked.
    """
    side = square_of(size)
    squares = range(0, size, side)
    seen = {
        each: {
            (column // side, row // side) for (column, row), mark in marks.items() if mark is each
        }
        for each in Side
    }
    names = [column_name(column) for column in squares]
    width = len(names[-1])
    lines = [" " * _RULER + _GAP + " ".join(f"{name:>{width}}" for name in names)]
    columns, rows = (range(part[0] // side, part[-1] // side + 1) for part in shown)
    within = {(column, row) for column in columns for row in rows}
    for row in range(len(squares)):
        found = [
            _sign((column, row), seen[Side.X], seen[Side.O], within)
            for column in range(len(squares))
        ]
        lines.append(
            f"{squares[row] + 1:>{_RULER}}{_GAP}" + " ".join(f"{sign:>{width}}" for sign in found)
        )
    text = "\n".join(lines)
    if line is None:
        return text
    (first_column, first_row), (last_column, last_row) = line
    small = (first_column // side, first_row // side), (last_column // side, last_row // side)
    return _with_line(text, small, _RULER + len(_GAP) + width - 1, width + 1)


def square_of(size: int) -> int:
    """Return how many cells along a side one character of the overview stands for.

    >>> square_of(27), square_of(301), square_of(2001)
    (2, 17, 143)
    """
    room = COLUMNS_OF_TEXT - len(" <") - max(_RULER, len(str(size))) - len(_GAP) + 1
    most = min(LARGEST_OVERVIEW, room // (len(column_name(size - 1)) + 1))
    return -(-size // most)


def _sign(
    square: Cell, x: AbstractSet[Cell], o: AbstractSet[Cell], within: AbstractSet[Cell]
) -> str:
    if square in x:
        return "*" if square in o else "X"
    if square in o:
        return "O"
    return "~" if square in within else "."


def ways(shown: Window, size: int) -> tuple[tuple[Message, str], ...]:
    """Return where a window can be moved to, in words, and the cell to look at for it."""
    column, row = shown.middle()
    across, down = len(shown.columns) - _KEPT, len(shown.rows) - _KEPT
    left, right = max(column - across, 0), min(column + across, size - 1)
    up, down = max(row - down, 0), min(row + down, size - 1)
    ahead = (
        ((left, row), message("Further left: columns {span}", span=_columns((left, row), size))),
        ((right, row), message("Further right: columns {span}", span=_columns((right, row), size))),
        ((column, up), message("Further up: rows {span}", span=_rows((column, up), size))),
        ((column, down), message("Further down: rows {span}", span=_rows((column, down), size))),
    )
    return tuple(
        (label, cell_name(*cell)) for cell, label in ahead if window([cell], size) != shown
    )


def _columns(cell: Cell, size: int) -> Message:
    columns = window([cell], size).columns
    return message(
        "{first} to {last}", first=column_name(columns[0]), last=column_name(columns[-1])
    )


def _rows(cell: Cell, size: int) -> Message:
    rows = window([cell], size).rows
    return message("{first} to {last}", first=rows[0] + 1, last=rows[-1] + 1)


def _with_line(text: str, line: Line, left: int, step: int) -> str:
    """Return the drawing of a whole grid with the ends of a line marked.

    The last letters of its columns are at `left` and then `step` apart.
    """
    (first_column, first_row), (last_column, last_row) = line
    height = text.count("\n")
    area = Area(1, height, left, left + (height - 1) * step)
    if first_row == last_row:
        return with_ends(text, area, [("row", first_row + 1)])
    if first_column == last_column:
        return with_ends(text, area, [("column", left + first_column * step)])
    return with_ends(text, area, [("falling" if first_column < last_column else "rising", 0)])


def words_on(shown: Window, size: int) -> Message:
    """Return the sentence that says which part of a wide grid a window shows."""
    columns, rows = shown
    return message(
        "The grid is {size} cells wide and {size} cells high, too much for one page. Here are"
        " columns {left} to {right} and rows {top} to {bottom}.",
        size=size,
        left=column_name(columns[0]),
        right=column_name(columns[-1]),
        top=rows[0] + 1,
        bottom=rows[-1] + 1,
    )


def part_around(placed: Sequence[Cell], size: int) -> Window:
    """Return the part of a grid that shows what a turn did that placed symbols in these cells.

    That is the whole grid where two fit side by side, else what is around the symbols; where they
    lie too far apart for that, the whole grid again, unless it is a wide one.
    """
    length = _HALF // (len(column_name(size - 1)) + 1)
    if size <= length:
        return whole(size)
    spans = [max(places) - min(places) for places in zip(*placed, strict=True)]
    if max(spans) >= length:
        if size <= CLOSE_UP:
            return whole(size)
        # One symbol alone can be shown, and one that touched the edge has made the grid grow.
        at_edge = [cell for cell in placed if {*cell} & {0, size - 1}]
        placed = (at_edge or placed)[:1]
    columns, rows = zip(*placed, strict=True)
    return Window(around(columns, length, size), around(rows, length, size))


def grown(part: Window, size: int) -> Window:
    """Return a part of a grid of `size` as it is once the grid has grown, the new edge included."""

    def longer(places: range) -> range:
        first = 0 if places[0] == 0 else places[0] + 1
        last = size + 1 if places[-1] == size - 1 else places[-1] + 1
        return range(first, last + 1)

    return Window(longer(part.columns), longer(part.rows))
