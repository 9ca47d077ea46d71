"""Ending a process whose database is displaced: its file was replaced or removed meanwhile."""

import errno
import logging
import os
import signal
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from threading import Event, Thread
from time import monotonic
from typing import NoReturn, cast

from capsule.db.backup import OpenedFile, is_left_behind, move_log_aside, opened_log, rescue
from capsule.db.database import Database
from capsule.db.faults import DatabaseDisplaced

CHECK_SECONDS = 0.5

ROOM_SECONDS = 10.0
"""Seconds between two attempts to copy a database for which the disk has no room."""

GRACE_SECONDS = 5.0
"""Seconds that a process has to stop once its database is copied."""

ASKING_SECONDS = 0.2
"""Seconds between two signals to stop; the first may come before a handler is installed."""


@contextmanager
def guarded(database: Database, log: logging.Logger) -> Iterator[None]:
    """Check during the block that the file of an open database is in its place.

    If it is not, copy the database and stop this process: by SIGTERM, or if that takes too long,
    by an exit with the status `os.EX_CONFIG`. While the disk has no room for the copy, the process
    continues: what was stored may be in no file that has a name. Raises `DatabaseDisplaced` at the
    end, with a sentence for the operator.
    """
    if database.file is None:
        yield
        return
    guard = _Guard(database, database.file, log)
    guard.thread.start()
    try:
        yield
    finally:
        guard.stop()


def leave(file: OpenedFile, log: OpenedFile | None) -> NoReturn:
    """Give up a displaced database that no process has open any more.

    If none could copy it, since none had opened it before, its `log` is moved aside: SQLite would
    write it into another file. Raises `DatabaseDisplaced` with the sentence for the operator.
    """
    if file.copy is None and log is not None and is_left_behind(log, file):
        with suppress(OSError):
            move_log_aside(log.path, datetime.now(UTC))
    raise DatabaseDisplaced(_sentence(file))


def _sentence(file: OpenedFile) -> str:
    """Return the sentence for the operator about a database that was displaced."""
    fate = f"is in {file.copy}" if file.copy is not None else "could not be copied"
    return (
        f"{file.path} was replaced or removed while the capsule served. All that was stored until "
        f"then {fate}"
    )


class _Guard:
    """A thread that checks the file of a database, and a connection from before to copy it by."""

    def __init__(self, database: Database, file: OpenedFile, log: logging.Logger) -> None:
        self._file = file
        self._log = log
        self._connection = database.engine.raw_connection()
        self._write_ahead_log = opened_log(file.path)
        self._is_displaced = False
        # Whether the copy is made, or can never be made.
        self._is_over = False
        self._due_at = 0.0
        self._stopping = Event()
        self.thread = Thread(target=self._watch, name="guard", daemon=True)

    def stop(self) -> None:
        """Check a last time, and close the connection; raises `DatabaseDisplaced`."""
        self._stopping.set()
        self.thread.join()
        try:
            self._check()
        finally:
            self._connection.close()
        if self._is_displaced:
            raise DatabaseDisplaced(_sentence(self._file))

    def _watch(self) -> None:
        while not self._check():
            if self._stopping.wait(CHECK_SECONDS):
                return
        until = monotonic() + GRACE_SECONDS
        while monotonic() < until:
            # By default it would end the process with another status.
            if signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL:
                os.kill(os.getpid(), signal.SIGTERM)
            if self._stopping.wait(ASKING_SECONDS):
                return
        os._exit(os.EX_CONFIG)

    def _check(self) -> bool:
        """Copy the database if the file is displaced; return whether that is over."""
        if self._is_over or (not self._is_displaced and self._file.is_in_place()):
            return self._is_over
        if not self._stopping.is_set() and monotonic() < self._due_at:
            return False
        is_first_attempt, self._is_displaced = not self._is_displaced, True
        connection = cast("sqlite3.Connection", self._connection.driver_connection)
        try:
            is_first = rescue(self._file, self._write_ahead_log, connection, datetime.now(UTC))
        except (OSError, sqlite3.Error) as error:
            # Its log has another name by now: it must not be written to, even if it is back.
            self._is_over = not _is_for_want_of_room(error) or self._file.is_in_place()
            self._due_at = monotonic() + ROOM_SECONDS
            if self._is_over or self._stopping.is_set():
                self._log.error("%s: %s", _sentence(self._file), error)
            elif is_first_attempt:
                self._log.error("%s: %s. %s", _sentence(self._file), error, _MAKE_ROOM)
        else:
            self._is_over = True
            if is_first:
                self._log.error("%s", _sentence(self._file))
        return self._is_over


_MAKE_ROOM = (
    "It is lost when the capsule stops. Make room on the disk before: then it is copied, and the "
    "capsule stops by itself"
)


def _is_for_want_of_room(error: OSError | sqlite3.Error) -> bool:
    if isinstance(error, OSError):
        return error.errno in {errno.ENOSPC, errno.EDQUOT}
    # SQLite calls a full disk by its name, but not a used-up quota.
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    return code in {sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR}
