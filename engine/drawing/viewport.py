"""Square grids too wide for a page: a window on a part, an overview, and where to look next.

Columns and rows are counted from the top left corner of the grid, except those of marks, which are
counted from its middle, since growth does not move that. A drawing costs as much as its window is
large and as there are marks, however many cells the grid has.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from engine.cells import Cell, cell_name, cells_in, column_name
from engine.drawing.text import Area, Span, bracketed, trimmed, with_ends
from engine.game import Side, View
from engine.messages import Message, message, plural
from engine.style import ASCII, Style

Ends: TypeAlias = tuple[Cell, Cell]
"""A line from one side of the grid to the opposite one, as its ends."""

CLOSE_UP = 25
"""Rows that a window shows, and columns, at most; a larger grid is a wide one."""

MAX_OVERVIEW = 18
"""Squares that the whole grid in small has along a side, at most."""

# Looking a member up on its enumeration, or hashing it, costs more than any other step.
_X = Side.X
_RULER = 4
_GAP = "   "
_BOARDS_BESIDE = 60
"""Columns of text that it takes to put two drawings side by side."""

_KEPT = 3
"""Columns or rows that two neighbouring windows share, to guide the eye."""


class Window(NamedTuple):
    """The part of a grid that is seen."""

    columns: range
    rows: range

    def middle(self) -> Cell:
        """Return the cell in the middle."""
        return self.columns[len(self.columns) // 2], self.rows[len(self.rows) // 2]


class Grid(NamedTuple):
    """A grid to be drawn: the line that won and the cells of the last move are marked in it."""

    size: int
    marks: Mapping[Cell, Side]
    line: "Ends | None" = None
    latest: Sequence[Cell] = ()


def whole(size: int) -> Window:
    """Return the window that shows the whole grid of `size` by `size` cells."""
    return Window(range(size), range(size))


def close_up_size(style: Style = ASCII) -> int:
    """Return how many rows a window shows, and columns at most; a larger grid is a wide one.

    >>> close_up_size(), close_up_size(Style(columns=40))
    (25, 16)
    """
    return min(CLOSE_UP, _room(0, style) // 2)


def _room(size: int, style: Style) -> int:
    """Return how many columns of text the cells of a grid may take, each with the space before it.

    Behind the last one a bracket fits.
    """
    return style.columns - max(_RULER, len(str(size))) - len(_GAP)


def window(cells: Sequence[Cell], size: int, style: Style = ASCII) -> Window:
    """Return the window around cells of a grid: all of the grid if it is not a wide one."""
    longest = close_up_size(style)
    if size <= longest:
        return whole(size)
    room = _room(size, style)
    columns = [column for column, _ in cells]
    spans = (around(columns, length, size) for length in range(longest, 0, -1))
    widest = next(span for span in spans if len(span) * (len(column_name(span[-1])) + 1) <= room)
    return Window(widest, around([row for _, row in cells], longest, size))


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


def drawing(grid: Grid, shown: Window, style: Style = ASCII) -> str:
    """Return the part of a grid that a window shows; `~` is an empty cell.

    The ends of its line are marked if the window shows the whole grid, and brackets are around the
    latest cells.
    """
    columns, rows = shown
    size, marks, line, latest = grid
    names = [column_name(column) for column in columns]
    width = len(names[-1])
    ruler = max(_RULER, len(str(rows[-1] + 1)))
    lines = [" " * ruler + _GAP + " ".join(f"{name:>{width}}" for name in names)]
    reach = size // 2
    x, o, empty = (f"{sign:>{width}}" for sign in ("X", "O", style.free))
    seen = range(columns[0] - reach, columns[-1] - reach + 1)
    for row in rows:
        found = [marks.get((column, row - reach)) for column in seen]
        texts = [empty if mark is None else x if mark is _X else o for mark in found]
        lines.append(f"{row + 1:>{ruler}}{_GAP}" + " ".join(texts))
    text, left = "\n".join(lines), ruler + len(_GAP) + width - 1
    text = bracketed(text, _spans(latest, shown, left, width + 1), style)
    if line is not None and shown == whole(size):
        text = _with_line(text, line, left, width + 1, style)
    return trimmed(text, left, style)


def _spans(cells: Iterable[Cell], shown: Window, left: int, step: int) -> Iterator[Span]:
    """Yield where a drawing has those cells that the window shows."""
    for column, row in cells:
        if column in shown.columns and row in shown.rows:
            place = left + step * (column - shown.columns[0])
            yield Span(1 + row - shown.rows[0], place, place)


def overview(grid: Grid, shown: Window, style: Style = ASCII) -> str:
    """Return the whole grid in small, each square of it one character.

    That is X or O if only one side has symbols, * if both have, else ~ in the part that `shown`
    shows and . outside it. The ends of its line are marked.
    """
    size, marks, line, _ = grid
    side, reach = square_of(size, style), size // 2
    names = [column_name(column) for column in range(0, size, side)]
    width = len(names[-1])
    signs_used = ("X", "O", "*", style.free, style.empty)
    mark_x, mark_o, both, seen, unseen = (f"{sign:>{width}}" for sign in signs_used)
    columns, rows = (slice(part[0] // side, part[-1] // side + 1) for part in shown)
    signs = [[unseen] * len(names) for _ in names]
    for row in signs[rows]:
        row[columns] = [seen] * len(row[columns])
    items = marks.items()
    x = {((c + reach) // side, (r + reach) // side) for (c, r), mark in items if mark is _X}
    o = {((c + reach) // side, (r + reach) // side) for (c, r), mark in items if mark is not _X}
    for squares, sign in ((x, mark_x), (o, mark_o), (x & o, both)):
        for column, number in squares:
            signs[number][column] = sign
    lines = [" " * _RULER + _GAP + " ".join(f"{name:>{width}}" for name in names)]
    lines += [
        f"{number * side + 1:>{_RULER}}{_GAP}" + " ".join(row) for number, row in enumerate(signs)
    ]
    text, left = "\n".join(lines), _RULER + len(_GAP) + width - 1
    if line is not None:
        (first_column, first_row), (last_column, last_row) = line
        small = (first_column // side, first_row // side), (last_column // side, last_row // side)
        text = _with_line(text, small, left, width + 1, style)
    return trimmed(text, left, style)


def view(grid: Grid, shown: Window, style: Style = ASCII) -> View:
    """Return what a page shows of a wide grid: a window, where it is, the whole, and ways on.

    The ends of its line are marked in the whole, and the latest cells in the window.
    """
    size = grid.size
    return View(
        drawing(grid, shown, style),
        explanation=words_on(shown, size),
        overview=overview(grid, shown, style),
        marks_line=grid.line is not None,
        key=_key(size, style),
        ways=ways(shown, size, style),
    )


def _key(size: int, style: Style) -> Message:
    """Return what the signs of the overview mean; in a game that has ended all are empty alike."""
    side = square_of(size, style)
    if style.free == style.empty:
        # Translators: {empty} is a sign such as “.”.
        return plural(
            "Each sign of the small map stands for a square of {count} by {count} cell. X or O "
            "means that only that side has symbols there, * that both have. Squares without "
            "symbols are {empty}.",
            "Each sign of the small map stands for a square of {count} by {count} cells. X or O "
            "means that only that side has symbols there, * that both have. Squares without "
            "symbols are {empty}.",
            count=side,
            empty=style.empty,
        )
    # Translators: {free} and {empty} are signs such as “~” and “.”.
    return plural(
        "Each sign of the small map stands for a square of {count} by {count} cell. X or O means "
        "that only that side has symbols there, * that both have. Squares without symbols are "
        "{free} in the part above and {empty} elsewhere.",
        "Each sign of the small map stands for a square of {count} by {count} cells. X or O means "
        "that only that side has symbols there, * that both have. Squares without symbols are "
        "{free} in the part above and {empty} elsewhere.",
        count=side,
        free=style.free,
        empty=style.empty,
    )


def square_of(size: int, style: Style = ASCII) -> int:
    """Return the side, in cells, of the square that one character of the overview represents.

    >>> square_of(27), square_of(301), square_of(2001)
    (2, 17, 143)
    """
    room = _room(size, style) + 1 - len(" <")
    squares = min(MAX_OVERVIEW, room // (len(column_name(size - 1)) + 1))
    return -(-size // squares)


def ways(shown: Window, size: int, style: Style = ASCII) -> tuple[tuple[Message, str], ...]:
    """Return where a window can be moved to, in words, and the cell to look at for it."""
    column, row = shown.middle()
    across, down = len(shown.columns) - _KEPT, len(shown.rows) - _KEPT
    left, right = max(column - across, 0), min(column + across, size - 1)
    up, down = max(row - down, 0), min(row + down, size - 1)
    cells = (left, row), (right, row), (column, up), (column, down)
    windows = [window([cell], size, style) for cell in cells]
    to_left, to_right, above, below = windows
    labels = (
        # Translators: {first} and {last} are letters of columns.
        message("Further left: columns {first} to {last}").filled(**_columns(to_left)),
        # Translators: {first} and {last} are letters of columns.
        message("Further right: columns {first} to {last}").filled(**_columns(to_right)),
        message("Further up: rows {first} to {last}").filled(**_rows(above)),
        message("Further down: rows {first} to {last}").filled(**_rows(below)),
    )
    return tuple(
        (label, cell_name(*cell))
        for label, cell, there in zip(labels, cells, windows, strict=True)
        if there != shown
    )


def _columns(shown: Window) -> dict[str, str]:
    return {"first": column_name(shown.columns[0]), "last": column_name(shown.columns[-1])}


def _rows(shown: Window) -> dict[str, int]:
    return {"first": shown.rows[0] + 1, "last": shown.rows[-1] + 1}


def _with_line(text: str, line: Ends, left: int, step: int, style: Style) -> str:
    """Return the drawing of a whole grid with the ends of a line marked.

    The last letters of its columns are at `left` and then `step` apart.
    """
    (first_column, first_row), (last_column, last_row) = line
    height = text.count("\n")
    area = Area(1, height, left, left + (height - 1) * step)
    if first_row == last_row:
        return with_ends(text, area, [("row", first_row + 1)], style)
    if first_column == last_column:
        return with_ends(text, area, [("column", left + first_column * step)], style)
    run = "falling" if first_column < last_column else "rising"
    return with_ends(text, area, [(run, 0)], style)


def words_on(shown: Window, size: int) -> Message:
    """Return the sentence that says which part of a wide grid a window shows."""
    columns, rows = shown
    # Translators: {left} and {right} are letters of columns, {top} and {bottom} numbers of rows.
    return plural(
        "The grid is {count} cell wide and {count} cell high. Here are columns {left} to {right}"
        " and rows {top} to {bottom}.",
        "The grid is {count} cells wide and {count} cells high. Here are columns {left} to {right}"
        " and rows {top} to {bottom}.",
        count=size,
        left=column_name(columns[0]),
        right=column_name(columns[-1]),
        top=rows[0] + 1,
        bottom=rows[-1] + 1,
    )


def part_around(placed: Sequence[Cell], size: int, style: Style = ASCII) -> Window:
    """Return the part of a grid that shows a turn with symbols in these cells.

    That is the whole grid if two fit side by side, else what is around the symbols; if they are too
    far apart for that, the whole grid again, unless it is a wide one. In a narrow style drawings
    are one below the other.
    """
    letters = len(column_name(size - 1)) + 1
    length = _room_of_stage(size, style) // letters
    if size <= length:
        return whole(size)
    spans = [max(places) - min(places) for places in zip(*placed, strict=True)]
    if max(spans) >= length:
        at_edge = [cell for cell in placed if {*cell} & {0, size - 1}]
        if size + (2 if at_edge else 0) <= close_up_size(style):
            return whole(size)
        # One symbol alone can be shown, and one that touched the edge has made the grid grow.
        placed = (at_edge or placed)[:1]
    columns, rows = zip(*placed, strict=True)
    return Window(around(columns, length, size), around(rows, length, size))


def _room_of_stage(size: int, style: Style) -> int:
    """Return how many columns of text the cells may take in a drawing of what a turn did."""
    if style.columns >= _BOARDS_BESIDE:
        return (style.columns - len("   ->   ")) // 2 - _RULER - len(_GAP) + 1
    # The grid may grow by a column at both ends.
    return _room(size, style) - 2 * (len(column_name(size + 1)) + 1)


def grown(part: Window, size: int) -> Window:
    """Return a part of a grid of `size` as it is once the grid has grown, the new edge included."""

    def longer(places: range) -> range:
        first = 0 if places[0] == 0 else places[0] + 1
        last = size + 1 if places[-1] == size - 1 else places[-1] + 1
        return range(first, last + 1)

    return Window(longer(part.columns), longer(part.rows))
