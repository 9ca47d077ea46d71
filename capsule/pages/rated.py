"""What a game's page shows of ratings: whether it counts for them, and what it did to them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from capsule import rated
from capsule.ratings import change

if TYPE_CHECKING:
    from capsule.game import Game
    from capsule.site import Site


@dataclass(frozen=True)
class Change:
    """Somebody's rating after a game, and what the game did to it, as both are written."""

    name: str
    rating: str
    change: str


def in_game(site: Site, game: Game) -> dict[str, object]:
    """Return what the templates show of it."""
    stored = game.stored
    names = {"X": stored.x_name, "O": stored.o_name}
    return {
        "may_count": rated.may_count(stored),
        "will_count": stored.rating_number is None and rated.counts(stored),
        "changes": [
            Change(names[side] or "", now.short, change(before, now))
            for side, (before, now) in rated.changes_of(site, stored).items()
        ],
    }
