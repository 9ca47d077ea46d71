"""The ways to turn and mirror a board, and what they make of a move."""

from __future__ import annotations

from functools import cache
from itertools import product
from typing import TYPE_CHECKING, NamedTuple

from engine.cells import cell_name, cells_in
from tests.support.engine.playouts import tinc_size

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine import Position, Variant

_COLUMNS = {"ultimate": 9, "numeric": 3, "quantum": 3, "extreme": 9}


class Symmetry(NamedTuple):
    """A way to lay a square onto itself; with two boards, also whether they change places."""

    transposed: bool
    left_right: bool
    up_down: bool
    boards_swapped: bool = False

    def move(self, variant: Variant, position: Position, move: str) -> str:
        """Return what becomes of a move that is made in `position`, in canonical notation."""
        size = _COLUMNS.get(variant.key) or tinc_size(position)
        if variant.key == "numeric":
            cell, number = move.split("=")
            return f"{_mirrored(self, cell, size)}={number}"
        cells = [_mirrored(self, cell, size) for cell in move.split("+")]
        return "+".join(sorted(cells, key=lambda cell: _column_and_row(cell)[::-1]))


@cache
def _mirrored(symmetry: Symmetry, cell: str, size: int) -> str:
    """Return where a cell comes to lie; a second board stands to the right of the first."""
    column, row = _column_and_row(cell)
    board, column = divmod(column, size)
    if symmetry.transposed:
        column, row = row, column
    if symmetry.left_right:
        column = size - 1 - column
    if symmetry.up_down:
        row = size - 1 - row
    return cell_name((board ^ symmetry.boards_swapped) * size + column, row)


@cache
def _column_and_row(cell: str) -> tuple[int, int]:
    (found,) = cells_in(cell) or []
    return found


def symmetries_of(variant: Variant) -> Sequence[Symmetry]:
    """Return the eight symmetries of the square; of two boards the sixteen."""
    swaps = (False, True) if variant.key == "extreme" else (False,)
    return [
        Symmetry(*parts) for parts in product((False, True), (False, True), (False, True), swaps)
    ]
