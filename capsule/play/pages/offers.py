"""The offers in a game, as its page shows them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from capsule.context import AppContext
    from capsule.games.game import Game
    from capsule.play.visits import Visit
    from engine import Side


@dataclass(frozen=True, slots=True)
class OfferSection:
    """The offers in a game, with the keys that answer them.

    `taken_back` lists the moves that a takeback would remove: the takeback asked for, or else one
    by the visitor.
    """

    taken_back: Sequence[str]
    draw_key: str
    takeback_key: str


def offer_section(context: AppContext, visit: Visit) -> OfferSection:
    """Return the section about a game's offers."""
    game, visitor = visit.game, visit.visitor
    turn = game.id, game.stored.turn_counter
    side_taken_back = game.stored.takeback_asked_by or visit.view.side_taken_back
    return OfferSection(
        taken_back=_moves_taken_back(game, side_taken_back),
        draw_key=visitor.draw_key(context, *turn),
        takeback_key=visitor.takeback_key(context, *turn),
    )


def _moves_taken_back(game: Game, side: Side | None) -> Sequence[str]:
    ply = None if side is None else game.ply_of_takeback(side)
    if ply is None:
        return ()
    return [move.move for move in game.recent if move.ply > ply]
