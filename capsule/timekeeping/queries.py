"""Reading and writing what the processes of a capsule know about the clock."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import insert, select, update

from capsule.db.schema.timekeeping import clock
from capsule.timekeeping.model import StoredClock, Suspicion

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy import Connection

_ONLY = 1
"""The number of the only row."""


def stored_clock(connection: Connection) -> StoredClock:
    """Return what is stored about the clock."""
    row = connection.execute(
        select(clock.c.noticed_at, clock.c.expected_at, clock.c.confirmed_at)
    ).first()
    if row is None:
        return StoredClock()
    suspicion = None if row.noticed_at is None else Suspicion(row.noticed_at, row.expected_at)
    return StoredClock(suspicion, row.confirmed_at)


def save_suspicion(connection: Connection, suspicion: Suspicion) -> None:
    """Store a jump of the clock that nobody has confirmed."""
    values = {"noticed_at": suspicion.noticed_at, "expected_at": suspicion.expected}
    changed = connection.execute(update(clock).where(clock.c.id == _ONLY).values(**values))
    if not changed.rowcount:
        connection.execute(insert(clock).values(id=_ONLY, **values))


def clear_suspicion(connection: Connection) -> None:
    """Store that the clock is trusted, since it says again what was expected."""
    connection.execute(update(clock).values(noticed_at=None, expected_at=None))


def confirm(connection: Connection, moment: datetime) -> None:
    """Store that the clock is trusted, though it has jumped; it says `moment` now."""
    connection.execute(update(clock).values(noticed_at=None, expected_at=None, confirmed_at=moment))
