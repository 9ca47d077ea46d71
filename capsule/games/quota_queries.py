"""Reading the seats from which a player's tournaments may bring games.

The tables of tournaments are read here and not in their own package, since every new game needs
them; games know nothing else about tournaments.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import func, select

from capsule.db.schema.absences import is_present
from capsule.db.schema.tournaments import tournament_seats as seats
from capsule.db.schema.tournaments import tournaments

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import Connection


@dataclass(frozen=True, slots=True)
class SeatAhead:
    """A player's seat in a tournament that has not started, of whose seats some are `taken`.

    `fill_level` is the level of the bots that may take the empty seats, None if these stay empty.
    """

    seat_count: int
    taken: int
    fill_level: str | None


def seats_ahead(connection: Connection, player_id: int) -> Sequence[SeatAhead]:
    """Return a player's seats in tournaments that have not started."""
    all_seats = seats.alias()
    taken = (
        select(func.count())
        .where(all_seats.c.tournament_id == tournaments.c.id)
        .scalar_subquery()
        .label("taken")
    )
    statement = (
        select(tournaments.c.seats, taken, tournaments.c.fill_level)
        .join(seats, seats.c.tournament_id == tournaments.c.id)
        .where(
            seats.c.player_id == player_id,
            tournaments.c.status == "announced",
            is_present(tournaments.c.variant),
        )
    )
    return [
        SeatAhead(seat_count=row.seats, taken=row.taken, fill_level=row.fill_level)
        for row in connection.execute(statement)
    ]
