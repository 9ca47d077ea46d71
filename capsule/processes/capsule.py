"""The settings, metrics and holder that all processes of a capsule share."""

import logging
import os
import secrets
import signal
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Protocol

from capsule.app import build_context
from capsule.context import AppContext
from capsule.db.database import Database, open_database
from capsule.db.displacement import OpenedFile, opened_log
from capsule.db.health import StorageWatch
from capsule.db.leases import leases_of, new_holder
from capsule.db.storage_health import StorageHealth, StorageOutage
from capsule.games.maintenance import note_absences
from capsule.gemini.listening import CannotRenew
from capsule.languages import model
from capsule.processes.measuring import Metrics
from capsule.processes.settings import RenewableSettings
from capsule.ui.render import replaced_templates

PATIENCE = 60.0
"""Seconds for which a database is waited for: both may start when the machine does."""


class Note(Protocol):
    """A serving capsule's description for other commands, and for the next start."""

    def put_outage(self, outage: StorageOutage | None) -> None:
        """Say that nothing can be stored, or with None that everything can."""

    def put_log(self, log: OpenedFile) -> None:
        """Say which file is the write-ahead log of the database."""


@dataclass(frozen=True)
class Capsule:
    """The settings and metrics of a capsule, and the name under which it claims work.

    `configure_log` has the log written in another form. `file` is that of the database, which all
    processes open, also those that are started later; None if it is not a file. They share the
    health of the `storage`, and the `note` on which one of them writes.
    """

    settings: RenewableSettings
    metrics: Metrics
    configure_log: Callable[[str], None]
    note: Note
    file: OpenedFile | None
    storage: StorageHealth = field(
        default_factory=lambda: StorageHealth(log=logging.getLogger("oxonaut"))
    )
    holder: str = field(default_factory=lambda: new_holder(secrets.token_bytes))

    def open_database(self) -> Database:
        """Open the database, for this process alone; wait for a server that is just starting.

        Raises the errors of `capsule.db.database.open_database`.
        """
        url = self.settings.current.database_url
        database = open_database(url, PATIENCE, self.file)
        return replace(database, storage=self.storage)

    def storage_watched(self, database: Database) -> AbstractContextManager[None]:
        """Return a block in which outages of the storage are noted, and their end is found.

        The log of the database, which must have a connection, is noted before. One process does so
        for all.
        """
        if database.file is not None and (log := opened_log(database.file.path)) is not None:
            self.note.put_log(log)
        return StorageWatch(database, self.note.put_outage).watching()

    def prepare(self, database: Database, log: logging.Logger) -> None:
        """Do what is done once, before anybody is answered.

        Load the languages, and see which variants are absent and which templates are replaced.
        """
        model.load()
        for variant in sorted(note_absences(database, datetime.now(UTC))):
            log.warning("No plug-in adds %s: its games are not shown and stand still", variant)
        for line in replaced_templates():
            log.warning(line)

    def context(self, database: Database) -> AppContext:
        """Return the context of this process, without bots."""
        context = build_context(
            self.settings.current, database, lambda: datetime.now(UTC), secrets.token_bytes
        )
        return replace(
            context,
            measurements=self.metrics.measurements,
            leases=leases_of(database, context.clock, self.holder),
        )


STANDARD_INPUT = 0


class Terminal:
    """The terminal of the process in which this is made, if it has one."""

    def __init__(self) -> None:
        self._is_there = os.isatty(STANDARD_INPUT)

    def stop_if_closed(self) -> None:
        """Stop the process if its terminal has been closed, and raise `CannotRenew` then."""
        if self._is_there and not os.isatty(STANDARD_INPUT):
            os.kill(os.getpid(), signal.SIGTERM)
            raise CannotRenew("the terminal has been closed, so the capsule stops")
