"""Export and erasure of reports by and about a player, and of the operator's actions."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from capsule.accounts.model import Sanctions
from capsule.context import PersonalData
from capsule.moderation import queries as moderation_queries
from capsule.moderation import report_queries
from capsule.moderation.model import ActionKind

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from sqlalchemy import Connection

    from capsule.accounts.model import Player
    from capsule.context import AppContext


def export(_context: AppContext, connection: Connection, player: Player) -> Mapping[str, object]:
    """Return what the operator did about the player, and what the player has reported."""
    sanctions = player.sanctions
    return {
        "operator": {
            "unread": json.loads(sanctions.notices or "[]"),
            "no_messages_until": _time(sanctions.muted_until),
            "banned_for": sanctions.ban_reason,
            "banned_until": _time(sanctions.banned_until),
            "actions": [
                {
                    "at": each.taken_at.isoformat(),
                    "action": each.kind.value,
                    "name": each.name_then,
                    "detail": each.detail,
                }
                for each in moderation_queries.actions_taken(connection, player.id)
                # It would reveal to a player that somebody has reported them.
                if each.kind is not ActionKind.CLOSE
            ],
        },
        "reports": [
            {
                "about": each.reported_name,
                "game": each.event.game_id,
                **({"comment": each.event.comment_id} if each.event.comment_id else {}),
                **({"notes": each.event.annotation_number} if each.event.annotation_number else {}),
                **({"tournament": each.event.tournament_id} if each.event.tournament_id else {}),
                "made": each.made_at.isoformat(),
                "text": each.text,
            }
            for each in report_queries.reports_by(connection, player.id)
        ],
    }


def erase(_context: AppContext, connection: Connection, player: Player) -> None:
    """Erase the reports and the sanctions, and about whom and why the operator acted."""
    report_queries.erase_reports(connection, player.id)
    moderation_queries.forget_actions(connection, player.id)
    moderation_queries.save_sanctions(connection, player.id, Sanctions())


def _time(moment: datetime | None) -> str | None:
    return None if moment is None else moment.isoformat()


PERSONAL_DATA = PersonalData(export, erase)
