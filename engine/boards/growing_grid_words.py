"""A grid that grows, in words: its size, its symbols, and its cells once it has grown."""

from collections.abc import Sequence

from engine.cells import column_name
from engine.drawing.viewport import Window
from engine.game import IllegalMove, Side
from engine.messages import Message, in_context, message, plural


def words_on_size(size: int, corner: str) -> Message:
    """Return the size of the grid as a sentence; `corner` is its last cell."""
    # Translators: {corner} is the cell in the lower right corner.
    return plural(
        "The grid is {count} cell wide and {count} cell high, from a1 to {corner}.",
        "The grid is {count} cells wide and {count} cells high, from a1 to {corner}.",
        count=size,
        corner=corner,
    )


def words_on_close_up(shown: Window) -> Message:
    """Return the part of a wide grid that the close-up shows, as a sentence."""
    columns, rows = shown
    # Translators: {left} and {right} are letters of columns, {top} and {bottom} numbers of rows.
    return message(
        "The close-up shows columns {left} to {right} and rows {top} to {bottom}, around the"
        " symbols placed last.",
        left=column_name(columns[0]),
        right=column_name(columns[-1]),
        top=rows[0] + 1,
        bottom=rows[-1] + 1,
    )


def words_on_symbols(side: Side, cells: tuple[str, ...]) -> Message:
    """Return the cells that hold a symbol of a side, as a sentence."""
    if cells:
        # Translators: {cells} is a list.
        return message("{side} has {cells}.", side=side, cells=cells)
    return message("{side} has no symbol on the grid yet.", side=side)


def now_called(move: str, cells: Sequence[str]) -> Message:
    """Return a turn, and what its one or two cells are called since the grid has grown."""
    if len(cells) == 1:
        # Translators: a move and what its cell is called since the grid has grown, as a noun:
        # “You have just played a1, now b2.”
        return in_context("a move that was made", "{move}, now {cell}", move=move, cell=cells[0])
    # Translators: a move and what its cells are called since the grid has grown, as a noun:
    # “You have just played a1+c2, now b2 and d3.”
    return in_context(
        "a move that was made",
        "{move}, now {first} and {second}",
        move=move,
        first=cells[0],
        second=cells[1],
    )


def outside(cells: tuple[str, ...], corner: str) -> IllegalMove:
    """Return the refusal of a turn in one or two cells outside a grid; `corner` is its last."""
    if len(cells) == 2:
        # Translators: {cells} is a list of two cells.
        return IllegalMove(
            "{cells} are outside the grid, which now goes from a1 to {corner}",
            cells=cells,
            corner=corner,
        )
    return IllegalMove(
        "{cell} is outside the grid, which now goes from a1 to {corner}",
        cell=cells[0],
        corner=corner,
    )
