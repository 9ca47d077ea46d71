"""Copying a database whose file was displaced while it was open."""

import fcntl
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from glob import escape
from pathlib import Path

from capsule.db.backup import ANY_TIME, TIME, appearing
from capsule.db.faults import DatabaseDisplaced

DISPLACED = ".displaced-"
"""The part of a copy's name between the name of the database and the time."""


@dataclass(frozen=True)
class OpenedFile:
    """A file at a path, as it was opened, and the displaced copies that lay beside it then."""

    path: Path
    device: int
    inode: int
    former_copies: frozenset[Path] = frozenset()

    @classmethod
    def at(cls, path: Path) -> "OpenedFile":
        """Return the file that is at a path now; raises `OSError` if there is none."""
        # The working directory may change, but not what the path leads to.
        absolute = path.absolute()
        found = absolute.stat()
        return cls(absolute, found.st_dev, found.st_ino, frozenset(displaced_copies(absolute)))

    @property
    def copy(self) -> Path | None:
        """The copy that was made of the database after the file was displaced, if there is one."""
        new = [copy for copy in displaced_copies(self.path) if copy not in self.former_copies]
        return new[-1] if new else None

    def is_in_place(self) -> bool:
        """Return whether the path still leads to the file."""
        try:
            found = self.path.stat()
        except (FileNotFoundError, NotADirectoryError):
            return False
        except OSError:
            # It is not known. If the disk fails, SQLite reports it.
            return True
        return (found.st_dev, found.st_ino) == (self.device, self.inode)

    def require_in_place(self) -> None:
        """Raise `DatabaseDisplaced` if the path leads to another file, or to none."""
        if not self.is_in_place():
            raise DatabaseDisplaced(f"{self.path} was replaced or removed while a capsule serves")


def displaced_copies(path: Path) -> list[Path]:
    """Return the copies of displaced databases that lie beside a path, the newest last."""
    return sorted(path.parent.glob(f"{escape(path.name)}{DISPLACED}{ANY_TIME}"))


WRITERS_SECONDS = 5
"""Seconds for which a copy waits for writers."""

READERS_SECONDS = 1
"""Seconds for which emptying the log waits for readers."""


def opened_log(path: Path) -> OpenedFile | None:
    """Return the write-ahead log of the open database at a path.

    None if there is none, as beside a database that can only be read.
    """
    # SQLite follows symbolic links before it adds to the name.
    real = path.resolve()
    log = real.with_name(f"{real.name}-wal")
    return OpenedFile.at(log) if log.exists() else None


def rescue(
    file: OpenedFile, log: OpenedFile | None, connection: sqlite3.Connection, now: datetime
) -> bool:
    """Copy a displaced database through a connection from before, and empty its log.

    The next process to open the new file would write the log into it, so a log that cannot be
    emptied is moved aside. If another process has made the copy, nothing is done. Returns whether
    this process made it. Raises `OSError` or `sqlite3.Error` if it cannot
    be made; then the log is moved aside as it is.
    """
    with _alone_in(file.path.parent):
        if file.copy is not None:
            return False
        _wait_for_writers(connection)
        is_emptied = False
        try:
            with (
                appearing(_displaced(file.path, now)) as temporary,
                closing(sqlite3.connect(temporary)) as target,
            ):
                connection.backup(target)
                target.execute("PRAGMA journal_mode=DELETE")
            is_emptied = _empty_log(connection)
        finally:
            # It may have gone with the file.
            if not is_emptied and log is not None and log.is_in_place():
                move_log_aside(log.path, now)
    return True


def is_left_behind(log: OpenedFile, file: OpenedFile) -> bool:
    """Return whether the log of a database is still there, but its file is not.

    SQLite would write it into the file that has taken the name, unless it is empty.
    """
    return log.is_in_place() and log.path.stat().st_size > 0 and not file.is_in_place()


def move_log_aside(log: Path, now: datetime) -> Path:
    """Give a log and its index, if they are there, names that SQLite does not know.

    Returns the new path of the log. Raises `OSError` if they cannot be renamed.
    """
    index = log.with_name(f"{log.name.removesuffix('-wal')}-shm")
    for part in (log, index):
        if part.exists():
            part.rename(_displaced(part, now))
    return _displaced(log, now)


def _displaced(path: Path, now: datetime) -> Path:
    return path.with_name(f"{path.name}{DISPLACED}{now.strftime(TIME)}")


@contextmanager
def _alone_in(folder: Path) -> Iterator[None]:
    """Hold the lock of a folder, so that one process at a time makes a copy there."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        # Where folders cannot be locked, several copies are better than none.
        with suppress(OSError):
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def _wait_for_writers(connection: sqlite3.Connection) -> None:
    """Wait for the transactions that began before the file was displaced; no other may write."""
    connection.execute(f"PRAGMA busy_timeout={1000 * WRITERS_SECONDS}")
    # No visitor's transaction takes that long: if it fails, another program has the lock.
    with suppress(sqlite3.OperationalError):
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("ROLLBACK")


def _empty_log(connection: sqlite3.Connection) -> bool:
    connection.execute(f"PRAGMA busy_timeout={1000 * READERS_SECONDS}")
    try:
        is_busy, *_pages = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    except sqlite3.Error:
        return False
    return not is_busy
