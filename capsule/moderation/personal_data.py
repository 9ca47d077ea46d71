"""What was reported by and of a player, and what the operator did: handed out, and erased."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capsule.accounts.personal_data import PersonalData
from capsule.moderation import queries as moderation_queries
from capsule.moderation import report_queries

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sqlalchemy import Connection

    from capsule.accounts.model import Player
    from capsule.context import AppContext


def export(_context: AppContext, connection: Connection, player: Player) -> Mapping[str, object]:
    """Return what the operator did about the player, and what the player has reported."""
    return {
        **moderation_queries.kept_about(connection, player),
        "reports": report_queries.reports_by(connection, player.id),
    }


def erase(_context: AppContext, connection: Connection, player: Player) -> None:
    """Erase reports by and of the player, and whom and what the operator's actions were about."""
    moderation_queries.forget(connection, player.id)
    report_queries.erase_reports(connection, player.id)


PERSONAL_DATA = PersonalData(export, erase)
