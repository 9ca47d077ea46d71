"""Export and erasure of a player's part in tournaments."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capsule.context import PersonalData
from capsule.games.status import EndReason
from capsule.tournaments import queries as tournament_queries
from capsule.tournaments.withdrawal import end_games

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sqlalchemy import Connection

    from capsule.accounts.model import Player
    from capsule.context import AppContext


def export(_context: AppContext, connection: Connection, player: Player) -> Mapping[str, object]:
    """Return the tournaments that the player has announced, and the seats they have taken."""
    return tournament_queries.details_of(connection, player.id)


def erase(context: AppContext, connection: Connection, player: Player) -> None:
    """End the player's games, leave their tournaments, and erase the titles that they gave.

    Their seats stay in the crosstables, a former player's.
    """
    end_games(context, connection, player, EndReason.ERASED)
    tournament_queries.erase_titles(connection, player.id)


PERSONAL_DATA = PersonalData(export, erase)
