"""The lines of a side of tinc that are ready or one turn from it, and their defences.

A line is ready if one side holds all of it except its two ends: it is filled, and the game won, by
a turn that places both. `engine.bots.solvers.tinc` says why nothing but the edge helps against one.
"""

from collections.abc import Collection, Sequence
from functools import cached_property
from itertools import combinations

from engine.boards.lines_across import Line, cells_of
from engine.cells import Cell
from engine.game import Side
from engine.variants.tinc import TincPosition

A_TURN = 2
"""The largest number of symbols that a turn places."""


class Lines:
    """The lines of one side in a position that hold no symbol of the other."""

    def __init__(self, position: TincPosition, side: Side) -> None:
        self.reach, self._symbols = position.reach, position.symbols
        inside = 2 * self.reach - 1
        self._missing = {
            line: inside - count for line, count in position.lines().open_to(side).items()
        }

    def lacking(self, least: int, most: int) -> Sequence[Line]:
        """Return the lines that lack this number of symbols, not counting their two ends."""
        return [line for line, missing in self._missing.items() if least <= missing <= most]

    @cached_property
    def ready(self) -> Sequence[Line]:
        """The lines that lack nothing but their ends."""
        return self.lacking(0, 0)

    @cached_property
    def short(self) -> Sequence[Line]:
        """The lines that one turn makes ready: they lack one symbol or two."""
        return self.lacking(1, A_TURN)

    def gaps(self, line: Line) -> frozenset[Cell]:
        """Return the empty cells of a line, its ends not counted."""
        cells = cells_of(line, self.reach - 1)
        return frozenset(cell for cell in cells if cell not in self._symbols)

    def longest(self) -> Sequence[Line]:
        """Return the lines that lack something, those that lack the least first."""
        return sorted(self.lacking(1, 2 * self.reach), key=lambda line: (self._missing[line], line))


def stops(targets: Collection[Collection[Cell]]) -> tuple[Cell, ...] | None:
    """Return the fewest cells, two at most, that hit every target; None if two cannot.

    Of several such choices it is the first in the order of the cells.

    >>> stops([{(0, 0), (1, 0)}, {(1, 0), (2, 0)}])
    ((1, 0),)
    >>> stops([{(0, 0)}, {(1, 0)}, {(2, 0)}]) is None
    True
    """
    cells = sorted({cell for target in targets for cell in target})
    for count in range(A_TURN + 1):
        for chosen in combinations(cells, count):
            if all(any(cell in target for cell in chosen) for target in targets):
                return chosen
    return None
