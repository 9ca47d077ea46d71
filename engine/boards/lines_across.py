"""The lines across a square grid: its rows, columns and main diagonals, from side to side.

Cells are counted from the middle of the grid, which is (0, 0) however far the grid reaches.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TypeAlias

from engine.cells import Cell
from engine.game import Side

Line: TypeAlias = tuple[int, int]
"""A direction, and which row or column it is; 0 for a diagonal."""

ROW, COLUMN, FALLING, RISING = range(4)


def lines_through(cell: Cell) -> Sequence[Line]:
    """Return the lines that a cell is on."""
    column, row = cell
    lines = [(ROW, row), (COLUMN, column)]
    if column == row:
        lines.append((FALLING, 0))
    if column == -row:
        lines.append((RISING, 0))
    return lines


def cell_on(line: Line, place: int) -> Cell:
    """Return a cell of a line, by its place from the middle: rightwards, of a column downwards."""
    direction, number = line
    if direction == ROW:
        return place, number
    if direction == COLUMN:
        return number, place
    return place, place if direction == FALLING else -place


def cells_of(line: Line, reach: int) -> Sequence[Cell]:
    """Return the cells of a line in a grid that reaches so far from its middle."""
    return [cell_on(line, place) for place in range(-reach, reach + 1)]


def ends_of(line: Line, reach: int) -> tuple[Cell, Cell]:
    """Return the two cells of a line that are on the edge of the grid."""
    return cell_on(line, -reach), cell_on(line, reach)


class LineCounts:
    """The number of symbols of each side on each line that has any."""

    def __init__(self, symbols: Mapping[Cell, Side], reach: int) -> None:
        self.reach = reach
        lines: dict[Side, list[Line]] = {side: [] for side in Side}
        for cell, side in symbols.items():
            lines[side] += lines_through(cell)
        self.counts = {side: Counter(each) for side, each in lines.items()}

    def open_to(self, side: Side) -> dict[Line, int]:
        """Return the lines with symbols of `side` alone, and how many."""
        others = self.counts[side.other]
        return {line: count for line, count in self.counts[side].items() if line not in others}

    def ready(self, side: Side) -> Sequence[Line]:
        """Return the lines of which `side` holds all but the ends."""
        inside = 2 * self.reach - 1
        return [line for line, count in self.open_to(side).items() if count == inside]
