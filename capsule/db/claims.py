"""Claims on work that is to be done once, by the process and machine that comes first.

They save work and keep nothing from being done twice: a process that stores a result still checks
that no other has. Machines' clocks may differ a little, and a claim of a holder that has died
lapses.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Protocol

from sqlalchemy import delete, or_

from capsule.db.database import Database
from capsule.db.expressions import insertion
from capsule.db.schema.base import claims

HOLDER_BYTES = 16


class Claims(Protocol):
    """The claims of one holder; each method may raise a `DatabaseFault`."""

    @property
    def holder(self) -> str:
        """The name of the holder."""

    def claim(self, name: str, seconds: float) -> bool:
        """Claim some work for that many seconds from now; return False if another holder has it.

        Renews the claim if this holder already has it.
        """

    def release(self, name: str) -> None:
        """Give a claim up, if this holder has it."""

    def release_all(self) -> None:
        """Give up all claims of this holder."""

    def forget_lapsed(self) -> None:
        """Delete the claims of all holders that have lapsed."""


def claims_of(database: Database, clock: Callable[[], datetime], holder: str) -> Claims:
    """Return the claims of a holder; `clock` returns the time, aware and in UTC.

    On SQLite one process does all work that is claimed.
    """
    if database.engine.dialect.name == "sqlite":
        return UncontestedClaims(holder)
    return StoredClaims(database, clock, holder)


@dataclass(frozen=True)
class UncontestedClaims:
    """The claims of the only holder that there is: each succeeds, and none is stored."""

    holder: str = ""

    def claim(self, name: str, seconds: float) -> bool:
        """Return True."""
        del name, seconds
        return True

    def release(self, name: str) -> None:
        """Do nothing."""

    def release_all(self) -> None:
        """Do nothing."""

    def forget_lapsed(self) -> None:
        """Do nothing."""


@dataclass(frozen=True)
class StoredClaims:
    """The claims of one holder among several, in the database that they share."""

    database: Database
    clock: Callable[[], datetime]
    holder: str

    def claim(self, name: str, seconds: float) -> bool:
        """Store or renew a claim, unless another holder has it."""
        now = self.clock()
        expires_at = now + timedelta(seconds=seconds)
        with self.database.writing() as connection:
            new = insertion(connection, claims).values(
                name=name, holder=self.holder, expires_at=expires_at
            )
            claimed = connection.execute(
                new.on_conflict_do_update(
                    index_elements=["name"],
                    set_={"holder": new.excluded.holder, "expires_at": new.excluded.expires_at},
                    where=or_(claims.c.holder == self.holder, claims.c.expires_at <= now),
                ).returning(claims.c.name)
            )
            return claimed.first() is not None

    def release(self, name: str) -> None:
        """Delete a claim of this holder."""
        with self.database.writing() as connection:
            connection.execute(
                delete(claims).where(claims.c.name == name, claims.c.holder == self.holder)
            )

    def release_all(self) -> None:
        """Delete all claims of this holder."""
        with self.database.writing() as connection:
            connection.execute(delete(claims).where(claims.c.holder == self.holder))

    def forget_lapsed(self) -> None:
        """Delete the claims of all holders that have lapsed."""
        with self.database.writing() as connection:
            connection.execute(delete(claims).where(claims.c.expires_at <= self.clock()))


def new_holder(random_bytes: Callable[[int], bytes]) -> str:
    """Return a name for a holder that nobody else has."""
    return random_bytes(HOLDER_BYTES).hex()
