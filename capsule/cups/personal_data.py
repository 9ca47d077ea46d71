"""Export and erasure of a player's entries to cups."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capsule.context import PersonalData
from capsule.cups import entry_queries, queries

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sqlalchemy import Connection

    from capsule.accounts.model import Player
    from capsule.context import AppContext


def export(_context: AppContext, connection: Connection, player: Player) -> Mapping[str, object]:
    """Return the cups that the player has entered, and those they have won."""
    return queries.details_of(connection, player.id)


def erase(_context: AppContext, connection: Connection, player: Player) -> None:
    """Take back the player's entries to cups ahead; others stay, a former player's."""
    entry_queries.remove_entries_ahead(connection, player.id)


PERSONAL_DATA = PersonalData(export, erase)
