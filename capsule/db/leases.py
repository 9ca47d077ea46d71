"""Leases of work that one process does for all processes and machines.

They save work; a process that stores a result still checks that no other has stored one.
Machines' clocks may differ a little, and the lease of a holder that has died expires.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

import sqlalchemy as sa

from capsule.db.database import Database
from capsule.db.expressions import insertion
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
        if not self.has_rivals:
            return True
        now = self.clock()
        expires_at = now + timedelta(seconds=seconds)
        with self.database.writing() as connection:
            new = insertion(connection, leases).values(
                name=name, holder=self.holder, expires_at=expires_at
            )
            granted = connection.execute(
                new.on_conflict_do_update(
                    index_elements=["name"],
                    set_={"holder": new.excluded.holder, "expires_at": new.excluded.expires_at},
                    where=sa.or_(leases.c.holder == self.holder, leases.c.expires_at <= now),
                ).returning(leases.c.name)
            )
            return granted.first() is not None

    def release(self, name: str) -> None:
        """Release the lease of some work, if this holder has it."""
        self._delete(leases.c.name == name, leases.c.holder == self.holder)

    def release_all(self) -> None:
        """Release all leases of this holder."""
        self._delete(leases.c.holder == self.holder)

    def expire(self) -> None:
        """Delete the leases of all holders that have expired."""
        self._delete(leases.c.expires_at <= self.clock())

    def _delete(self, *conditions: sa.ColumnElement[bool]) -> None:
        if self.has_rivals:
            with self.database.writing() as connection:
                connection.execute(sa.delete(leases).where(*conditions))


def new_holder(random_bytes: Callable[[int], bytes]) -> str:
    """Return a new, unguessable name for a holder."""
    return random_bytes(16).hex()
