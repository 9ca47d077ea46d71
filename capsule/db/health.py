"""Whether the database answers and stores, and since when, for callers that cannot wait."""

import os
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime
from time import monotonic

import sqlalchemy as sa

from capsule.db.database import Database
from capsule.db.expressions import save
from capsule.db.faults import DatabaseFault
from capsule.db.schema.players import secrets
from capsule.db.storage_health import StorageHealth, StorageOutage, in_words

CHECK_SECONDS = 1.0
"""Seconds between two checks of a `DatabaseHealth` or a `StorageWatch`."""


class DatabaseHealth:
    """The health of a database that has just been opened, as of the last check."""

    def __init__(self, database: Database, clock: Callable[[], datetime]) -> None:
        self._database = database
        self._clock = clock
        # Whether it answers, and since when: in one value, since a thread changes it.
        self._seen = (True, clock())

    def check(self) -> None:
        """Check whether the database answers, which may take seconds if it does not."""
        begun = self._clock()
        is_answering = False
        with suppress(DatabaseFault), self._database.reading() as connection:
            connection.execute(sa.select(secrets.c.name).limit(1))
            is_answering = True
        if is_answering != self._seen[0]:
            self._seen = (is_answering, self._clock() if is_answering else begun)

    def report(self, storage: StorageHealth) -> str:
        """Return a line or two: whether the database answers and stores, and since when."""
        is_answering, since = self._seen
        answers = "answers, and has" if is_answering else "does not answer, and has not"
        lines = [f"The database {answers} since {in_words(since)}."]
        outage = storage.outage
        if outage is not None:
            lines.append(f"Nothing can be stored since {in_words(outage.since)}.")
        return "".join(f"{line}\n" for line in lines)


TRY_SECONDS = 10.0
"""Seconds between two attempts to store something during an outage."""

ROOM = 64 * 1024
"""The bytes that an attempt stores: fewer might fit where no visitor's action does."""

_ATTEMPT = "attempt"
"""The name under which an attempt stores them, before it deletes them."""


class StorageWatch:
    """Tries to store something during an outage, and calls `note` for each that begins or ends.

    `note` is also called at the first check. One process of a capsule does so for all.
    """

    def __init__(
        self,
        database: Database,
        note: Callable[[StorageOutage | None], None],
        seconds: Callable[[], float] = monotonic,
    ) -> None:
        self._database = database
        self._note = note
        self._seconds = seconds
        # Empty before the first check: a process that has died may have noted something else.
        self._noted: tuple[StorageOutage | None, ...] = ()
        self._tried_at = 0.0

    def check(self) -> None:
        """Check whether there is an outage, and try to store something if it is time to."""
        outage = self._database.storage.outage
        if outage is None:
            self._tried_at = self._seconds()
        elif self._seconds() - self._tried_at >= TRY_SECONDS:
            self._tried_at = self._seconds()
            with suppress(DatabaseFault):
                _try_to_store(self._database)
            outage = self._database.storage.outage
        if self._noted != (outage,):
            self._note(outage)
            self._noted = (outage,)


def _try_to_store(database: Database) -> None:
    """Store something, and delete it again; raises a `DatabaseFault` if that fails."""
    with database.writing() as connection:
        save(connection, secrets, {"name": _ATTEMPT, "value": os.urandom(ROOM)})
    # In a separate transaction: SQLite never writes what the same one deletes.
    with database.writing() as connection:
        connection.execute(sa.delete(secrets).where(secrets.c.name == _ATTEMPT))
