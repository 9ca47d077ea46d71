"""Counting the games and the seats on which there are limits.

The tables of tournaments and cups, which may bring games, are read here and not in their own
packages, since every new game needs them; games know nothing else about them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import (
    Integer,
    bindparam,
    exists,
    func,
    literal,
    null,
    or_,
    select,
    union_all,
)

from capsule.db.schema.absences import is_present
from capsule.db.schema.cups import cup_entries, cup_winners, cups
from capsule.db.schema.games import games
from capsule.db.schema.tournaments import tournament_seats as seats
from capsule.db.schema.tournaments import tournaments
from capsule.games.status import RUNNING, GameStatus

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from sqlalchemy import BindParameter, Connection, Select


_PLAYER: BindParameter[int] = bindparam("player_id", type_=Integer)

_ALL_SEATS = seats.alias()

MAX_IN_CUP_GROUP = 6
"""The most players of a group of a monthly cup."""

_TOURNAMENTS_AHEAD = (
    select(
        tournaments.c.seats,
        select(func.count())
        .where(_ALL_SEATS.c.tournament_id == tournaments.c.id)
        .scalar_subquery()
        .label("taken"),
        tournaments.c.fill_level,
    )
    .join(seats, seats.c.tournament_id == tournaments.c.id)
    .where(
        seats.c.player_id == _PLAYER,
        tournaments.c.status == "announced",
        is_present(tournaments.c.variant),
    )
)

_CUPS_AHEAD = (
    select(literal(MAX_IN_CUP_GROUP), literal(MAX_IN_CUP_GROUP), null())
    .select_from(cup_entries)
    .join(cups, cups.c.month == cup_entries.c.month)
    .where(cup_entries.c.player_id == _PLAYER, cups.c.status.in_(("coming", "entering")))
)

# One player of each group, for those who are still in the running.
_FINALS_AHEAD = (
    select(cups.c.group_count, cups.c.group_count, null())
    .select_from(seats)
    .join(tournaments, tournaments.c.id == seats.c.tournament_id)
    .join(cups, cups.c.month == tournaments.c.cup)
    .where(
        seats.c.player_id == _PLAYER,
        seats.c.left_at.is_(None),
        cups.c.status == "groups",
        cups.c.group_count > 1,
        or_(
            tournaments.c.status == "playing",
            exists().where(cup_winners.c.month == cups.c.month, cup_winners.c.player_id == _PLAYER),
        ),
    )
)

_SEATS_AHEAD = union_all(_TOURNAMENTS_AHEAD, _CUPS_AHEAD, _FINALS_AHEAD)

_GAMES = select(func.count()).where(
    or_(games.c.x_player_id == _PLAYER, games.c.o_player_id == _PLAYER),
    is_present(games.c.variant),
)

_UNFINISHED = _GAMES.where(games.c.status.in_(RUNNING))

_UNFINISHED_AGAINST_BOTS = _UNFINISHED.where(
    or_(games.c.x_bot.is_not(None), games.c.o_bot.is_not(None))
)

_OFFERED = _GAMES.where(games.c.status == GameStatus.WAITING, games.c.listed)


@dataclass(frozen=True, slots=True)
class SeatAhead:
    """A player's seat in a tournament that has not started, of whose seats some are `taken`.

    `fill_level` is the level of the bots that may take the empty seats, None if these stay empty.
    """

    seat_count: int
    taken: int
    fill_level: str | None


def seats_ahead(connection: Connection, player_id: int) -> Sequence[SeatAhead]:
    """Return a player's seats in tournaments that have not started, or in parts of cups."""
    return [
        SeatAhead(seat_count=row.seats, taken=row.taken, fill_level=row.fill_level)
        for row in connection.execute(_SEATS_AHEAD, {"player_id": player_id})
    ]


def count_unfinished(connection: Connection, player_id: int, *, against_bots: bool = False) -> int:
    """Return the number of a player's unfinished games: all, or only those `against_bots`."""
    statement = _UNFINISHED_AGAINST_BOTS if against_bots else _UNFINISHED
    return connection.execute(statement, {"player_id": player_id}).scalar_one()


def count_offered(connection: Connection, player_id: int) -> int:
    """Return the number of listed games in which a player waits for anyone to take a seat."""
    return connection.execute(_OFFERED, {"player_id": player_id}).scalar_one()


def seats_taken_by(player_id: int) -> Select[datetime]:
    """Return the statement of the times at which a player took open seats."""
    return select(games.c.started_at).where(games.c.seat_taken_by == player_id)
