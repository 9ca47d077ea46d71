"""Whether a player is present: has a name, and is not banned at the time `now`.

Every list of players and every offer to play asks this, in a query or by `Player.is_present`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy import and_, bindparam, or_, select

from capsule.accounts.model import Sanctions
from capsule.db.schema.base import Moment
from capsule.db.schema.players import players

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy import ColumnElement, FromClause, Row


_NOW = bindparam("now", type_=Moment)

BAN_COLUMNS = (players.c.banned_for, players.c.banned_until)
"""The columns that `is_row_banned` reads."""


def is_banned(player: FromClause = players) -> ColumnElement[bool]:
    """Return the condition that a player is banned at the time `now`."""
    is_for_good_or_goes_on = or_(player.c.banned_until.is_(None), player.c.banned_until > _NOW)
    return and_(player.c.banned_for.is_not(None), is_for_good_or_goes_on)


def is_present(player: FromClause = players) -> ColumnElement[bool]:
    """Return the condition that a player has a name and is not banned at the time `now`."""
    return and_(player.c.name != "", ~is_banned(player))


BANNED = select(players.c.id).where(is_banned())
"""The ids of those who are banned at the time `now`, from an index that has nobody else."""


def is_row_banned(row: Row[Any], at: datetime | None) -> bool:
    """Return whether the player of a row is banned at a time; nobody is without one."""
    sanctions = Sanctions(ban_reason=row.banned_for, banned_until=row.banned_until)
    return at is not None and sanctions.is_ban(at)
