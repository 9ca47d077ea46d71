"""Reading and writing the requests that players' actions have carried out."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from sqlalchemy import Date, bindparam, delete, select

from capsule.db.schema.players import carried_out
from capsule.db.upserting import save

if TYPE_CHECKING:
    from datetime import date

    from sqlalchemy import Connection

REMEMBERED = timedelta(days=7)
"""The time for which a request that was carried out leads where it led, if it is repeated."""

_GOAL = select(carried_out.c.goal).where(
    carried_out.c.player_id == bindparam("of"),
    carried_out.c.request == bindparam("repeated"),
    carried_out.c.day >= bindparam("since", type_=Date),
)


def record(connection: Connection, player_id: int, request: bytes, goal: str, today: date) -> None:
    """Record that a player's request was carried out, and the address that it led to."""
    # A key may fit a second time where a count can fall, as that of texts that can be taken away.
    values = {"player_id": player_id, "request": request, "goal": goal, "day": today}
    save(connection, carried_out, values)


def goal_of(connection: Connection, player_id: int, request: bytes, today: date) -> str | None:
    """Return the address to which a player's request led, None if it was not carried out lately."""
    which = {"of": player_id, "repeated": request, "since": today - REMEMBERED}
    goal: str | None = connection.scalar(_GOAL, which)
    return goal


def delete_old(connection: Connection, today: date) -> None:
    """Delete the requests of more than a week ago."""
    connection.execute(delete(carried_out).where(carried_out.c.day < today - REMEMBERED))
