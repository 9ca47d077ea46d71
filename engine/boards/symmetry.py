"""The symmetries of square boards: the images of their cells when turned and mirrored."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from typing import NamedTuple

from engine.cells import cell_called, cell_name


class Symmetry(NamedTuple):
    """A way to lay a square onto itself; of two boards also whether they change places."""

    transposed: bool
    flipped: bool
    mirrored: bool
    exchanged: bool = False


ONE_BOARD: Sequence[Symmetry] = tuple(
    Symmetry(*parts) for parts in product((False, True), repeat=3)
)
"""The eight symmetries of a square; the first one changes nothing."""

TWO_BOARDS: Sequence[Symmetry] = tuple(
    symmetry._replace(exchanged=exchanged) for exchanged in (False, True) for symmetry in ONE_BOARD
)
"""The sixteen symmetries of two squares side by side that turn together."""


def images(
    cells: Iterable[str], size: int, symmetries: Sequence[Symmetry] = ONE_BOARD
) -> Iterator[list[str]]:
    """Yield what each symmetry makes of some cells of boards of `size` by `size`.

    The cells come in reading order each time.

    >>> [*images(["a1", "b1"], 3)][:2]
    [['a1', 'b1'], ['b1', 'c1']]
    """
    before = [cell_called(name) or (0, 0) for name in cells]
    for symmetry in symmetries:
        after = sorted(_row_and_column(symmetry, cell, size) for cell in before)
        yield [cell_name(column, row) for row, column in after]


def _row_and_column(symmetry: Symmetry, cell: tuple[int, int], size: int) -> tuple[int, int]:
    """Return the image of a cell; a second board is to the right of the first."""
    column, row = cell
    board, column = divmod(column, size)
    if symmetry.transposed:
        column, row = row, column
    if symmetry.flipped:
        row = size - 1 - row
    if symmetry.mirrored:
        column = size - 1 - column
    return row, (board ^ symmetry.exchanged) * size + column
