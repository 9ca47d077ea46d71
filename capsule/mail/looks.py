"""Looks of subscribers at the pages of their games: who has seen a turn gets no mail of it.

A cached page runs no code, so looks are noted in memory, by certificate, and written once a minute.
A process that is killed forgets those of its last minute; then somebody gets a letter too many.
"""

from __future__ import annotations

import re
from contextlib import contextmanager
from threading import Event, Lock, Thread
from typing import TYPE_CHECKING, Protocol

from capsule.db.faults import DatabaseFault, log_failure
from capsule.mail import letter_queries

if TYPE_CHECKING:
    import logging
    from collections.abc import Iterator
    from datetime import datetime

    from capsule.db.database import Database
    from capsule.gemini.types import Request


WRITTEN_EVERY_SECONDS = 60.0

MAX_NOTED = 10_000
"""Looks that are kept in memory; further ones are forgotten until these are written."""

MAX_WRITTEN = 500
"""Looks that are written in one transaction."""

_GAME = re.compile(r"/play/([a-z2-7]{10})(?:/(?:live|words))?")

ALL_WAITING = "/play/desk"


class Looks(Protocol):
    """A record of who has looked at which game when."""

    def note(self, request: Request, now: datetime) -> None:
        """Note that a request asks for a game's page, if it does so with a certificate."""

    def write(self, database: Database) -> None:
        """Write what has been noted; raises `DatabaseFault`, and then keeps the rest."""


class NoLooks:
    """Nothing is noted, where no mail is sent."""

    def note(self, request: Request, now: datetime) -> None:
        """Do nothing."""

    def write(self, database: Database) -> None:
        """Do nothing."""


class NotedLooks:
    """The looks of the last minute, by certificates' fingerprints and games; "" is all games."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._noted: dict[tuple[str, str], datetime] = {}

    def note(self, request: Request, now: datetime) -> None:
        """Note that a request asks for a game's page, if it does so with a certificate."""
        if request.certificate is None:
            return
        match = _GAME.fullmatch(request.path)
        if match is None and request.path != ALL_WAITING:
            return
        place = request.certificate.fingerprint, match[1] if match else ""
        with self._lock:
            if place in self._noted or len(self._noted) < MAX_NOTED:
                self._noted[place] = now

    def write(self, database: Database) -> None:
        """Write what has been noted; raises `DatabaseFault`, and then keeps the rest."""
        while batch := self._taken():
            try:
                with database.writing() as connection:
                    letter_queries.save_looks(
                        connection, [(*place, at) for place, at in sorted(batch.items())]
                    )
            except DatabaseFault:
                with self._lock:
                    self._noted = batch | self._noted
                raise

    def _taken(self) -> dict[tuple[str, str], datetime]:
        with self._lock:
            places = list(self._noted)[:MAX_WRITTEN]
            return {place: self._noted.pop(place) for place in places}


@contextmanager
def written(looks: Looks, database: Database, log: logging.Logger) -> Iterator[None]:
    """Write the looks of this process once a minute, and once more at the end."""
    stopping = Event()

    def write_regularly() -> None:
        while not stopping.wait(WRITTEN_EVERY_SECONDS):
            _write(looks, database, log)

    thread = Thread(target=write_regularly, daemon=True)
    thread.start()
    try:
        yield
    finally:
        stopping.set()
        thread.join()
        _write(looks, database, log)


def _write(looks: Looks, database: Database, log: logging.Logger) -> None:
    try:
        looks.write(database)
    except Exception as error:  # noqa: BLE001 - the database may be back next time
        log_failure(log, "Looks at games could not be stored", error)
