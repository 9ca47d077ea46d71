"""Failures of a database that are no fault of the capsule, for SQLite and PostgreSQL alike.

Each driver has its own words and codes. They are classified here by what a caller can do: wait for
a lock, wait until the database is back, or begin again.
"""

import logging
import sqlite3
import time
from collections.abc import Callable
from typing import TypeVar

import sqlalchemy as sa


class CannotOpen(Exception):
    """The database cannot be opened; the message is a line for the operator."""


class DatabaseFault(Exception):
    """A transaction failed, and nothing of it was stored, unless it is a `CommitOutcomeUnknown`."""


class DatabaseBusy(DatabaseFault):
    """Another process, for example, held what the transaction needs for too long."""


class DatabaseUnavailable(DatabaseFault):
    """The database cannot be reached, or cannot be used."""


class CannotStore(DatabaseUnavailable):
    """The database has no room for more, as on a full disk, or may not write.

    `reason` is the database's own.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(f"Nothing can be stored: {reason}")
        self.reason = reason


class DatabaseDisplaced(DatabaseUnavailable):
    """The file of the database was replaced or removed while a capsule serves."""


class CommitOutcomeUnknown(DatabaseUnavailable):
    """The database did not answer a COMMIT: the transaction may be stored."""


class Conflict(DatabaseFault):
    """Another transaction was faster: begun again, this one will find what that one stored."""


def log_failure(log: logging.Logger, what: str, error: Exception) -> None:
    """Log that something has failed, in a line if the database is why, else with the traceback.

    Housekeeping fails every few seconds while the database is away, and tracebacks of that would
    hide those of faults. `capsule.db.storage_health` logs that nothing can be stored, and
    `capsule.processes.guarding` that the file is replaced or removed.
    """
    if isinstance(error, CannotStore | DatabaseDisplaced):
        return
    if isinstance(error, DatabaseFault):
        log.error("%s: %s", what, error)
    else:
        log.error(what, exc_info=error)


_BUSY_IN_SQLITE = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED})
_UNSTORED_IN_SQLITE = frozenset(
    {sqlite3.SQLITE_READONLY, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_FULL}
)
_AWAY_IN_SQLITE = _UNSTORED_IN_SQLITE | {sqlite3.SQLITE_CANTOPEN}
_CONFLICTS_IN_SQLITE = frozenset(
    {sqlite3.SQLITE_CONSTRAINT_UNIQUE, sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY}
)
PRIMARY_CODE = 0xFF
"""The bits of SQLite's error codes that hold the kind of error; the others hold its details."""

# The codes of the SQL standard, with PostgreSQL's own.
_LOCK_NOT_AVAILABLE, _QUERY_CANCELED = "55P03", "57014"
_SERIALIZATION_FAILURE, _DEADLOCK_DETECTED, _UNIQUE_VIOLATION = "40001", "40P01", "23505"
_CONFLICTS = frozenset({_SERIALIZATION_FAILURE, _DEADLOCK_DETECTED, _UNIQUE_VIOLATION})
_AWAY_CLASSES = (
    "08",  # the connection is lost or refused
    "53",  # no disk, memory or connection is left
    "57P",  # the server is stopping or starting
    "58",  # the system failed the server
)
_UNSTORED = frozenset(
    {
        "25006",  # the transaction is read-only, as on a standby
        "42501",  # there is no right, or the file system is read-only
        "53100",  # the disk is full
        "58030",  # a file cannot be read or written
    }
)
_UNSTORED_IN = frozenset(
    {
        "md.c",  # enlarges files; some failures, such as a used-up quota, have no code
        "varsup.c",  # numbers transactions, and stops before the numbers run out
    }
)
"""The files of PostgreSQL's source in which it finds that it cannot store anything."""
_NO_ANSWERS = ("08", "40003")
"""The codes of a balancer, such as PgBouncer, that got no answer from the server."""


def fault_of(
    error: sa.exc.DBAPIError | sa.exc.TimeoutError, *, is_writing: bool
) -> DatabaseFault | None:
    """Return what an error of the database means; None for a fault of the capsule."""
    if isinstance(error, sa.exc.TimeoutError):
        return DatabaseBusy("Every connection to the database is in use")
    if isinstance(error.orig, sqlite3.Error):
        return _fault_in_sqlite(error.orig, is_writing=is_writing)
    return _fault_in_postgresql(error, is_writing=is_writing)


def was_answered(fault: DatabaseFault) -> bool:
    """Return whether PostgreSQL has answered with a code, and so has stored nothing."""
    code: str | None = getattr(getattr(fault.__cause__, "orig", None), "sqlstate", None)
    return code is not None and not code.startswith(_NO_ANSWERS)


def _fault_in_sqlite(error: sqlite3.Error, *, is_writing: bool) -> DatabaseFault | None:
    code: int | None = getattr(error, "sqlite_errorcode", None)
    if code is None:
        return None
    if code in _CONFLICTS_IN_SQLITE:
        return Conflict(f"Another transaction was faster: {error}")
    if code & PRIMARY_CODE in _BUSY_IN_SQLITE:
        return DatabaseBusy("Another program has locked the database for too long")
    if is_writing and code & PRIMARY_CODE in _UNSTORED_IN_SQLITE:
        return CannotStore(str(error))
    if code & PRIMARY_CODE in _AWAY_IN_SQLITE:
        return DatabaseUnavailable(f"The database cannot be used: {error}")
    return None


def _fault_in_postgresql(error: sa.exc.DBAPIError, *, is_writing: bool) -> DatabaseFault | None:
    code: str | None = getattr(error.orig, "sqlstate", None)
    # An error's further lines may quote what was to be stored.
    reason = str(error.orig).partition("\n")[0]
    if code in _CONFLICTS:
        return Conflict(f"Another transaction was faster: {reason}")
    if code in {_LOCK_NOT_AVAILABLE, _QUERY_CANCELED}:
        return DatabaseBusy("The database is too busy to answer in time")
    place: str | None = getattr(getattr(error.orig, "diag", None), "source_file", None)
    if is_writing and (code in _UNSTORED or place in _UNSTORED_IN):
        return CannotStore(reason)
    is_lost = error.connection_invalidated or (
        # Without a code there was no answer at all.
        code is None and isinstance(error, sa.exc.OperationalError | sa.exc.InterfaceError)
    )
    if is_lost or (code is not None and code.startswith(_AWAY_CLASSES)):
        return DatabaseUnavailable(f"The database cannot be used: {reason}")
    return None


Result = TypeVar("Result")

MAX_ATTEMPTS = 20
"""Attempts at an action. Of those that conflict, one succeeds at each attempt of the others."""

PAUSE_SECONDS = 0.005
"""Seconds before the second attempt; each further one waits that much longer."""


def retry(action: Callable[[], Result]) -> Result:
    """Return what an action returns, which is called again as long as it meets a `Conflict`.

    The action must read again all that its transactions decide on. Raises the `Conflict` of the
    last of `MAX_ATTEMPTS` attempts: a value that is stored twice by mistake meets one each time.
    """
    for attempt in range(1, MAX_ATTEMPTS):
        try:
            return action()
        except Conflict:
            time.sleep(PAUSE_SECONDS * attempt)
    return action()
