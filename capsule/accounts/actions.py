"""The first step of an action outside games: checking that its page is not out of date."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capsule.accounts import player_queries
from capsule.errors import OutdatedAction

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from capsule.accounts.model import Player
    from capsule.context import AppContext


def consume_action(connection: Connection, player: Player) -> None:
    """Count an action of the player; raise `OutdatedAction` if they have acted since.

    Thus a link acts once, and a player's actions outside games happen one after another: the next
    one waits until the transaction ends.
    """
    if not player_queries.count_action_after(connection, player.id, player.actions):
        raise OutdatedAction


def require_active(context: AppContext, connection: Connection, player: Player) -> None:
    """Raise `OutdatedAction` if the player was erased or banned since they were read.

    For actions that `consume_action` does not count. It comes before anything else is held: until
    the transaction ends, neither can happen, and other actions of the player wait.
    """
    known = player_queries.player_by_id(connection, player.id, to_change=True)
    if known is None or not known.is_present(context.clock()):
        raise OutdatedAction
