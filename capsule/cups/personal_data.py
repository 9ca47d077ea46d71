"""Export and erasure of a player's entries to cups."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capsule.context import PersonalData
from capsule.cups import entry_queries
from capsule.db.schema.cups import cup_entries, cup_winners

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from capsule.accounts.model import Player
    from capsule.context import AppContext


def erase(_context: AppContext, connection: Connection, player: Player) -> None:
    """Take back the player's entries to cups ahead; others stay, a former player's."""
    entry_queries.remove_entries_ahead(connection, player.id)


PERSONAL_DATA = PersonalData((cup_entries, cup_winners), erase=erase)
