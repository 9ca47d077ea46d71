"""The note in the home folder by which other commands know that a capsule serves there.

The capsule holds a lock on it, which the system releases when the process ends, however suddenly.
On SQLite the lock is exclusive; capsules of releases before 0.5.0 shared it.
"""

import errno
import fcntl
import json
import logging
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from capsule.config import Config
from capsule.db import files
from capsule.db.backup import OpenedFile, is_left_behind, move_log_aside
from capsule.db.faults import CannotOpen, DatabaseDisplaced
from capsule.db.storage_health import StorageOutage

FILE = "oxonaut.lock"

_SIZE = 4096
"""The size of the note in bytes, padded with spaces: a change needs no more room on the disk."""

WAIT_SECONDS = 1.0
"""Seconds for which a start waits for commands that read the note, and for a capsule that stops."""

_UNWRITABLE = {errno.EROFS, errno.EACCES}


class IsServing(Exception):
    """A capsule serves on the home folder; the message is a sentence for the operator."""


@dataclass(frozen=True)
class Serving:
    """A capsule that serves: its process, and since when; of several, the last that started.

    `outage` is the outage of its storage, if there is one, and `file` the file of its database. All
    but `outage` are None if the note does not have them.
    """

    process: int | None = None
    since: datetime | None = None
    outage: StorageOutage | None = None
    file: OpenedFile | None = None


class Note:
    """The note that a capsule writes; nothing is written without a `descriptor` of its file."""

    def __init__(self, descriptor: int | None, fields: dict[str, object]) -> None:
        self._descriptor = descriptor
        self._fields = fields
        self._write()

    def put_file(self, file: OpenedFile) -> None:
        """Write which file the database is in."""
        self._write(database=str(file.path), device=file.device, inode=file.inode)

    def put_log(self, log: OpenedFile) -> None:
        """Write which file is the write-ahead log of the database."""
        self._write(log=str(log.path), log_device=log.device, log_inode=log.inode)

    def put_outage(self, outage: StorageOutage | None) -> None:
        """Write since when nothing can be stored, and why; None: everything can."""
        since = outage and outage.since.isoformat()
        self._write(outage=outage and {"since": since, "reason": outage.reason})

    def _write(self, **fields: object) -> None:
        self._fields |= fields
        if self._descriptor is None:
            return
        # A full disk must not prevent serving.
        with suppress(OSError):
            os.pwrite(self._descriptor, json.dumps(self._fields).encode().ljust(_SIZE), 0)
            os.ftruncate(self._descriptor, _SIZE)


@contextmanager
def announced(home: Path, now: datetime, *, alone: bool = True) -> Iterator[Note]:
    """Lock the note of `home` for this process and those that it forks, with `alone` exclusively.

    Waits a second for other processes, which may be stopping or reading the note. Where the folder
    cannot be written to, an existing note is locked and not changed. A log that the last capsule
    left, and that does not belong to the present database, is moved aside. Raises `IsServing` if a
    capsule of any release serves there or a backup is being restored, and `OSError`.
    """
    descriptor = _opened(home / FILE)
    fields: dict[str, object] = {"process": os.getpid(), "since": now.isoformat()}
    if descriptor is None:
        yield Note(None, fields)
        return
    try:
        _lock(descriptor, fcntl.LOCK_EX if alone else fcntl.LOCK_SH, home)
        _move_left_log_aside(os.pread(descriptor, _SIZE, 0))
        yield Note(descriptor, fields)
    finally:
        os.close(descriptor)


def who_serves(home: Path) -> Serving | None:
    """Return the capsule that serves on `home`; None if none does."""
    try:
        with (home / FILE).open("rb") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                return _read(file.read())
    except OSError:
        pass
    return None


def opened_file(config: Config) -> OpenedFile | None:
    """Return the file of the database as the serving capsule opened it; None if none serves.

    Raises `CannotOpen` if there is no database, and `DatabaseDisplaced` if the file is not in its
    place, or if the last capsule left the log of another file there.
    """
    if not config.has_database:
        raise CannotOpen(f"There is no database at {config.database_url}")
    who, path = who_serves(config.home), config.database_file
    if path is None:
        return None
    if who is None:
        _require_no_left_log(config.home, path)
        return None
    # The capsule may serve on another database, and either home folder be a symbolic link.
    if who.file is None or _resolved(who.file.path) != _resolved(path):
        return None
    who.file.require_in_place()
    return who.file


def _require_no_left_log(home: Path, database: Path) -> None:
    try:
        left = _left_log((home / FILE).read_bytes())
    except OSError:
        return
    if left is not None and _resolved(left[0].path) == _resolved(database):
        raise DatabaseDisplaced(
            f"{database} was replaced or removed, and {left[1].path} belongs to the file that was "
            "there before: start the capsule (oxonaut serve), which moves it aside"
        )


def _move_left_log_aside(note: bytes) -> None:
    """Move aside a log whose database is gone, if a note says so.

    Raises `OSError`.
    """
    if (left := _left_log(note)) is None:
        return
    file, log = left
    aside = move_log_aside(log.path, datetime.now(UTC))
    logging.getLogger("oxonaut").error(
        "%s was replaced or removed before the capsule that served it had stopped, or after it was "
        "killed. %s has the latest moves of the file that was there before",
        file.path,
        aside,
    )


def _left_log(note: bytes) -> tuple[OpenedFile, OpenedFile] | None:
    """Return the database and its log that a note names, if only the log is still there."""
    try:
        fields = json.loads(note)
        file = _file(fields)
        log = OpenedFile(Path(fields["log"]), int(fields["log_device"]), int(fields["log_inode"]))
    except (ValueError, KeyError, TypeError):
        return None
    return (file, log) if file is not None and is_left_behind(log, file) else None


def _resolved(path: Path) -> Path:
    """Return a path with only its folder resolved: its name may lead elsewhere by now."""
    return path.parent.resolve() / path.name


@contextmanager
def prevented(home: Path) -> Iterator[None]:
    """Let no capsule start on `home` during the block; move a log aside as `announced` does.

    Raises `IsServing` if one already serves there, and `OSError`.
    """
    file = home / FILE
    is_new = not file.exists()
    with file.open("ab") as lock:
        if is_new:
            files.give_to_owner_of(home, file)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise IsServing(f"A capsule serves on {home}: stop it first") from None
        if not is_new:
            _move_left_log_aside(file.read_bytes())
        yield


def _opened(file: Path) -> int | None:
    """Open the note, for writing if possible; None if there is none and none can be made."""
    flags = os.O_CLOEXEC
    for more in (os.O_RDWR | os.O_CREAT, os.O_RDONLY):
        try:
            return os.open(file, flags | more, 0o644)
        except OSError as error:
            if error.errno not in _UNWRITABLE | {errno.ENOENT}:
                raise
    return None


def _lock(descriptor: int, kind: int, home: Path) -> None:
    """Lock the note; raises `IsServing` if others hold the lock for more than a second."""
    until = time.monotonic() + WAIT_SECONDS
    while True:
        try:
            fcntl.flock(descriptor, kind | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() >= until:
                raise IsServing(_occupied(descriptor, home)) from None
            time.sleep(0.05)
        else:
            return


def _occupied(descriptor: int, home: Path) -> str:
    """Return the sentence about the process that holds the lock."""
    process = _read(os.pread(descriptor, 4096, 0)).process
    if process is None:
        return (
            f"A capsule serves on {home} or is stopping there, or a backup is being restored: "
            "wait for its end, or stop it first"
        )
    return f"A capsule serves on {home} already, as process {process}: stop it first"


def _read(note: bytes) -> Serving:
    try:
        fields = json.loads(note)
        since = datetime.fromisoformat(fields["since"])
        outage = fields.get("outage")
        serving = Serving(
            int(fields["process"]),
            since,
            outage and StorageOutage(datetime.fromisoformat(outage["since"]), outage["reason"]),
            _file(fields),
        )
        os.kill(serving.process or 0, 0)
    except ProcessLookupError:
        # Another process of the capsule serves, which started earlier.
        return Serving()
    except PermissionError:
        pass
    except (ValueError, KeyError, TypeError):
        return Serving()
    return serving


def _file(fields: dict[str, Any]) -> OpenedFile | None:
    if "inode" not in fields:
        return None
    return OpenedFile(Path(fields["database"]), int(fields["device"]), int(fields["inode"]))
