"""The first step of an action in a game: holding the player who acts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capsule.accounts import player_queries
from capsule.errors import OutdatedAction

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from capsule.accounts.model import Player
    from capsule.context import AppContext


def require_active(context: AppContext, connection: Connection, player: Player) -> None:
    """Raise `OutdatedAction` if the player was erased or banned since they were read.

    For actions that `capsule.accounts.pages.action` does not carry out. It comes before anything
    else is held: until the transaction ends, neither can happen, and other actions of the player
    wait.
    """
    known = player_queries.player_by_id(connection, player.id, to_change=True)
    if known is None or not known.is_present(context.clock()):
        raise OutdatedAction
