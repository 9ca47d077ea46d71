"""Making the tables of a database, or migrating those of an earlier release, before it is served.

SQLite's file is copied before, and the copy deleted a fortnight later, since it still has people
who have been erased by then. PostgreSQL's copies are its administrator's.
"""

import logging
import os
import re
import sqlite3
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from glob import escape
from pathlib import Path

import sqlalchemy as sa

from capsule.db import backup, files, migrating, postgresql
from capsule.db.database import KEY_SECRET, Database, connect, wait_until_up
from capsule.db.migrating import CannotMigrate, in_words, name_of_copy, newest_revision
from capsule.db.schema import players

KEPT_FOR = timedelta(days=14)
"""The age at which the copy of a database from before a migration is deleted."""

WAIT_SECONDS = 1.0
"""Seconds to wait for other processes that use a database, which may be stopping or only read."""

_APPLICATION = "oxonaut upgrading"
"""The name by which PostgreSQL knows this connection: capsules that start together do not count."""

_INFIX = ".before-"

_COPY = re.compile(r"\.before-(\d+\.\d+[\w.+]*|revision-\d+|unknown)")
"""The end of the name of a copy, with the version that made it before it migrated."""

_UNDATED = 0.0
"""The time of a copy by its file until it is known by a clock that can be trusted."""

_log = logging.getLogger(__name__)


def upgrade_database(
    url: str, random_bytes: Callable[[int], bytes], *, patience: float = 0, may_drop: bool = False
) -> None:
    """Make the tables and the capsule's secret, or migrate the tables; do nothing if all is there.

    Nobody else may use the database meanwhile. `random_bytes` makes the secret. PostgreSQL is
    waited for as by `open_database`; `may_drop` allows migrations there that drop something. The
    log says from which release to which the tables were migrated.

    Raises:
        CannotOpen: There is no such kind of database, its tables cannot be migrated, others use it,
            or no copy of it can be made. Nothing has changed then.
        DatabaseFault: The database cannot be reached, is locked, or its file is replaced or removed
            meanwhile.
    """
    database = connect(url, _APPLICATION)
    file = files.file_of(database.engine.url)
    opened = log = None
    try:
        wait_until_up(database, patience)
        if file is not None:
            files.make_private(file)
            opened = backup.OpenedFile.at(file)
            database = connect(url, _APPLICATION, opened)
        with database.reading() as connection:
            revision = migrating.stored_revision(connection)
            is_ready = revision == newest_revision() and _has_secret(connection)
        # SQLite knows whether others have it open only while nobody does here.
        database.close()
        if revision not in {None, newest_revision()}:
            migrating.require_known(revision)
            _require_unused(file)
        # Only a capsule that serves the file changes it, not commands that read or are refused.
        database = connect(url, _APPLICATION, opened, logs_ahead=True)
        if is_ready:
            with database.reading():
                return
        with database.writing(migrating.PATIENCE) as connection:
            migrating.hold_lock(connection)
            log = file and backup.opened_log(file)
            _upgrade(connection, file, may_drop=may_drop)
            if not _has_secret(connection):
                secret = {"name": KEY_SECRET, "value": random_bytes(32)}
                connection.execute(sa.insert(players.secrets).values(secret))
            if opened is not None:
                opened.require_in_place()
    finally:
        database.close()
        # It would be written into the file that has taken the name.
        if opened and log and not opened.is_in_place() and log.is_in_place():
            backup.move_log_aside(log.path, datetime.now(UTC))


def delete_old_copy(database: Database, now: datetime) -> None:
    """Delete the copy that was made of a database before a migration, once it is old enough.

    `now` is a time that can be trusted. A copy counts from the first such time after it was made.
    Raises `OSError` if it cannot be deleted.
    """
    file = files.file_of(database.engine.url)
    if file is None:
        return
    for copy in file.parent.glob(f"{escape(file.name)}{_INFIX}*"):
        if not _COPY.fullmatch(copy.name.removeprefix(file.name)):
            continue
        made = copy.stat().st_mtime
        if made == _UNDATED:
            os.utime(copy, (now.timestamp(), now.timestamp()))
        elif now - datetime.fromtimestamp(made, UTC) >= KEPT_FOR:
            copy.unlink()


def _upgrade(connection: sa.Connection, file: Path | None, *, may_drop: bool) -> None:
    """Make or migrate the tables in a transaction that writes, and nobody else's."""
    stored, newest = migrating.stored_revision(connection), newest_revision()
    if stored is None:
        migrating.migrate(connection)
    elif stored != newest:
        migrating.require_known(stored)
        if file is None:
            _require_alone(connection)
            if not may_drop and migrating.drops_data(stored):
                raise CannotMigrate(_drops(stored, connection.engine.url))
        copy = file and _copied(file)
        _log.info("Migrating the database from %s to %s", in_words(stored), in_words(newest))
        migrating.migrate(connection)
        kept = copy and f", and kept as it was in {copy} for {KEPT_FOR.days} days"
        _log.info("The database is migrated%s", kept or "")


def _require_unused(file: Path | None) -> None:
    """Raise `CannotMigrate` if a process has the file of a database open for too long."""
    if file is None:
        return
    until = time.monotonic() + WAIT_SECONDS
    while True:
        try:
            backup.require_unused(file)
        except backup.BackupRefused as error:
            if time.monotonic() >= until:
                raise CannotMigrate(f"{error}. Only then can it be migrated") from error
        except (OSError, sqlite3.Error) as error:
            raise CannotMigrate(f"The database cannot be migrated: {error}") from error
        else:
            return
        time.sleep(0.1)


def _require_alone(connection: sa.Connection) -> None:
    """Raise `CannotMigrate` if a capsule or a command has a connection for too long."""
    until = time.monotonic() + WAIT_SECONDS
    while number := postgresql.count_others(connection):
        if time.monotonic() >= until:
            connections = "connection" if number == 1 else "connections"
            raise CannotMigrate(
                f"The database must be migrated, and {number} {connections} of Oxonaut to it "
                f"{'is' if number == 1 else 'are'} open: stop all capsules and commands on it first"
            )
        time.sleep(0.1)


def _copied(file: Path) -> Path:
    """Copy a database, which this process alone writes to, beside it; return the path of the copy.

    Raises `CannotMigrate` if that cannot be done.
    """
    copy = file.with_name(f"{file.name}{_INFIX}{name_of_copy(newest_revision())}")
    try:
        # Those that a power cut has left take room.
        for left in file.parent.glob(f".{escape(copy.name)}.*"):
            left.unlink()
        backup.back_up(file, copy)
        os.utime(copy, (_UNDATED, _UNDATED))
    except (OSError, sqlite3.Error, backup.BackupRefused) as error:
        raise CannotMigrate(
            f"The database is not migrated, since no copy of it can be made beside it: {error}"
        ) from error
    return copy


def _drops(revision: str, url: sa.URL) -> str:
    """Return the sentence that asks for a copy of PostgreSQL's before something is dropped."""
    parts = url.username, None, url.host, url.port, url.database, url.query
    address = sa.URL.create("postgresql", *parts).render_as_string()
    copy = f"before-{name_of_copy(newest_revision())}.dump"
    return (
        f"The migration from {in_words(revision)} to {in_words(newest_revision())} drops data. "
        f"Back the database up (pg_dump -Fc -f {copy} '{address}'), and start once with --migrate"
    )


def _has_secret(connection: sa.Connection) -> bool:
    known = sa.select(players.secrets.c.name).where(players.secrets.c.name == KEY_SECRET)
    return connection.execute(known).first() is not None
