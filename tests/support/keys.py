"""The keys that a player's page of a game would have."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capsule.accounts.identity import Visitor

if TYPE_CHECKING:
    from capsule.accounts.action_keys import ActionKey
    from capsule.accounts.model import Player
    from capsule.context import AppContext


def presented_key(
    context: AppContext, player: Player, game_id: str, turn_counter: int
) -> ActionKey:
    """Return the key of a page made at that turn counter, as its player presents it."""
    visitor = Visitor(player=player)
    key = visitor.game_key(context, game_id, turn_counter)
    return visitor.presented_game_key(context, game_id, key)
