"""Reading the table of a month, a slice at a time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import BigInteger, Date, Integer, bindparam, func, select, tuple_

from capsule.db.mapper import Mapper
from capsule.db.schema.players import players
from capsule.db.schema.seasons import season_standings
from capsule.seasons.queries import STANDING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    from sqlalchemy import Connection

    from capsule.seasons.model import Standing


@dataclass(frozen=True, slots=True)
class TablePlace:
    """A place on a table: that of the standing with this sort key and player.

    `upwards` selects the standings above it instead of those below.
    """

    sort_key: int
    player_id: int
    upwards: bool


@dataclass(frozen=True, slots=True)
class TableRow:
    """A standing with its player's name, which is "" for a former player."""

    player_id: int
    name: str
    standing: Standing


# Statements of every page are made once: making one costs more than running it.
_KEYS = (season_standings.c.sort_key, season_standings.c.player_id)
_DOWNWARDS = tuple(key.desc() for key in _KEYS)
_PLACE = tuple_(bindparam("sort_key", type_=BigInteger), bindparam("player_id", type_=Integer))
_OF_MONTH = season_standings.c.month == bindparam("month", type_=Date)
_ROW = Mapper(TableRow, season_standings, name=players.c.name, standing=STANDING)
_ROWS = (
    _ROW.select.join_from(season_standings, players, players.c.id == season_standings.c.player_id)
    .where(_OF_MONTH)
    .limit(bindparam("limit", type_=Integer))
)
_TOP = _ROWS.order_by(*_DOWNWARDS)
_BEYOND = {
    True: _ROWS.where(tuple_(*_KEYS) > _PLACE).order_by(*_KEYS),
    False: _ROWS.where(tuple_(*_KEYS) < _PLACE).order_by(*_DOWNWARDS),
}
_ABOVE = select(func.count()).where(_OF_MONTH, tuple_(*_KEYS) > _PLACE)
_OWN = _ROWS.where(season_standings.c.player_id == bindparam("player_id"))
_FIRST_MONTH = select(func.min(season_standings.c.month))


def rows_in(
    connection: Connection, month: date, limit: int, place: TablePlace | None = None
) -> Sequence[TableRow]:
    """Return up to `limit` rows of a table from the top, or beyond a place, the nearest first."""
    values: dict[str, object] = {"month": month, "limit": limit}
    statement = _TOP
    if place is not None:
        statement = _BEYOND[place.upwards]
        values |= {"sort_key": place.sort_key, "player_id": place.player_id}
    return _ROW.fetch_all(connection, statement, values)


def row_of(connection: Connection, month: date, player_id: int) -> TableRow | None:
    """Return a player's row of a table, None without points."""
    values = {"month": month, "player_id": player_id, "limit": 1}
    return _ROW.fetch_first(connection, _OWN, values)


def count_above(connection: Connection, month: date, row: TableRow) -> int:
    """Return how many players stand above a row."""
    values = {
        "month": month, "sort_key": row.standing.sort_key, "player_id": row.player_id
    }  # fmt: skip
    return connection.execute(_ABOVE, values).scalar_one()


def first_month(connection: Connection) -> date | None:
    """Return the first month with a table, None if there is none."""
    found: date | None = connection.execute(_FIRST_MONTH).scalar_one()
    return found
