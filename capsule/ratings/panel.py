"""What a game's page shows of ratings: whether it counts for them, and what it did to them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from capsule.ratings import update as rating_update
from capsule.ratings.model import change

if TYPE_CHECKING:
    from capsule.context import AppContext
    from capsule.games.model import Game


@dataclass(frozen=True)
class DisplayedChange:
    """Somebody's rating after a game, and what the game did to it, as both are written."""

    name: str
    rating: str
    change: str


def panel(context: AppContext, game: Game) -> dict[str, object]:
    """Return what the templates show of it."""
    stored = game.stored
    names = {"X": stored.x_name, "O": stored.o_name}
    return {
        "may_count": rating_update.may_count(stored),
        "will_count": stored.rating_number is None and rating_update.counts(stored),
        "changes": [
            DisplayedChange(names[side] or "", now.short, change(before, now))
            for side, (before, now) in rating_update.changes_of(context, stored).items()
        ],
    }
