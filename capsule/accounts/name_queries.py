"""Reading and writing the names that players have given up, and finding players by any name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import bindparam, delete, insert, select

from capsule.accounts.model import FormerName
from capsule.accounts.names import likeness as likeness_of
from capsule.accounts.names import look as look_of
from capsule.accounts.player_queries import player_by_id, player_by_likeness
from capsule.db.mapper import Mapper
from capsule.db.schema.players import erased_names, former_names
from capsule.db.upserting import insertion

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from sqlalchemy import Connection

    from capsule.accounts.model import Player


_FORMER_NAME = Mapper(FormerName, former_names)
_BY_LIKENESS = _FORMER_NAME.select.where(
    former_names.c.likeness == bindparam("likeness"), former_names.c.kept_until > bindparam("now")
)
_BY_LOOK = _FORMER_NAME.select.where(
    former_names.c.look == bindparam("look"), former_names.c.kept_until > bindparam("now")
)


def former_name(connection: Connection, likeness: str, now: datetime) -> FormerName | None:
    """Return the former name with this likeness that is still kept, or None."""
    values = {"likeness": likeness, "now": now}
    return _FORMER_NAME.fetch_first(connection, _BY_LIKENESS, values)


def former_names_looking_like(
    connection: Connection, name: str, now: datetime
) -> Sequence[FormerName]:
    """Return the former names that look like this name and are still kept."""
    return _FORMER_NAME.fetch_all(connection, _BY_LOOK, {"look": look_of(name), "now": now})


def former_names_of(
    connection: Connection, player_id: int, now: datetime | None = None
) -> Sequence[FormerName]:
    """Return the names that a player has given up, the one kept longest last.

    Only those that are still kept at `now`; without it, also those that are about to be deleted.
    """
    statement = _FORMER_NAME.select.where(former_names.c.player_id == player_id).order_by(
        former_names.c.kept_until, former_names.c.likeness
    )
    if now is not None:
        statement = statement.where(former_names.c.kept_until > now)
    return _FORMER_NAME.fetch_all(connection, statement)


def player_called(connection: Connection, name: str, now: datetime) -> Player | None:
    """Return the player who has a name like this one, or is still found by a former name like it.

    A text that cannot be a name finds nobody, and neither does the placeholder for an erased
    player's name.
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
    """Return the player to whom addresses with this former name lead, in upper or lower case."""
    former = former_name(connection, likeness_of(name), now)
    if former is None or not former.leads_on or former.name.lower() != name.lower():
        return None
    return player_by_id(connection, former.player_id)


def save_former_name(connection: Connection, former: FormerName, now: datetime) -> None:
    """Store a name that its player has just given up, and delete those kept until now."""
    connection.execute(delete(former_names).where(former_names.c.kept_until <= now))
    drop_former_name(connection, former.name)
    keys = {"likeness": likeness_of(former.name), "look": look_of(former.name)}
    connection.execute(insert(former_names), {**keys, **_FORMER_NAME.values(former)})


def keep_erased_name(connection: Connection, look_key: str, until: datetime, now: datetime) -> None:
    """Keep a name from everybody until a time, and delete the names that were kept until now.

    `look_key` is as `names.look_key` makes it. A name that is kept for longer stays so.
    """
    connection.execute(delete(erased_names).where(erased_names.c.kept_until <= now))
    added = insertion(connection, erased_names).values(look_key=look_key, kept_until=until)
    connection.execute(
        added.on_conflict_do_update(
            index_elements=[erased_names.c.look_key],
            set_={"kept_until": until},
            where=erased_names.c.kept_until < until,
        )
    )


def erased_name_kept_until(connection: Connection, look_key: str, now: datetime) -> datetime | None:
    """Return until when nobody can have a name, since an erased player had it; None if not so."""
    statement = select(erased_names.c.kept_until).where(
        erased_names.c.look_key == look_key, erased_names.c.kept_until > now
    )
    return connection.execute(statement).scalar_one_or_none()


def drop_former_name(connection: Connection, name: str) -> None:
    """Delete the former name of this name's likeness, since somebody has taken it."""
    connection.execute(delete(former_names).where(former_names.c.likeness == likeness_of(name)))
