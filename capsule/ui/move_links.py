"""Links for single moves, which a page has if there are few."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine import Position

MAX_MOVE_LINKS = 12
"""The largest number of legal moves that have links; of more, one is typed."""


def linked_moves(position: Position) -> Sequence[str]:
    """Return the legal moves of a position if there are few enough for links, else none.

    >>> from engine import VARIANTS
    >>> len(linked_moves(VARIANTS["tinc"].start)), len(linked_moves(VARIANTS["extreme"].start))
    (1, 0)
    """
    moves = tuple(islice(position.legal_moves(), MAX_MOVE_LINKS + 1))
    return moves if len(moves) <= MAX_MOVE_LINKS else ()
