"""First moves and what they are worth, where that is known."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.facts.model import FirstMoves
from engine.facts.sequences import first_moves

if TYPE_CHECKING:
    from engine.facts.sources import FactSources


def beginnings(sources: FactSources) -> tuple[FirstMoves, ...]:
    """Return the first moves of a variant, those that a symmetry makes the same together."""
    start = sources.variant.start
    kinds: list[FirstMoves] = []
    for moves in first_moves(start):
        after = start.play(moves[0])
        if sources.reply_values is None:
            kinds.append(FirstMoves(moves, sum(1 for _ in after.legal_moves())))
        else:
            values = sources.reply_values(after)
            best = min(values)
            kinds.append(FirstMoves(moves, len(values), best, values.count(best)))
    return tuple(kinds)
