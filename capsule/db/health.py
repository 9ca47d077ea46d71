"""Whether the database answers, and since when, for those who cannot wait until it does."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from threading import Event, Thread
from typing import TYPE_CHECKING

from sqlalchemy import select

from capsule.db.faults import DatabaseFault
from capsule.db.schema.players import secrets

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from datetime import datetime

    from capsule.db.database import Database
    from capsule.db.storage_health import StorageHealth

LOOK_SECONDS = 1.0
"""Seconds between two looks at the database."""


@dataclass(frozen=True)
class Health:
    """Whether the database answers, and the time since which it does, or does not."""

    is_answering: bool
    since: datetime


class DatabaseHealth:
    """The health of a database that has just been opened, as of the last look at it."""

    def __init__(self, database: Database, clock: Callable[[], datetime]) -> None:
        self._database = database
        self._clock = clock
        self.last_seen = Health(is_answering=True, since=clock())

    def look(self) -> None:
        """Look whether the database answers, which may take seconds if it does not."""
        begun = self._clock()
        try:
            with self._database.reading() as connection:
                connection.execute(select(secrets.c.name).limit(1))
        except DatabaseFault:
            is_answering = False
        else:
            is_answering = True
        if is_answering != self.last_seen.is_answering:
            self.last_seen = Health(is_answering, self._clock() if is_answering else begun)

    def report(self, storage: StorageHealth) -> str:
        """Return a line or two: whether the database answers and stores, and since when."""
        answers = (
            "answers, and has" if self.last_seen.is_answering else "does not answer, and has not"
        )
        lines = [f"The database {answers} since {_in_words(self.last_seen.since)}."]
        outage = storage.outage
        if outage is not None:
            lines.append(f"Nothing can be stored since {_in_words(outage.since)}.")
        return "".join(f"{line}\n" for line in lines)

    @contextmanager
    def watched(self) -> Iterator[None]:
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


def _in_words(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d %H:%M:%S} UTC"
