"""The line across a square grid that a turn has filled, in words."""

from collections.abc import Mapping

from engine.cells import Cell, cell_name, column_name
from engine.game import Side
from engine.messages import Message, in_context


def line_filled(
    symbols: Mapping[Cell, Side], reach: int, placed: tuple[Cell, ...], side: Side
) -> Message | None:
    """Return the words for the line that `side` has just filled, or None.

    A line is a row, a column or a main diagonal of the whole grid, and its ends are the two cells
    just `placed`. `reach` is the distance from the middle cell to the edge.
    """
    if len(placed) < 2:
        return None
    (left, top), (right, bottom) = placed
    length = 2 * reach
    across, down = right - left, bottom - top
    if {abs(across), abs(down)} - {0, length}:
        return None
    step, fall = across // length, down // length
    between = ((left + step * n, top + fall * n) for n in range(1, length))
    if any(symbols.get(cell) is not side for cell in between):
        return None
    first, last = (cell_name(column + reach, row + reach) for column, row in placed)
    if not fall:
        return in_context(
            "why a game ended",
            "{side} fills row {row}, from {first} to {last}",
            side=side,
            row=top + reach + 1,
            first=first,
            last=last,
        )
    if not step:
        return in_context(
            "why a game ended",
            "{side} fills column {column}, from {first} to {last}",
            side=side,
            column=column_name(left + reach),
            first=first,
            last=last,
        )
    return in_context(
        "why a game ended",
        "{side} fills the diagonal from {first} to {last}",
        side=side,
        first=first,
        last=last,
    )
