"""First moves and what they are worth, where that is known."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.bots.solvers import numeric, quantum
from engine.facts.model import FirstMoves
from engine.facts.sequences import first_moves
from engine.variants import VARIANTS
from engine.variants.numeric import NumericPosition
from engine.variants.quantum import QuantumPosition

if TYPE_CHECKING:
    from engine.game import Position


def beginnings(variant: str) -> tuple[FirstMoves, ...]:
    """Return the first moves of a variant, those that a symmetry makes the same together."""
    start = VARIANTS[variant].start
    return tuple(_judged(moves, start.play(moves[0])) for moves in first_moves(start))


def _judged(moves: tuple[str, ...], after: Position) -> FirstMoves:
    values = _values(after)
    if not values:
        return FirstMoves(moves, sum(1 for _ in after.legal_moves()))
    best = min(values)
    return FirstMoves(moves, len(values), best, values.count(best))


def _values(position: Position) -> list[float]:
    """Return what each of O's replies is worth to X; nothing where nobody knows."""
    if isinstance(position, NumericPosition):
        return [0.0 - value for value in numeric.values(position).values()]
    if isinstance(position, QuantumPosition):
        # After one of O's moves it is X's turn: to move, or to choose.
        return [quantum.solve(position.play(move)) for move in position.legal_moves()]
    return []
