"""Reading and writing the day on which players were last here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import Date, Integer, bindparam, select, update

from capsule.accounts import presence_queries
from capsule.db.schema.players import players

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date, datetime

    from sqlalchemy import Connection

_ACTIVE = (
    select(players.c.name, players.c.program_since.is_not(None), players.c.active_on)
    .where(
        players.c.active_on >= bindparam("day", type_=Date),
        players.c.shows_activity,
        presence_queries.is_present(),
    )
    .order_by(players.c.active_on.desc(), players.c.id.desc())
    .limit(bindparam("limit", type_=Integer))
)


def active_since(
    connection: Connection, day: date, now: datetime, limit: int
) -> Sequence[tuple[str, bool, date]]:
    """Return up to `limit` players who were here since a day, the last ones first.

    Each is a name, whether it is a program's, and the day. Only those who are
    present and show it are among them.
    """
    rows = connection.execute(_ACTIVE, {"day": day, "now": now, "limit": limit})
    return [(name, bool(is_program), active_on) for name, is_program, active_on in rows]


def save_day(connection: Connection, player_id: int, day: date) -> None:
    """Store that a player was here on a day, unless they have just turned that off."""
    connection.execute(
        update(players)
        .where(players.c.id == player_id, players.c.shows_activity)
        .values(active_on=day)
    )


def forget_day(connection: Connection, player_id: int) -> None:
    """Forget on which day a player was last here."""
    connection.execute(update(players).where(players.c.id == player_id).values(active_on=None))


def save_shown_from(connection: Connection, player_id: int, day: date) -> None:
    """Store from which day on others see when a player was here, unless there is one already."""
    connection.execute(
        update(players)
        .where(players.c.id == player_id, players.c.activity_shown_from.is_(None))
        .values(activity_shown_from=day)
    )
