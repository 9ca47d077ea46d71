"""Notices of the operator's actions, kept until their player acknowledges them."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING

from capsule.moderation import queries as moderation_queries
from capsule.moderation.model import Notice, NoticeKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from capsule.accounts.model import Player, Sanctions
    from capsule.context import Transaction


def notices_for(player: Player) -> Sequence[Notice]:
    """Return the notices that a player has not acknowledged, the oldest first."""
    return _read(player.sanctions)


def with_notice(sanctions: Sanctions, notice: Notice) -> Sanctions:
    """Return a player's sanctions with one more notice."""
    return replace(sanctions, notices=_written([*_read(sanctions), notice]))


def without_notices(sanctions: Sanctions, kind: NoticeKind) -> Sanctions:
    """Return a player's sanctions without the notices of a kind, which are void."""
    others = [each for each in _read(sanctions) if each.kind is not kind]
    return replace(sanctions, notices=_written(others))


def acknowledge(transaction: Transaction, player: Player) -> None:
    """Delete the notices that the player has read."""
    moderation_queries.clear_notices(transaction.connection, player.id)


def _read(sanctions: Sanctions) -> Sequence[Notice]:
    stored: Sequence[Mapping[str, str]] = json.loads(sanctions.notices or "[]")
    return [
        Notice(
            kind=NoticeKind(each["kind"]),
            reason=each["reason"],
            old_name=each.get("old", ""),
            new_name=each.get("new", ""),
            until=datetime.fromisoformat(each["until"]) if "until" in each else None,
            game_id=each.get("game_id", ""),
            tournament_id=each.get("tournament_id", ""),
        )
        for each in stored
    ]


def _written(notices: Iterable[Notice]) -> str | None:
    """Return notices as they are stored, None if there are none; empty values are left out."""
    values = [
        {
            "kind": each.kind.value,
            "reason": each.reason,
            "old": each.old_name,
            "new": each.new_name,
            "until": each.until.isoformat() if each.until else "",
            "game_id": each.game_id,
            "tournament_id": each.tournament_id,
        }
        for each in notices
    ]
    filled = [{key: value for key, value in each.items() if value} for each in values]
    return json.dumps(filled, ensure_ascii=False) if filled else None
