"""Changes of the database, noticed whichever connection made them.

Triggers note in the table `changes` what has changed. So a page can be cached until something on it
changes, be it by another thread, another process or the operator's console. SQLite says at the cost
of a few microseconds whether there is anything new; `capsule.db.shared_changes` asks PostgreSQL.
"""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING

from sqlalchemy import delete, event, func, select
from sqlalchemy.exc import SQLAlchemyError

from capsule.db.faults import DatabaseFault
from capsule.db.schema.changes import changes
from capsule.gemini.types import Account, PlayerGames

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from sqlalchemy import Engine, PoolProxiedConnection
    from sqlalchemy.engine.interfaces import DBAPICursor

    from capsule.db.database import Database
    from capsule.gemini.types import CacheTag

MAX_NOTES = 500
"""Notes that are read at a time; after more changes than that, everything counts as changed."""

KEPT_NOTES = 10_000
"""Notes that stay when old ones are deleted."""

VERSION = "PRAGMA data_version"
SCHEMA = "PRAGMA schema_version"
NEWEST = "SELECT coalesce(max(number), 0) FROM changes"
SINCE = (
    "SELECT number, game_id, player_id, x_player_id, o_player_id, challenged_player_id "  # noqa: S608 - a constant
    f"FROM changes WHERE number > ? ORDER BY number LIMIT {MAX_NOTES + 1}"
)


class GameChanges:
    """The changes in an SQLite database since the last call; used by one thread at a time."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._connection: PoolProxiedConnection | None = None
        self._version = -1
        self._schema = -1
        self._number = 0

    def changed(self) -> Collection[CacheTag] | None:
        """Return what has changed since the last call: games, and with them all games of players.

        None means that something else changed, or that it is not known what did.
        """
        try:
            if self._connection is None:
                self._connection = self._engine.raw_connection()
            cursor = self._connection.cursor()
            version = _single_value(cursor, VERSION)
            return () if version == self._version else self._read(cursor)
        except (sqlite3.Error, SQLAlchemyError, DatabaseFault):
            # The next page to be made will meet the same fault, and explain it.
            self._version = -1
            return None

    def close(self) -> None:
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
            is_complete = 0 < len(notes) <= MAX_NOTES
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
        if any(game is None for _, game, *_players in notes):
            return None
        return {tag for _number, *note in notes for tag in tags_of(*note)}


def tags_of(game_id: str, account_id: int | None, *players: int | None) -> Iterator[CacheTag]:
    """Yield what a note says has changed: a game, an account, all games of players."""
    if game_id:
        yield game_id
    if account_id is not None:
        yield Account(account_id)
    yield from (PlayerGames(player) for player in players if player is not None)


def game_changes(database: Database) -> GameChanges:
    """Return the source of changes of an SQLite database."""
    found = GameChanges(database.engine)
    # A connection that stayed open would keep the database from being restored.
    event.listen(database.engine, "engine_disposed", lambda _engine: found.close())
    return found


def _single_value(cursor: DBAPICursor, statement: str) -> int:
    cursor.execute(statement)
    return int(cursor.fetchall()[0][0])


def delete_old_notes(database: Database) -> None:
    """Delete notes that everybody has read, if there are many."""
    with database.reading() as connection:
        oldest, newest = connection.execute(
            select(func.min(changes.c.number), func.max(changes.c.number))
        ).one()
    if oldest is not None and newest - oldest > 2 * KEPT_NOTES:
        with database.writing() as connection:
            connection.execute(delete(changes).where(changes.c.number <= newest - KEPT_NOTES))
