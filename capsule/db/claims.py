"""Claims on work that is to be done once, by whichever process and machine comes first.

They save work and keep nothing from being done twice: whoever stores a result still checks that
nobody else has. Machines' clocks may differ a little, and a claim of a holder that has died lapses.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from sqlalchemy import delete, insert, or_, update

from capsule.db.faults import Conflict
from capsule.db.schema.claims import claims

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from capsule.db.database import Database


HOLDER_BYTES = 16


@dataclass(frozen=True)
class Claims:
    """The claims of one holder; `clock` returns the time, aware and in UTC."""

    database: Database
    clock: Callable[[], datetime]
    holder: str

    def claim(self, name: str, seconds: float) -> bool:
        """Claim some work for so many seconds from now; return False if another holder has it.

        Whoever holds the claim already has it for longer then. Raises a `DatabaseFault`.
        """
        now = self.clock()
        expires_at = now + timedelta(seconds=seconds)
        is_free = or_(claims.c.holder == self.holder, claims.c.expires_at <= now)
        try:
            with self.database.writing() as connection:
                taken_over = connection.execute(
                    update(claims)
                    .where(claims.c.name == name, is_free)
                    .values(holder=self.holder, expires_at=expires_at)
                )
                if not taken_over.rowcount:
                    connection.execute(
                        insert(claims).values(name=name, holder=self.holder, expires_at=expires_at)
                    )
        except Conflict:
            return False
        return True

    def release(self, name: str) -> None:
        """Give a claim up, if this holder has it. Raises a `DatabaseFault`."""
        with self.database.writing() as connection:
            connection.execute(
                delete(claims).where(claims.c.name == name, claims.c.holder == self.holder)
            )

    def release_all(self) -> None:
        """Give up all claims of this holder. Raises a `DatabaseFault`."""
        with self.database.writing() as connection:
            connection.execute(delete(claims).where(claims.c.holder == self.holder))

    def forget_lapsed(self) -> None:
        """Delete the claims of all holders that have lapsed. Raises a `DatabaseFault`."""
        with self.database.writing() as connection:
            connection.execute(delete(claims).where(claims.c.expires_at <= self.clock()))


def new_holder(random_bytes: Callable[[int], bytes]) -> str:
    """Return a name for a holder that nobody else has."""
    return random_bytes(HOLDER_BYTES).hex()
