"""Finding out that a database stores again what it is given, even if nobody acts."""

from __future__ import annotations

import os
from contextlib import contextmanager, suppress
from threading import Event, Thread
from time import monotonic
from typing import TYPE_CHECKING

from sqlalchemy import delete

from capsule.db.faults import DatabaseFault
from capsule.db.schema.players import secrets
from capsule.db.upserting import insertion

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from capsule.db.database import Database
    from capsule.db.storage_health import StorageOutage

LOOK_SECONDS = 1.0
"""Seconds between two looks at whether there is an outage."""

TRY_SECONDS = 10.0
"""Seconds between two attempts to store something during an outage."""

ROOM = 64 * 1024
"""Bytes that an attempt stores: a few might find room where no visitor's action does."""

_ATTEMPT = "attempt"
"""The name under which an attempt stores them, until it deletes them at once."""


class StorageWatch:
    """Tries to store something during an outage, and tells `note` of each that begins or ends.

    `note` is also told how things stand at the first look. One process of a capsule looks for all.
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
        # Empty before the first look: a process that has died may have noted something else.
        self._noted: tuple[StorageOutage | None, ...] = ()
        self._tried_at = 0.0

    def look(self) -> None:
        """Look whether there is an outage, and try to store something if it is time to."""
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

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Look every second during the block, on a thread."""
        stopping = Event()

        def watch() -> None:
            while not stopping.wait(LOOK_SECONDS):
                self.look()

        thread = Thread(target=watch, daemon=True)
        thread.start()
        try:
            yield
        finally:
            stopping.set()
            thread.join()


def _try_to_store(database: Database) -> None:
    """Store something, and delete it again; raises a `DatabaseFault` if that fails."""
    with database.writing() as connection:
        new = insertion(connection, secrets).values(name=_ATTEMPT, value=os.urandom(ROOM))
        connection.execute(
            new.on_conflict_do_update(index_elements=["name"], set_={"value": new.excluded.value})
        )
    # In a transaction of its own: what is deleted in the same one, SQLite never writes.
    with database.writing() as connection:
        connection.execute(delete(secrets).where(secrets.c.name == _ATTEMPT))
