"""The challenges that a player who is a program may decline, in the words of its settings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capsule.games.clock import DAYS_PER_MOVE
from capsule.play.terms import NO_LIMIT
from engine import VARIANTS

if TYPE_CHECKING:
    from collections.abc import Sequence

RATINGS = ("rated", "casual")
"""The words for whether a game counts for ratings."""

PACES = (*(str(days) for days in DAYS_PER_MOVE), NO_LIMIT)
"""The time limits for a move, as terms have them."""


def declinable() -> Sequence[str]:
    """Return the words for all challenges that a program may decline, as settings have them."""
    return [*VARIANTS, *PACES, *RATINGS]
