"""Setting up a new game: who sits where, on which terms, and how many games anyone may have."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capsule.accounts import player_queries
from capsule.errors import OutdatedAction

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from capsule.accounts.model import Player
    from capsule.context import AppContext


def consume_action(connection: Connection, player: Player) -> None:
    """Count an action outside games; `OutdatedAction` where there was one since `player` was read.

    So a link outside games acts once, and what the player does outside games happens in order:
    other actions wait until the transaction ends.
    """
    if not player_queries.count_action_after(connection, player.id, player.actions):
        raise OutdatedAction


def require_active(context: AppContext, connection: Connection, player: Player) -> None:
    """Raise `OutdatedAction` where a player was erased or shut out since `player` was read.

    For what is not counted by `count_action`, and before anything else is held: neither happens
    then until the transaction ends.
    """
    known = player_queries.player_by_id(connection, player.id, to_stay=True)
    if known is None or not known.name or known.is_banned(context.clock()):
        raise OutdatedAction
