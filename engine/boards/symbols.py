"""Symbols on a grid that may grow without end."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from engine.cells import Cell
from engine.game import Side


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Symbols(Mapping["Cell", Side]):
    """The symbols on a grid: an immutable mapping of cells to sides.

    Most symbols are in a large mapping that many positions share, and the latest few in a small
    one, so that adding a turn to n symbols copies only about √n of them.

    >>> symbols = Symbols().adding([(0, 0)], Side.X)
    >>> symbols[0, 0], symbols.get((0, 1))
    (<Side.X: 'X'>, None)
    """

    _settled: Mapping[Cell, Side] = field(default_factory=dict)
    _recent: Mapping[Cell, Side] = field(default_factory=dict)

    def __getitem__(self, cell: Cell) -> Side:
        side = self._recent.get(cell)
        return self._settled[cell] if side is None else side

    def __contains__(self, cell: object) -> bool:
        return cell in self._settled or cell in self._recent

    def __iter__(self) -> Iterator[Cell]:
        yield from self._settled
        yield from self._recent

    def __len__(self) -> int:
        return len(self._settled) + len(self._recent)

    def __hash__(self) -> int:
        return hash(frozenset(self.items()))

    def __repr__(self) -> str:
        return f"Symbols({dict(self)})"

    def as_dict(self) -> dict[Cell, Side]:
        """Return a plain dictionary of the symbols, which is faster to iterate over."""
        return {**self._settled, **self._recent}

    def adding(self, cells: Iterable[Cell], side: Side) -> "Symbols":
        """Return a copy with symbols of `side` in `cells`, which must be empty."""
        recent = {**self._recent, **dict.fromkeys(cells, side)}
        if len(recent) ** 2 <= len(self._settled):
            return Symbols(self._settled, recent)
        return Symbols({**self._settled, **recent})
