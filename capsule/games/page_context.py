"""A game's pages: as it stands, after any of its moves, and in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capsule.tournaments import actions as tournament_actions

if TYPE_CHECKING:
    from capsule.context import AppContext
    from capsule.games.model import Game


def shown(context: AppContext, game: Game) -> dict[str, object]:
    """Return what the templates of a game's pages all show."""
    stored = game.stored
    return {
        "game": game,
        "stored": stored,
        "variant": game.variant,
        "position": game.position,
        "names": {"X": stored.x_name, "O": stored.o_name},
        "turn": game.position.turn.value,
        "open_side": game.open_side and game.open_side.value,
        "last": game.recent[-1] if game.recent else None,
        "address": f"{context.origin}/play/{stored.id}",
        "tournament": tournament_actions.of_game(context, stored),
    }
