"""Reading and writing players' vacations."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy import insert, select, update

from capsule.clock import Vacation
from capsule.store.schema import vacations

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import datetime

    from sqlalchemy import Connection


def add_vacation(connection: Connection, player_id: int, vacation: Vacation) -> None:
    """Store a vacation of a player."""
    connection.execute(
        insert(vacations).values(
            player_id=player_id, begins_at=vacation.begins, ends_at=vacation.ends
        )
    )


def end_vacation(connection: Connection, player_id: int, now: datetime) -> None:
    """End the vacation that a player is on."""
    connection.execute(
        update(vacations)
        .where(
            vacations.c.player_id == player_id,
            vacations.c.begins_at <= now,
            vacations.c.ends_at > now,
        )
        .values(ends_at=now)
    )


def vacations_of(
    connection: Connection, player_ids: Iterable[int], since: datetime
) -> Mapping[int, Sequence[Vacation]]:
    """Return the vacations of players that ended after `since` or still will, by player."""
    found: dict[int, list[Vacation]] = {}
    statement = select(vacations.c.player_id, vacations.c.begins_at, vacations.c.ends_at).where(
        vacations.c.player_id.in_(player_ids), vacations.c.ends_at > since
    )
    rows: Sequence[Sequence[Any]] = connection.execute(statement).all()
    for player_id, begins, ends in rows:
        found.setdefault(player_id, []).append(Vacation(begins, ends))
    return found
