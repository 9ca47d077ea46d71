"""Reading and writing cups and their entries."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from operator import attrgetter
from typing import Any

import sqlalchemy as sa

from capsule.accounts import names, queries as account_queries
from capsule.cups.model import AHEAD, WHOLE_CUP, Cup, CupStatus, CupWinner, Entrant
from capsule.db.expressions import exists
from capsule.db.mapper import Mapper, Stored
from capsule.db.schema.games import games
from capsule.db.schema.players import players
from capsule.db.schema.tournaments import cup_entries as entries, cup_winners as winners, cups
from capsule.games.model import GameStatus
from capsule.games.queries import variant_stored
from capsule.languages.dates import Month

_CUP = Mapper(
    Cup,
    cups,
    month=Stored((cups.c.month,), Month.parse, attrgetter("key")),
    variant=variant_stored(cups.c.variant),
    # It is counted where entries are stored.
    entrants=Stored((cups.c.entrants,), int),
)
_WINNER = Mapper(
    CupWinner,
    winners,
    month=Stored((winners.c.month,), Month.parse, attrgetter("key")),
    group=winners.c.group_number,
    name=Stored(
        (players.c.name, account_queries.is_banned()),
        lambda name, is_banned: names.shown_name(name, is_struck_out=is_banned),
    ),
)
_WINNERS = _WINNER.select.join(players, players.c.id == winners.c.player_id)

MAX_WON = 50
"""The cups won that a profile shows."""

# Statements of the most popular pages are made once: making one costs more than running it.
_PLAYER = sa.bindparam("player_id", type_=sa.Integer)
_LIMIT = sa.bindparam("limit", type_=sa.Integer)
_WITH_STATUS = (
    _CUP.select.where(cups.c.status.in_(sa.bindparam("statuses", expanding=True)))
    .order_by(cups.c.month)
    .limit(_LIMIT)
)
_NEWEST = _CUP.select.order_by(cups.c.month.desc()).limit(_LIMIT)
_ENTERED_AHEAD = (
    _CUP.select.join(entries, entries.c.month == cups.c.month)
    .where(entries.c.player_id == _PLAYER, cups.c.status.in_(AHEAD))
    .order_by(cups.c.month)
    .limit(_LIMIT)
)
_WON = (
    _CUP.select.join(winners, winners.c.month == cups.c.month)
    .where(winners.c.player_id == _PLAYER, winners.c.group_number == WHOLE_CUP)
    .order_by(cups.c.month.desc())
    .limit(MAX_WON)
)


def cup_of(connection: sa.Connection, month: Month, *, to_change: bool = False) -> Cup | None:
    """Return the cup of a month, or None.

    `to_change` locks it until the transaction ends.
    """
    statement = _CUP.select.where(cups.c.month == month.key)
    if to_change:
        statement = statement.with_for_update(key_share=True)
    return _CUP.fetch_first(connection, statement)


def cups_with(
    connection: sa.Connection, statuses: Iterable[CupStatus], limit: int
) -> Sequence[Cup]:
    """Return the first cups with one of these statuses, in the order of their months."""
    values = {"statuses": tuple(statuses), "limit": limit}
    return _CUP.fetch_all(connection, _WITH_STATUS, values)


def last_cups(connection: sa.Connection, before: Month | None, limit: int) -> Sequence[Cup]:
    """Return the cups that are over, the last first: all, or those before a month."""
    statement = _CUP.select.where(cups.c.status.in_((CupStatus.FINISHED, CupStatus.NOT_PLAYED)))
    if before is not None:
        statement = statement.where(cups.c.month < before.key)
    statement = statement.order_by(cups.c.month.desc()).limit(limit)
    return _CUP.fetch_all(connection, statement)


def newest_cups(connection: sa.Connection, limit: int) -> Sequence[Cup]:
    """Return the last cups of every status, the last first."""
    return _CUP.fetch_all(connection, _NEWEST, {"limit": limit})


def add_cup(connection: sa.Connection, cup: Cup) -> None:
    """Store a new cup; the transaction meets a `Conflict` if its month has one."""
    connection.execute(sa.insert(cups), _CUP.values(cup))


def remove_cup(connection: sa.Connection, month: Month) -> None:
    """Remove a cup that nobody has entered."""
    connection.execute(sa.delete(cups).where(cups.c.month == month.key))


def save_cup(connection: sa.Connection, cup: Cup) -> None:
    """Store the state of a cup."""
    stored = sa.update(cups).where(cups.c.month == cup.month.key)
    connection.execute(stored.values(_CUP.values(cup)))


def cups_entered_ahead(connection: sa.Connection, player_id: int, limit: int) -> Sequence[Cup]:
    """Return the cups that a player has entered and that have not begun."""
    values = {"player_id": player_id, "limit": limit}
    return _CUP.fetch_all(connection, _ENTERED_AHEAD, values)


def unsettled_groups(connection: sa.Connection, month: Month) -> Collection[int]:
    """Return the numbers of groups of which it is not stored which players have stayed."""
    statement = sa.select(entries.c.group_number).where(
        entries.c.month == month.key, entries.c.has_stayed.is_(None)
    )
    return connection.execute(statement.distinct()).scalars().all()


def progress_of(
    connection: sa.Connection, tournament_ids: Collection[str]
) -> Mapping[str, sa.Row[Any]]:
    """Return how many `games` tournaments have, and how many of them have `ended`, by their ids."""
    ended = sa.func.count().filter(games.c.status != GameStatus.PLAYING)
    statement = (
        sa.select(games.c.tournament_id, sa.func.count().label("games"), ended.label("ended"))
        .where(games.c.tournament_id.in_(tuple(tournament_ids)))
        .group_by(games.c.tournament_id)
    )
    return {row.tournament_id: row for row in connection.execute(statement)}


def add_winners(
    connection: sa.Connection, month: Month, group: int, player_ids: Iterable[int]
) -> None:
    """Store the winners of a group, or of the whole cup."""
    for player_id in player_ids:
        connection.execute(
            sa.insert(winners).values(month=month.key, group_number=group, player_id=player_id)
        )


def winners_of(
    connection: sa.Connection,
    months: Iterable[Month],
    now: datetime,
    limit: int | None = None,
    *,
    with_groups: bool = False,
) -> Sequence[CupWinner]:
    """Return the winners of cups, the last cup first; `with_groups`, also those of the groups."""
    statement = (
        _WINNERS.where(winners.c.month.in_([month.key for month in months]))
        .order_by(winners.c.month.desc(), winners.c.group_number, winners.c.player_id)
        .limit(limit)
    )
    if not with_groups:
        statement = statement.where(winners.c.group_number == WHOLE_CUP)
    return _WINNER.fetch_all(connection, statement, {"now": now})


def cups_won_by(connection: sa.Connection, player_id: int) -> Sequence[Cup]:
    """Return the last cups that a player has won, alone or with others, the last first."""
    return _CUP.fetch_all(connection, _WON, {"player_id": player_id})


_ENTRANT = Mapper(
    Entrant,
    entries,
    name=sa.case((account_queries.is_banned(), ""), else_=players.c.name),
    is_banned=account_queries.is_banned(),
    is_program=players.c.program_since.is_not(None),
)
_ENTRANTS = _ENTRANT.select.join(players, players.c.id == entries.c.player_id)


def entrants_of(
    connection: sa.Connection,
    month: Month,
    now: datetime,
    limit: int | None = None,
    **where: object,
) -> Sequence[Entrant]:
    """Return the first entrants of a cup, in the order of their entries; all without a limit.

    Those whose columns have other values than `where` are left out.
    """
    statement = _ENTRANTS.where(
        entries.c.month == month.key, *(entries.c[name] == value for name, value in where.items())
    ).order_by(entries.c.entered_at, entries.c.player_id)
    return _ENTRANT.fetch_all(connection, statement.limit(limit), {"now": now})


def entries_of(
    connection: sa.Connection, player_id: int, now: datetime, limit: int
) -> Mapping[Month, Entrant]:
    """Return a player's last entries by month, the last first."""
    statement = (
        _ENTRANTS.add_columns(entries.c.month)
        .where(entries.c.player_id == player_id)
        .order_by(entries.c.month.desc())
        .limit(limit)
    )
    rows = connection.execute(statement, {"now": now})
    return {Month.parse(row.month): _ENTRANT.read(row) for row in rows}


def add_entries(
    connection: sa.Connection,
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
        connection.execute(sa.insert(entries), rows)
        _count(connection, month, len(rows))


def remove_entries(connection: sa.Connection, month: Month, player_ids: Collection[int]) -> None:
    """Remove players' entries to a cup."""
    removed = connection.execute(sa.delete(entries).where(*_of(month, player_ids)))
    if removed.rowcount:
        _count(connection, month, -removed.rowcount)


def _count(connection: sa.Connection, month: Month, change: int) -> None:
    number = cups.c.entrants + change
    connection.execute(sa.update(cups).where(cups.c.month == month.key).values(entrants=number))


def have_entered(connection: sa.Connection, month: Month, player_ids: Collection[int]) -> bool:
    """Return whether one of these players has entered a cup."""
    return exists(connection, *_of(month, player_ids))


def change_entries(
    connection: sa.Connection, month: Month, player_ids: Collection[int], **values: object
) -> None:
    """Change columns of players' entries to a cup."""
    connection.execute(sa.update(entries).where(*_of(month, player_ids)).values(values))


def _of(month: Month, player_ids: Collection[int]) -> Sequence[sa.ColumnElement[bool]]:
    return entries.c.month == month.key, entries.c.player_id.in_(tuple(player_ids))
