"""Reading and writing the names that players had, and finding players by any of theirs."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any

from sqlalchemy import bindparam, delete, insert, select

from capsule.accounts.model import FormerName, Player
from capsule.accounts.names import likeness as likeness_of
from capsule.accounts.player_queries import player_by_id, player_by_likeness
from capsule.db.schema.players import former_names

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from sqlalchemy import Connection


_COLUMNS = tuple(former_names.c[field.name] for field in fields(FormerName))
_BY_LIKENESS = select(*_COLUMNS).where(
    former_names.c.likeness == bindparam("likeness"), former_names.c.kept_until > bindparam("now")
)


def former_name(connection: Connection, likeness: str, now: datetime) -> FormerName | None:
    """Return the former name of this likeness that is still kept, or None."""
    which = {"likeness": likeness, "now": now}
    row: Sequence[Any] | None = connection.execute(_BY_LIKENESS, which).first()
    return FormerName(*row) if row else None


def former_names_of(connection: Connection, player_id: int, now: datetime) -> Sequence[FormerName]:
    """Return the names that a player had and that are still kept, the one kept longest last."""
    statement = (
        select(*_COLUMNS)
        .where(former_names.c.player_id == player_id, former_names.c.kept_until > now)
        .order_by(former_names.c.kept_until, former_names.c.likeness)
    )
    rows: Sequence[Sequence[Any]] = connection.execute(statement).all()
    return [FormerName(*row) for row in rows]


def former_names_by(connection: Connection, player_id: int) -> list[dict[str, str]]:
    """Return every name that a player has given up, fit for JSON."""
    statement = (
        select(former_names.c.name, former_names.c.kept_until)
        .where(former_names.c.player_id == player_id)
        .order_by(former_names.c.kept_until)
    )
    return [
        {"name": row.name, "kept_until": row.kept_until.isoformat()}
        for row in connection.execute(statement)
    ]


def player_called(connection: Connection, name: str, now: datetime) -> Player | None:
    """Return the player who has a name like this one, or who had and is still found by it.

    What cannot be a name is nobody's; nor are former players found by what is kept in the place of
    theirs.
    """
    likeness = likeness_of(name)
    if not (likeness.isascii() and likeness.isalnum()):
        return None
    player = player_by_likeness(connection, likeness)
    if player is not None:
        return player
    former = former_name(connection, likeness, now)
    return player_by_id(connection, former.player_id) if former and former.leads_on else None


def player_once_called(connection: Connection, name: str, now: datetime) -> Player | None:
    """Return the player whom an address with this old name leads to, in whichever case."""
    former = former_name(connection, likeness_of(name), now)
    if former is None or not former.leads_on or former.name.lower() != name.lower():
        return None
    return player_by_id(connection, former.player_id)


def keep_former_name(connection: Connection, former: FormerName, now: datetime) -> None:
    """Keep a name that a player has just given up, and forget those that were kept until now."""
    likeness = likeness_of(former.name)
    connection.execute(delete(former_names).where(former_names.c.kept_until <= now))
    drop_former_name(connection, likeness)
    values = {field.name: getattr(former, field.name) for field in fields(FormerName)}
    connection.execute(insert(former_names).values(likeness=likeness, **values))


def drop_former_name(connection: Connection, likeness: str) -> None:
    """Forget that a name of this likeness was somebody's, since it is somebody's now."""
    connection.execute(delete(former_names).where(former_names.c.likeness == likeness))


def drop_former_names_of(connection: Connection, player_id: int) -> None:
    """Forget every name that a player had."""
    connection.execute(delete(former_names).where(former_names.c.player_id == player_id))
