"""The files of an SQLite database, private to their owner: the secret of all keys is in it."""

import logging
import os
import pwd
import shutil
import sqlite3
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import sqlalchemy as sa

from capsule.db.faults import PRIMARY_CODE

MEGABYTE = 1_000_000

LOW_ROOM = 50 * MEGABYTE
"""Bytes on the disk below which an operator is warned."""

_OTHERS = stat.S_IRWXG | stat.S_IRWXO

_UNOPENABLE = {sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY}
"""SQLite's errors if it may not read a file, or not make the files beside it that it needs."""

_log = logging.getLogger(__name__)


def file_of(url: sa.URL) -> Path | None:
    """Return the file of a database; None for any other database."""
    if url.get_backend_name() != "sqlite" or url.database in {None, "", ":memory:"}:
        return None
    return Path(url.database or "")


def free_bytes(database: Path) -> int:
    """Return the bytes that are free on the disk of a database."""
    return shutil.disk_usage(database).free


def storage_warning(database: Path) -> str | None:
    """Return why little or nothing can be stored, as the file system says; None if all is well."""
    if sentence := _read_only(database):
        return sentence
    free = free_bytes(database)
    if free < LOW_ROOM:
        return f"Only {free / MEGABYTE:.1f} MB are free on the disk of {database}"
    return None


def make_private(database: Path) -> None:
    """Make a database and the files beside it readable by their owner alone.

    An empty database is made if there is none: the files that SQLite makes beside it are as private
    as it is. The log says which files others could read until now.
    """
    # Where no file can be made, SQLite says why.
    with suppress(OSError):
        os.close(os.open(database, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    for suffix in ("", "-wal", "-shm"):
        path = database.with_name(f"{database.name}{suffix}")
        if path.exists() and (mode := stat.S_IMODE(path.stat().st_mode)) & _OTHERS:
            try:
                path.chmod(mode & ~_OTHERS)
            except OSError as error:
                _log.warning("%s can be read by others: %s", path, error.strerror)
            else:
                _log.warning("%s could be read by others. Now only its owner can read it", path)


def give_to_owner_of(model: Path, path: Path) -> None:
    """Give a new file the owner and the group of another, as far as only root can do.

    Raises `OSError`.
    """
    if os.geteuid() == 0:
        found = model.stat()
        os.chown(path, found.st_uid, found.st_gid)


@contextmanager
def named_if_unopenable(database: Path | None) -> Iterator[None]:
    """Add to an error of SQLite's which file it cannot open, and why as far as that is known."""
    try:
        yield
    except sqlite3.OperationalError as error:
        code = getattr(error, "sqlite_errorcode", 0)
        if database is not None and code & PRIMARY_CODE in _UNOPENABLE:
            reason = _read_only(database) or _ownership(database)
            error.args = (f"{error}: {reason}",)
        raise


def user_name(number: int) -> str:
    """Return the name of a user of this machine, or the number if it has none."""
    try:
        return pwd.getpwuid(number).pw_name
    except KeyError:
        return str(number)


def _read_only(database: Path) -> str | None:
    """Return that a database is on a read-only file system, in words; None for any other."""
    try:
        is_read_only = os.statvfs(database).f_flag & os.ST_RDONLY
    except OSError:
        return None
    return f"{database} is on a file system that is read-only" if is_read_only else None


def _ownership(database: Path) -> str:
    """Return the owners of a database and its folder, and this user, in words.

    If this user is an owner without the right to write, the words say so.
    """
    owners = []
    for what, path in ((str(database), database), ("its folder", database.absolute().parent)):
        try:
            owner = path.stat().st_uid
        except OSError as error:
            owners.append(f"{what}: {error.strerror}")
            continue
        is_locked = owner == os.geteuid() and not os.access(path, os.W_OK, effective_ids=True)
        owners.append(f"{what} belongs to {user_name(owner)}{' and is read-only' * is_locked}")
    return f"{', '.join(owners)}, and this is {user_name(os.geteuid())}"
