"""Positions from which games are played on, by the addresses of their boards."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from capsule.boards.model import BrokenLine
from capsule.boards.reading import moves_to, read_board
from capsule.errors import NotFound
from capsule.ui.query_terms import TermsRefused

if TYPE_CHECKING:
    from collections.abc import Sequence

    from capsule.boards.model import Board
    from capsule.context import Transaction
    from capsule.play.terms import GameTerms
    from engine import Side, Variant


@dataclass(frozen=True, slots=True)
class Beginning:
    """The first position of a new game: its variant's start, or a board that `moves` lead to."""

    variant: Variant
    board: Board | None = None
    moves: Sequence[str] = ()

    @property
    def first_side(self) -> Side:
        """The side that is to move first."""
        return (self.board.position if self.board else self.variant.start).turn


def beginning_of(transaction: Transaction, variant: Variant, terms: GameTerms) -> Beginning:
    """Return where a game on these terms begins.

    Raises `TermsRefused` if there is no such board, or no move is left on it.
    """
    if not terms.start:
        return Beginning(variant)
    try:
        board = read_board(transaction, variant.key, terms.start)
        if isinstance(board, BrokenLine) or board.position.outcome is not None:
            raise TermsRefused(terms.start)
        return Beginning(variant, board, moves_to(transaction, board))
    except NotFound:
        raise TermsRefused(terms.start) from None
