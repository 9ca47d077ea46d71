"""Export and erasure of a player's votes in everyone's games."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capsule.context import PersonalData
from capsule.everyone import queries

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sqlalchemy import Connection

    from capsule.accounts.model import Player
    from capsule.context import AppContext


def export(_context: AppContext, connection: Connection, player: Player) -> Mapping[str, object]:
    """Return all votes of the player."""
    return {"votes": queries.votes_of(connection, player.id)}


def erase(_context: AppContext, connection: Connection, player: Player) -> None:
    """Erase the player's votes; the moves that were played stay."""
    queries.erase_votes(connection, player.id)


PERSONAL_DATA = PersonalData(export, erase)
