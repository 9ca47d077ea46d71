"""Leaving nothing on the disk of what was erased from an SQLite database.

What is deleted is overwritten in the database's file (`secure_delete`), but what stood there before
is still in the write-ahead log, until all of the log is in the file and it is emptied. That must
wait for those who are reading an older state. Until it is done, a counter says that it is due,
whichever process has erased something. PostgreSQL is its administrator's:
see `capsule/OPERATING.md`.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

from sqlalchemy import insert, select, update

from capsule.db.engines import busy_timeout, read_transaction, write_transaction
from capsule.db.faults import DatabaseFault
from capsule.db.schema.ratings import counters

if TYPE_CHECKING:
    from sqlalchemy import Connection, Engine

COUNTER = "erasures due"

PATIENCE = 1.0
"""Seconds for which the log's emptying waits for those who read; meanwhile nobody can write."""


def note(connection: Connection) -> None:
    """Note that the log must be emptied after this transaction, which erases something."""
    if connection.dialect.name != "sqlite":
        return
    known = counters.c.name == COUNTER
    raised = connection.execute(
        update(counters).where(known).values(value=counters.c.value + 1)
    ).rowcount
    if not raised:
        connection.execute(insert(counters).values(name=COUNTER, value=1))


def complete(engine: Engine) -> bool:
    """Empty the log if that is due; return whether nothing is left to be done.

    If somebody reads an older state for longer than `PATIENCE`, or the disk fails, it stays due.
    """
    if engine.dialect.name != "sqlite":
        return True
    try:
        with read_transaction(engine) as connection:
            due = connection.execute(
                select(counters.c.value).where(counters.c.name == COUNTER)
            ).scalar()
        if not due:
            return True
        if not _empty_log(engine):
            return False
        with write_transaction(engine) as connection:
            # Unless more was erased meanwhile.
            connection.execute(
                update(counters)
                .where(counters.c.name == COUNTER, counters.c.value == due)
                .values(value=0)
            )
    except (DatabaseFault, sqlite3.Error):
        return False
    return True


def _empty_log(engine: Engine) -> bool:
    with closing(engine.raw_connection()) as pooled:
        cursor = pooled.cursor()
        cursor.execute(busy_timeout(PATIENCE))
        try:
            is_busy, _, _ = cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        finally:
            cursor.execute(busy_timeout())
    return not is_busy
