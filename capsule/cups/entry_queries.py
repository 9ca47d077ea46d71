"""Reading and writing entries to cups, and those who have entered."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from sqlalchemy import delete, insert, select, update

from capsule.accounts import presence_queries
from capsule.cups.model import CupStatus, Entrant
from capsule.db.mapper import Mapper
from capsule.db.schema.cups import cup_entries as entries
from capsule.db.schema.cups import cups
from capsule.db.schema.players import players
from capsule.db.schema.tournaments import tournament_seats as seats
from capsule.db.schema.tournaments import tournaments
from capsule.ui.months import Month

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from datetime import datetime

    from sqlalchemy import Connection, Row


_ENTRANT = Mapper(
    Entrant,
    entries,
    name=players.c.name,
    is_banned=None,
    is_program=players.c.program_since.is_not(None),
    group=entries.c.group_number,
)
_ENTRANTS = _ENTRANT.select.add_columns(entries.c.month, *presence_queries.BAN_COLUMNS).join(
    players, players.c.id == entries.c.player_id
)


def entrants_of(
    connection: Connection, month: Month, now: datetime, limit: int | None = None
) -> Sequence[Entrant]:
    """Return the first entrants of a cup, in the order of their entries; all without a limit."""
    statement = _ENTRANTS.where(entries.c.month == month.key).order_by(
        entries.c.entered_at, entries.c.player_id
    )
    return [_entrant(row, now) for row in connection.execute(statement.limit(limit))]


def entries_of(connection: Connection, player_id: int, limit: int) -> Mapping[Month, Entrant]:
    """Return a player's last entries by month, the last first."""
    statement = _ENTRANTS.where(entries.c.player_id == player_id).order_by(entries.c.month.desc())
    return {
        Month.parse(row.month): _entrant(row, None)
        for row in connection.execute(statement.limit(limit))
    }


def ids_of_entrants(connection: Connection, month: Month) -> Collection[int]:
    """Return the ids of all entrants of a cup."""
    statement = select(entries.c.player_id).where(entries.c.month == month.key)
    return connection.execute(statement).scalars().all()


def add_entries(
    connection: Connection,
    month: Month,
    player_ids: Collection[int],
    now: datetime,
    *,
    is_carried: bool = False,
) -> None:
    """Enter players into a cup."""
    rows = [
        {"month": month.key, "player_id": each, "entered_at": now, "is_carried": is_carried}
        for each in player_ids
    ]
    if rows:
        connection.execute(insert(entries), rows)
        _count(connection, month, len(rows))


def remove_entries(connection: Connection, month: Month, player_ids: Collection[int]) -> None:
    """Remove players' entries to a cup."""
    removed = connection.execute(
        delete(entries).where(
            entries.c.month == month.key, entries.c.player_id.in_(tuple(player_ids))
        )
    )
    if removed.rowcount:
        _count(connection, month, -removed.rowcount)


def _count(connection: Connection, month: Month, change: int) -> None:
    number = cups.c.entrants + change
    connection.execute(update(cups).where(cups.c.month == month.key).values(entrants=number))


def have_entered(connection: Connection, month: Month, player_ids: Collection[int]) -> bool:
    """Return whether one of these players has entered a cup."""
    statement = select(entries.c.player_id).where(
        entries.c.month == month.key, entries.c.player_id.in_(tuple(player_ids))
    )
    return connection.execute(statement.limit(1)).first() is not None


def remove_entries_ahead(connection: Connection, player_id: int) -> None:
    """Remove a player's entries to cups that have not begun."""
    statement = (
        select(entries.c.month)
        .join(cups, cups.c.month == entries.c.month)
        .where(
            entries.c.player_id == player_id,
            cups.c.status.in_((CupStatus.COMING, CupStatus.ENTERING)),
        )
    )
    for month in connection.execute(statement.order_by(entries.c.month)).scalars().all():
        remove_entries(connection, Month.parse(month), [player_id])


def stayers_of(connection: Connection, month: Month, now: datetime) -> Sequence[Entrant]:
    """Return the entrants who stayed to the end of a cup."""
    statement = _ENTRANTS.where(entries.c.month == month.key, entries.c.has_stayed)
    rows = connection.execute(statement.order_by(entries.c.player_id))
    return [_entrant(row, now) for row in rows]


def set_groups(connection: Connection, month: Month, groups: Sequence[Collection[int]]) -> None:
    """Store into which groups the entrants of a cup were drawn."""
    for number, player_ids in enumerate(groups, 1):
        connection.execute(
            update(entries)
            .where(entries.c.month == month.key, entries.c.player_id.in_(tuple(player_ids)))
            .values(group_number=number)
        )


def drawn_into(connection: Connection, month: Month, group: int) -> Sequence[int]:
    """Return the ids of the entrants who were drawn into a group, in the order of their ids."""
    statement = select(entries.c.player_id).where(
        entries.c.month == month.key, entries.c.group_number == group
    )
    return connection.execute(statement.order_by(entries.c.player_id)).scalars().all()


def set_stayed(
    connection: Connection, month: Month, player_ids: Collection[int], *, has_stayed: bool
) -> None:
    """Store whether players stayed to the end of a cup."""
    connection.execute(
        update(entries)
        .where(entries.c.month == month.key, entries.c.player_id.in_(tuple(player_ids)))
        .values(has_stayed=has_stayed)
    )


def set_all_stayed(connection: Connection, month: Month) -> None:
    """Store that all entrants of a cup that is not played stay for the next."""
    connection.execute(update(entries).where(entries.c.month == month.key).values(has_stayed=True))


def able_to_play(
    connection: Connection, month: Month, player_ids: Collection[int], now: datetime
) -> Sequence[int]:
    """Return those of a cup's players who have not left their groups and may play on."""
    statement = (
        _ENTRANTS.join(seats, seats.c.player_id == entries.c.player_id)
        .join(tournaments, tournaments.c.id == seats.c.tournament_id)
        .where(
            entries.c.month == month.key,
            tournaments.c.cup == month.key,
            seats.c.left_at.is_(None),
            entries.c.player_id.in_(tuple(player_ids)),
        )
    )
    found = [_entrant(row, now) for row in connection.execute(statement)]
    able = {each.player_id for each in found if each.may_play}
    return [player_id for player_id in player_ids if player_id in able]


def _entrant(row: Row[Any], now: datetime | None) -> Entrant:
    entrant = _ENTRANT.read(row)
    is_banned = presence_queries.is_row_banned(row, now)
    return replace(entrant, name="", is_banned=True) if is_banned else entrant
