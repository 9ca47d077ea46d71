"""Random games of every variant, for laws that hold in all of them."""

from __future__ import annotations

from itertools import chain, combinations, islice, pairwise, takewhile
from typing import TYPE_CHECKING, NamedTuple

import pytest

from engine import VARIANTS, IllegalMove, Position, Variant
from engine.cells import cell_name
from engine.variants.tinc import TincPosition
from tests.support.noughts import NOUGHTS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from random import Random

TINC_TURNS = 12
"""Turns after which a game of tinc, which may go on for ever, is left as it stands."""

LONGEST = {"ultimate": 81, "numeric": 9, "quantum": 9 + 4, "extreme": 162, "noughts": 9}
"""The most moves a game can take: each fills a cell. A quantum measurement settles two squares."""

each_variant = pytest.mark.parametrize(
    "variant", [*VARIANTS.values(), NOUGHTS], ids=[*VARIANTS, NOUGHTS.key]
)
"""Laws of play need no registry: they hold for a variant from outside as for the engine's own."""

each_registered_variant = pytest.mark.parametrize(
    "variant", [*VARIANTS, NOUGHTS.key], indirect=True
)
"""The same, with the one from outside plugged in, for what asks the registry."""


class Playout(NamedTuple):
    """A random game: its moves, and its positions from the start to where it was left."""

    moves: Sequence[str]
    positions: Sequence[Position]

    @property
    def last(self) -> Position:
        """The position where the game ended or was left."""
        return self.positions[-1]


def playout(variant: Variant, random: Random) -> Playout:
    """Return a game of random moves, to its end or, of tinc, to `TINC_TURNS` at most."""
    inside = random.random() < 0.5
    moves: list[str] = []
    positions = [variant.start]
    while positions[-1].outcome is None and len(moves) < LONGEST.get(variant.key, TINC_TURNS):
        position = positions[-1]
        if isinstance(position, TincPosition):
            moves.append(_tinc_move(position, random, inside=inside))
        else:
            moves.append(position.random_move(random))
        positions.append(position.play(moves[-1]))
    return Playout(moves, positions)


def _tinc_move(position: TincPosition, random: Random, *, inside: bool) -> str:
    """Return a random turn of tinc without a look at every pair.

    Random games of tinc grow and hardly ever end. In those played `inside`, both sides keep off the
    edge as long as they can and finish a line where there is one, so that most have a winner.
    """
    cells = single_cells(position)
    size = position.size
    if inside and size > 1:
        for line in _lines_across(size):
            if is_legal(position, line) and position.play(line).outcome:
                return line
        edge = {"a", "1", cell_name(size - 1, 0)[:-1], str(size)}
        cells = [cell for cell in cells if not edge & {cell[:1], cell[1:]}] or cells
    count = min(len(cells), random.randint(1, 2))
    return "+".join(cells[index] for index in sorted(random.sample(range(len(cells)), count)))


def _lines_across(size: int) -> Iterator[str]:
    """Yield a turn for both ends of each row, column and main diagonal."""
    far = size - 1
    for place in range(size):
        yield f"{cell_name(0, place)}+{cell_name(far, place)}"
        yield f"{cell_name(place, 0)}+{cell_name(place, far)}"
    yield f"{cell_name(0, 0)}+{cell_name(far, far)}"
    yield f"{cell_name(far, 0)}+{cell_name(0, far)}"


def single_cells(position: Position) -> list[str]:
    """Return the moves of one cell, which tinc yields before those of two."""
    return list(takewhile(lambda move: "+" not in move, position.legal_moves()))


def some_moves(position: Position) -> list[str]:
    """Return the legal moves; of the many of a wide tinc grid the first and a few far apart."""
    moves = iter(position.legal_moves())
    return list(chain(islice(moves, 170), islice(moves, 0, 20_000, 997)))


def is_legal(position: Position, move: str) -> bool:
    """Return whether a move in canonical notation may be played."""
    try:
        position.play(move)
    except IllegalMove:
        return False
    return True


def notations(variant: Variant, position: Position) -> list[str]:
    """Return every move that can be written in a variant, may it be played in `position` or not.

    Of tinc, whose notation has no end: the single cells of a grid one larger, and the neighbours.
    """
    return _NOTATIONS[variant.key](position)


def _tinc_notations(position: Position) -> list[str]:
    assert isinstance(position, TincPosition)
    cells = _grid(position.size + 1)
    return [*cells, *map("+".join, pairwise(cells))]


def _grid(width: int, height: int | None = None) -> list[str]:
    rows = range(width if height is None else height)
    return [cell_name(column, row) for row in rows for column in range(width)]


_NOTATIONS: Mapping[str, Callable[[Position], list[str]]] = {
    "tinc": _tinc_notations,
    "ultimate": lambda _: _grid(9),
    "numeric": lambda _: [f"{cell}={number}" for cell in _grid(3) for number in range(1, 10)],
    "quantum": lambda _: [*_grid(3), *map("+".join, combinations(_grid(3), 2))],
    "extreme": lambda _: _grid(18, 9),
    "noughts": lambda _: _grid(3),
}
