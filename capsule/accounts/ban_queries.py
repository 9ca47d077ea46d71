"""Bans of the players whom rows of other features name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from capsule.accounts.model import Sanctions
from capsule.db.schema.players import players

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy import Row


BAN_COLUMNS = (players.c.banned_for, players.c.banned_until)
"""The columns that `is_banned` reads."""


def is_banned(row: Row[Any], at: datetime | None) -> bool:
    """Return whether the player of a row is banned at a time; nobody is without one."""
    sanctions = Sanctions(ban_reason=row.banned_for, banned_until=row.banned_until)
    return at is not None and sanctions.is_ban(at)
