"""Leases of work that one process does for all processes and machines.

They save work; a process that stores a result still checks that no other has stored one.
Machines' clocks may differ a little, and the lease of a holder that has died expires.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

import sqlalchemy as sa

from capsule.db.database import Database
from capsule.db.expressions import Insert, insertion
from capsule.db.schema.base import leases


def leases_of(database: Database, clock: Callable[[], datetime], holder: str) -> "Leases":
    """Return the leases of a holder; `clock` returns the time, aware and in UTC.

    On SQLite one process does all work, and has no rival.
    """
    has_rivals = database.engine.dialect.name != "sqlite"
    return Leases(database, clock, holder, has_rivals=has_rivals)


@dataclass(frozen=True)
class Leases:
    """The leases of one holder, stored if it `has_rivals`; else each is granted.

    Each method may raise a `DatabaseFault`.
    """

    database: Database
    clock: Callable[[], datetime]
    holder: str
    has_rivals: bool = True

    def acquire(self, name: str, seconds: float) -> bool:
        """Acquire or renew the lease of some work for that many seconds from now.

        Returns False if another holder has it.
        """
        now = self.clock()
        new = insertion(self.database.engine, leases).values(
            name=name, holder=self.holder, expires_at=now + timedelta(seconds=seconds)
        )
        return self._change(
            new.on_conflict_do_update(
                index_elements=["name"],
                set_={"holder": new.excluded.holder, "expires_at": new.excluded.expires_at},
                where=sa.or_(leases.c.holder == self.holder, leases.c.expires_at <= now),
            )
        )

    def release(self, name: str) -> None:
        """Release the lease of some work, if this holder has it."""
        mine = leases.c.holder == self.holder
        self._change(sa.delete(leases).where(leases.c.name == name, mine))

    def release_all(self) -> None:
        """Release all leases of this holder."""
        self._change(sa.delete(leases).where(leases.c.holder == self.holder))

    def expire(self) -> None:
        """Delete the leases of all holders that have expired."""
        self._change(sa.delete(leases).where(leases.c.expires_at <= self.clock()))

    def _change(self, statement: Insert | sa.Delete) -> bool:
        """Return whether a statement has changed a lease; without rivals, nothing is stored."""
        if not self.has_rivals:
            return True
        with self.database.writing() as connection:
            changed = connection.execute(statement.returning(leases.c.name))
            return changed.first() is not None


def new_holder(random_bytes: Callable[[int], bytes]) -> str:
    """Return a new, unguessable name for a holder."""
    return random_bytes(16).hex()
