"""Reading and writing the seats of tournaments."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from sqlalchemy import delete, func, insert, select, update

from capsule.accounts import presence_queries
from capsule.db.mapper import Mapper
from capsule.db.schema.players import players
from capsule.db.schema.tournaments import tournament_seats as seats
from capsule.tournaments.seat import TournamentSeat

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import datetime

    from sqlalchemy import Connection, Row


_SEAT = Mapper(
    TournamentSeat,
    seats,
    player_name=players.c.name,
    is_program=players.c.program_since.is_not(None),
    is_banned=None,
)
_SEATS = _SEAT.select.add_columns(*presence_queries.BAN_COLUMNS).outerjoin(
    players, players.c.id == seats.c.player_id
)


def seats_of(
    connection: Connection, tournament_id: str, banned_at: datetime | None = None
) -> Sequence[TournamentSeat]:
    """Return the seats of a tournament that are taken, in the order of their numbers.

    The names of those who are banned at a time are struck out, if one is given.
    """
    statement = _SEATS.where(seats.c.tournament_id == tournament_id).order_by(seats.c.number)
    return [_seat(row, banned_at) for row in connection.execute(statement)]


def add_seat(connection: Connection, tournament_id: str, seat: TournamentSeat) -> None:
    """Store that a player or a bot has taken a seat."""
    values = {"tournament_id": tournament_id, **_SEAT.values(seat)}
    connection.execute(insert(seats), values)


def leave_seat(
    connection: Connection,
    tournament_id: str,
    number: int,
    *,
    left_at: datetime,
    results_count: bool,
) -> None:
    """Store that a player has left a tournament that is being played."""
    connection.execute(
        update(seats)
        .where(seats.c.tournament_id == tournament_id, seats.c.number == number)
        .values(left_at=left_at, results_count=results_count)
    )


def remove_seat(connection: Connection, tournament_id: str, number: int) -> None:
    """Make a seat free again."""
    connection.execute(
        delete(seats).where(seats.c.tournament_id == tournament_id, seats.c.number == number)
    )


def count_seats(connection: Connection, tournament_ids: Iterable[str]) -> Mapping[str, int]:
    """Return how many seats of each tournament are taken; those with none are left out."""
    statement = (
        select(seats.c.tournament_id, func.count().label("taken"))
        .where(seats.c.tournament_id.in_(tuple(tournament_ids)))
        .group_by(seats.c.tournament_id)
    )
    return {row.tournament_id: row.taken for row in connection.execute(statement)}


def _seat(row: Row[Any], banned_at: datetime | None) -> TournamentSeat:
    seat = _SEAT.read(row)
    is_banned = presence_queries.is_row_banned(row, banned_at)
    return replace(seat, player_name="", is_banned=True) if is_banned else seat
