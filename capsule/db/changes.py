"""Changes of the database, noticed whichever connection made them.

Triggers note in the table `changes` what has changed. So a page can be cached until something on it
changes, be it by another thread, another process or the operator's console. `GameChanges` asks
SQLite, which takes a few microseconds if nothing is new, and `SharedChanges` asks PostgreSQL.
"""

import sqlite3
from collections import deque
from collections.abc import Collection, Iterator, Sequence
from datetime import datetime, timedelta
from threading import Lock
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine.interfaces import DBAPICursor

from capsule.db.database import Database, named_faults
from capsule.db.faults import DatabaseFault, DatabaseUnavailable
from capsule.db.schema.base import changes
from capsule.gemini.types import Account, CacheTag, PlayerGames

MAX_ROWS = 500
"""The number of notes that are read at a time; after more, everything counts as changed."""

KEPT_ROWS = 10_000
"""The number of notes that stay when old ones are deleted."""

VERSION = "PRAGMA data_version"
SCHEMA = "PRAGMA schema_version"
NEWEST = "SELECT coalesce(max(number), 0) FROM changes"
SINCE = (
    "SELECT number, game_id, player_id, x_player_id, o_player_id, challenged_player_id "  # noqa: S608 - a constant
    f"FROM changes WHERE number > ? ORDER BY number LIMIT {MAX_ROWS + 1}"
)


class GameChanges:
    """The changes in an SQLite database since the last call; used by one thread at a time."""

    def __init__(self, engine: sa.Engine) -> None:
        self._engine = engine
        self._connection: sa.PoolProxiedConnection | None = None
        self._version = -1
        self._schema = -1
        self._number = 0
        # A connection that stayed open would keep the database from being restored.
        sa.event.listen(engine, "engine_disposed", self._close)

    def changed(self) -> Collection[CacheTag] | None:
        """Return what has changed since the last call, as cache tags.

        None means that anything may have changed.
        """
        try:
            if self._connection is None:
                self._connection = self._engine.raw_connection()
            cursor = self._connection.cursor()
            version = _single_value(cursor, VERSION)
            return () if version == self._version else self._read(cursor)
        except (sqlite3.Error, sa.exc.SQLAlchemyError, DatabaseFault):
            # The next page to be made will meet the same fault, and explain it.
            self._version = -1
            return None

    def _close(self, _engine: sa.Engine) -> None:
        """Close the connection; the next question opens another."""
        if self._connection is not None:
            self._connection.detach()
            self._connection.close()
        self._connection, self._version = None, -1

    def _read(self, cursor: DBAPICursor) -> Collection[CacheTag] | None:
        known, self._version = self._version, -1
        # In one transaction, so that the notes are those up to the version, and no others.
        cursor.execute("BEGIN")
        try:
            cursor.execute(SINCE, (self._number,))
            notes = cursor.fetchall() if known >= 0 else []
            is_complete = 0 < len(notes) <= MAX_ROWS
            newest = notes[-1][0] if is_complete else _single_value(cursor, NEWEST)
            version, schema = _single_value(cursor, VERSION), _single_value(cursor, SCHEMA)
        finally:
            cursor.execute("ROLLBACK")
        before = self._number, self._schema
        self._version, self._number, self._schema = version, newest, schema
        if known >= 0 and before == (newest, schema):
            # The write-ahead log was emptied, which SQLite counts as a change.
            return ()
        # The first note must follow the last one read: older ones may have been deleted.
        if not is_complete or notes[0][0] != before[0] + 1:
            return None
        return _tags([note for _number, *note in notes])


def _tags(notes: Sequence[Sequence[Any]]) -> Collection[CacheTag] | None:
    """Return the tags of what notes are about; None if one may be about anything."""
    if any(game is None for game, *_ in notes):
        return None
    return {tag for note in notes for tag in _tags_of(*note)}


def _tags_of(game_id: str, account_id: int | None, *players: int | None) -> Iterator[CacheTag]:
    """Yield the tags of what a note is about: a game, an account, all games of players."""
    if game_id:
        yield game_id
    if account_id is not None:
        yield Account(account_id)
    yield from (PlayerGames(player) for player in players if player is not None)


def _single_value(cursor: DBAPICursor, statement: str) -> int:
    cursor.execute(statement)
    return int(cursor.fetchall()[0][0])


def delete_old(database: Database) -> None:
    """Delete old notes if there are many: all processes have read them."""
    with database.reading() as connection:
        oldest, newest = connection.execute(
            sa.select(sa.func.min(changes.c.number), sa.func.max(changes.c.number))
        ).one()
    if oldest is not None and newest - oldest > 2 * KEPT_ROWS:
        with database.writing() as connection:
            connection.execute(sa.delete(changes).where(changes.c.number <= newest - KEPT_ROWS))


RECENT = timedelta(seconds=1)
"""The age that the last answer may have for visitors who are not signed in."""

NOW = """
SELECT pg_current_snapshot()::text, pg_postmaster_start_time(), (SELECT min(number) FROM changes)
"""

SINCE_SNAPSHOT = f"""
SELECT pg_current_snapshot()::text, pg_postmaster_start_time(), (SELECT min(number) FROM changes),
    noted.*
FROM (SELECT %(snapshot)s::pg_snapshot AS snapshot) AS last LEFT JOIN LATERAL (
    SELECT true, game_id, player_id, x_player_id, o_player_id, challenged_player_id FROM changes
    WHERE transaction_id >= pg_snapshot_xmin(last.snapshot)::text::bigint
    AND transaction_id < pg_snapshot_xmax(pg_current_snapshot())::text::bigint
    AND NOT pg_visible_in_snapshot(transaction_id::text::xid8, last.snapshot)
    LIMIT {MAX_ROWS + 1}
) AS noted ON true
"""  # noqa: S608 - a constant


class SharedChanges:
    """The changes in a PostgreSQL database up to the last question; used on several threads."""

    def __init__(self, engine: sa.Engine) -> None:
        self._engine = engine
        self._asking = Lock()
        self._begun = self._answered = 0
        self._asked_at: datetime | None = None
        # The last question's snapshot, and what differs if notes were deleted or lost since.
        self._snapshot = ""
        self._origin: tuple[object, ...] = ()
        self._pending: deque[Collection[CacheTag] | None] = deque()
        # What this process has stored itself is on every next page.
        sa.event.listen(engine, "commit", self._outdate)

    def is_recent(self, now: datetime) -> bool:
        """Return whether the last question was asked within the last second."""
        asked_at = self._asked_at
        return asked_at is not None and timedelta(0) <= now - asked_at <= RECENT

    def ask(self, now: datetime) -> None:
        """Ask what has changed, so that `changed` returns all that was stored by now.

        Raises a `DatabaseFault`.
        """
        begun = self._begun
        with self._asking:
            if self._answered > begun:
                # Another thread has asked since this was called.
                return
            self._begun += 1
            try:
                self._read()
            except DatabaseFault:
                self._snapshot = ""
                raise
            self._answered, self._asked_at = self._begun, now

    def changed(self) -> Collection[CacheTag] | None:
        """Return what has changed from the last call to the last question, as cache tags.

        None means that anything may have changed.
        """
        pending = [self._pending.popleft() for _ in range(len(self._pending))]
        known = [each for each in pending if each is not None]
        return set().union(*known) if len(known) == len(pending) else None

    def _outdate(self, _connection: object) -> None:
        self._asked_at = None

    def _read(self) -> None:
        known = self._snapshot
        rows = self._rows(SINCE_SNAPSHOT, {"snapshot": known}) if known else self._rows(NOW)
        self._snapshot, *origin = rows[0][:3]
        notes = [note for _, _, _, is_note, *note in rows if is_note] if known else []
        before, self._origin = self._origin, tuple(origin)
        if not known or before != self._origin or len(notes) > MAX_ROWS:
            self._pending.append(None)
        elif notes:
            self._pending.append(_tags(notes))

    def _rows(self, query: str, values: dict[str, str] | None = None) -> Sequence[Any]:
        """Return the rows of a query in a separate transaction, in one round trip."""
        driver_error: type[Exception] = self._engine.dialect.loaded_dbapi.Error
        try:
            with named_faults():
                pooled = self._engine.raw_connection()
            connection: Any = pooled.driver_connection
            try:
                connection.autocommit = True
                rows: Sequence[Any] = connection.execute(query, values, prepare=True).fetchall()
                connection.autocommit = False
            except BaseException:
                pooled.invalidate()
                raise
            pooled.close()
        except driver_error as error:
            raise DatabaseUnavailable("The database cannot be asked what has changed") from error
        return rows
