"""Links for single moves, which a page has if there are few."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine import Position

MAX_MOVE_LINKS = 12
"""The largest number of legal moves that have links; of more, one is typed."""

MAX_NARROW_LINKS = 18
"""The same where a screen is narrow, as on a phone, on which typing takes longer than scrolling.

Most turns of extreme have as many: those of two small boards.
"""


def linked_moves(position: Position, most: int = MAX_MOVE_LINKS) -> Sequence[str]:
    """Return the legal moves of a position if there are few enough for links, else none.

    >>> from engine import VARIANTS
    >>> len(linked_moves(VARIANTS["tinc"].start)), len(linked_moves(VARIANTS["extreme"].start))
    (1, 0)
    """
    moves = tuple(islice(position.legal_moves(), most + 1))
    return moves if len(moves) <= most else ()
