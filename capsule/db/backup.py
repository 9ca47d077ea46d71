"""Copies of an SQLite database that is in use: backups, and those of one that was displaced.

A copy is a database of one file, without a write-ahead log beside it. A backup can be put in the
place of a database. A database is displaced if its file is replaced or removed while it is open.
"""

import fcntl
import os
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from glob import escape
from pathlib import Path

from capsule.db.faults import DatabaseDisplaced
from capsule.db.files import give_to_owner_of, make_private, named_if_unopenable, user_name
from capsule.db.migrating import require_known
from capsule.db.postgresql import milliseconds

HEADER = b"SQLite format 3\x00"
"""The bytes with which every SQLite database begins."""

TIME = "%Y-%m-%dT%H-%M-%SZ"
"""The time in the name of a backup, which sorts by it and is allowed on every file system."""

ANY_TIME = "[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]T[0-9][0-9]-[0-9][0-9]-[0-9][0-9]Z"
"""The pattern of all such times in names."""

PREFIX, SUFFIX = "oxonaut-", ".db"

BUSY_SECONDS = 30
"""Seconds for which a backup waits for a lock; in the write-ahead log it needs none."""

MAX_FAULTS = 5
"""The number of a damaged file's faults that are listed."""


class BackupRefused(Exception):
    """A backup cannot be made or used; the message is a sentence for the operator."""


def back_up(source: Path, target: Path) -> None:
    """Copy the database at `source`, which may be in use, to `target`, which appears whole.

    An earlier backup of that name is replaced. Raises `BackupRefused` if `target` is something
    else, or the copy is damaged; and `OSError` or `sqlite3.Error` if it cannot be made. Then an
    earlier backup is still there.
    """
    if target.exists() and target.samefile(source):
        raise BackupRefused(f"{target} is the database itself")
    if target.exists() and not _is_database(target):
        raise BackupRefused(f"{target} exists and is no backup, so it is left alone")
    with appearing(target) as temporary:
        _copy(source, temporary)
        require_sound(temporary)


def back_up_to_folder(source: Path, folder: Path, now: datetime, keep: int | None) -> Path:
    """Back the database up into a new file of a folder, named after the time; return its path.

    With `keep`, only the newest `keep` backups remain: older ones with names like it are deleted
    once the new one is there. Raises what `back_up` raises.
    """
    folder.mkdir(parents=True, exist_ok=True)
    target = folder / f"{PREFIX}{now.strftime(TIME)}{SUFFIX}"
    back_up(source, target)
    if keep is not None:
        # The new one counts in any case: the clock may have been set back.
        others = [each for each in backups(folder) if each != target]
        for old in others[: max(0, len(others) - keep + 1)]:
            old.unlink()
    return target


def backups(folder: Path) -> list[Path]:
    """Return the backups in a folder that were named after their times, the newest last."""
    return sorted(folder.glob(f"{PREFIX}{ANY_TIME}{SUFFIX}"))


def restore(backup: Path, target: Path, now: datetime, *, replace: bool = False) -> Path | None:
    """Put a copy of a backup at `target`, once it has been checked.

    With `replace`, a database that is there is moved aside, and its new path returned; None if
    there was none. The new one belongs to the same user and group as the replaced one, or
    as the folder. Raises `CannotMigrate` if the backup is of a revision that cannot be migrated,
    `BackupRefused` if it is damaged or no database of a capsule, if there is a database and
    `replace` is not given, or if a process uses it, and `OSError` if the files cannot be written.
    Then nothing has changed.
    """
    if not _is_database(backup):
        raise BackupRefused(f"{backup} is no backup of a capsule")
    if target.exists() and target.samefile(backup):
        raise BackupRefused(f"{target} is the database itself")
    if target.exists() and not replace:
        raise BackupRefused(f"There is a database at {target}: --replace moves it aside")
    _require_owner(target)
    aside = None
    with appearing(target) as temporary:
        _copy(backup, temporary)
        require_sound(temporary)
        _require_known_revision(temporary)
        # The service that opens it is rarely the user that restores it.
        give_to_owner_of(target if target.exists() else target.parent, temporary)
        if target.exists():
            require_unused(target)
            make_private(target)
            aside = target.with_name(f"{target.name}.replaced-{now.strftime(TIME)}")
            _move_aside(target, aside)
    return aside


def require_sound(path: Path) -> None:
    """Raise `BackupRefused` if SQLite finds a database damaged, or a reference in it leads nowhere.

    Raises `sqlite3.Error` if it cannot be looked at.
    """
    if found := damage(path):
        raise BackupRefused(f"The database is damaged: {found}")
    with closing(_connect(path)) as connection:
        astray = connection.execute("PRAGMA foreign_key_check").fetchone()
    if astray is not None:
        raise BackupRefused(f"The database is damaged: a row of {astray[0]} refers to none")


def damage(path: Path) -> str | None:
    """Return what SQLite finds wrong with the file of a database; None for a sound one.

    Raises `sqlite3.Error` if it cannot be looked at.
    """
    try:
        with closing(_connect(path)) as connection:
            rows = connection.execute(f"PRAGMA integrity_check({MAX_FAULTS})")
            found = "; ".join(" ".join(row[0].split()) for row in rows)
    except sqlite3.OperationalError:
        raise
    except sqlite3.DatabaseError as error:
        return str(error)
    return None if found == "ok" else found


def _copy(source: Path, target: Path) -> None:
    try:
        with closing(_connect(source)) as connection, closing(_connect(target)) as copy:
            # In one step, which writers need not wait for: in several, each write of another
            # process would make it start over.
            connection.backup(copy)
            copy.execute("PRAGMA journal_mode=DELETE")
    except sqlite3.OperationalError:
        raise
    except sqlite3.DatabaseError as error:
        raise BackupRefused(f"{source} is damaged: {error}") from error


def _require_known_revision(path: Path) -> None:
    with closing(_connect(path)) as connection:
        try:
            found = connection.execute("SELECT version_num FROM alembic_version").fetchone()
        except sqlite3.OperationalError:
            found = None
    if found is None:
        raise BackupRefused("The file is a database, but not of a capsule")
    require_known(found[0])


def _require_owner(target: Path) -> None:
    """Raise `BackupRefused` if a database belongs to another user, whose the new one cannot be."""
    if not target.exists():
        return
    me, owner = os.geteuid(), target.stat().st_uid
    if me not in {0, owner}:
        raise BackupRefused(
            f"{target} belongs to {user_name(owner)}, and this is {user_name(me)}: restore as its "
            "owner or as root"
        )


def require_unused(path: Path) -> None:
    """Raise `BackupRefused` if a process uses a database; else its write-ahead log is emptied.

    This process must not use it either. Raises `sqlite3.Error` if it cannot be looked at.
    """
    if not _is_database(path):
        # SQLite would take its log for a leftover, and delete it.
        return
    try:
        with closing(_connect(path, timeout=0)) as connection:
            # SQLite leaves the write-ahead log only if no other connection is open.
            connection.execute("PRAGMA journal_mode=DELETE")
    except sqlite3.OperationalError as error:
        if "locked" in str(error) or "busy" in str(error):
            raise BackupRefused(f"{path} is in use: stop what uses it first") from error
        raise
    except sqlite3.DatabaseError:
        # It is damaged, which may be why it is replaced: it is moved aside as it is.
        return


def _move_aside(path: Path, aside: Path) -> None:
    # The log first: without its database it is ignored, but a database would take in another's.
    for suffix in ("-wal", "-shm"):
        part = path.with_name(f"{path.name}{suffix}")
        if part.exists():
            part.rename(aside.with_name(f"{aside.name}{suffix}"))
    try:
        # With a second name instead of another, there is a database here at every moment.
        os.link(path, aside)
    except OSError:
        # Some file systems do not support links.
        path.rename(aside)


@contextmanager
def appearing(target: Path) -> Iterator[Path]:
    """Yield the path of an empty file, which is moved to `target` at the end, safe on the disk.

    On an error it is deleted. Only its owner can read it: it has secrets in it.
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    descriptor, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    temporary = Path(name)
    try:
        yield temporary
        os.fsync(descriptor)
        temporary.replace(target)
        _sync_folder(target.parent)
    finally:
        os.close(descriptor)
        for suffix in ("", "-journal", "-wal", "-shm"):
            temporary.with_name(f"{temporary.name}{suffix}").unlink(missing_ok=True)


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _is_database(path: Path) -> bool:
    if not path.is_file():
        return False
    with path.open("rb") as file:
        return file.read(len(HEADER)) == HEADER


def _connect(path: Path, timeout: float = BUSY_SECONDS) -> sqlite3.Connection:
    """Open a database that is there; by its plain path, a missing one would be made."""
    with named_if_unopenable(path), ExitStack() as stack:
        connection = sqlite3.connect(
            f"{path.absolute().as_uri()}?mode=rw", uri=True, timeout=timeout, isolation_level=None
        )
        stack.callback(connection.close)
        # The first statement that reads opens the log.
        connection.execute("PRAGMA schema_version")
        stack.pop_all()
        return connection


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
            is_emptied = empty_log(connection, READERS_SECONDS)
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


def busy_timeout(seconds: float) -> str:
    """Return the statement that sets how long a connection to SQLite waits for others' locks."""
    return f"PRAGMA busy_timeout={milliseconds(seconds)}"


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
    connection.execute(busy_timeout(WRITERS_SECONDS))
    # No visitor's transaction takes that long: if it fails, another program has the lock.
    with suppress(sqlite3.OperationalError):
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("ROLLBACK")


def empty_log(connection: sqlite3.Connection, seconds: float) -> bool:
    """Empty a write-ahead log, waiting `seconds` for readers; return whether that succeeded."""
    connection.execute(busy_timeout(seconds))
    try:
        ((is_busy, *_pages),) = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    except sqlite3.Error:
        return False
    return not is_busy
