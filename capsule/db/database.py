"""Opening the database, and running transactions."""

from __future__ import annotations

from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import Connection, Engine, insert, select

from capsule.db import erasure
from capsule.db.engines import PATIENCE, make_engine, read_transaction, write_transaction
from capsule.db.faults import Conflict
from capsule.db.migrating import is_up_to_date, migrate, require_complete
from capsule.db.schema import players

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


KEY_SECRET = "action keys"  # noqa: S105 - the name of a secret, not the secret
"""The name of the secret that signs action keys."""


@dataclass(frozen=True)
class Database:
    """The database, ready for use.

    Whatever it fails at that is no fault of the capsule is raised as a
    `capsule.db.faults.DatabaseFault`: `DatabaseBusy`, `DatabaseAway` or, from `writing`, `Conflict`
    if another transaction was faster. Nothing is stored then.
    """

    engine: Engine

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """Yield a connection that sees one state of the database throughout.

        It never waits for those who write.
        """
        with read_transaction(self.engine) as connection:
            yield connection

    @contextmanager
    def writing(self, patience: float = PATIENCE) -> Iterator[Connection]:
        """Yield a connection whose changes are committed at the end, or rolled back on an error.

        Waits for up to `patience` seconds for what others hold.
        """
        with write_transaction(self.engine, patience) as connection:
            yield connection

    @contextmanager
    def erasing(self) -> Iterator[Connection]:
        """Yield a connection as `writing` does, for a transaction that erases somebody's words.

        Afterwards they are not on the disk any more. Only if somebody reads an older state of the
        database for long does that wait for `complete_erasures`.
        """
        with self.writing() as connection:
            yield connection
            erasure.note(connection)
        erasure.complete(self.engine)

    def complete_erasures(self) -> bool:
        """Clear what was erased from the disk, where it still is; return whether that is done."""
        return erasure.complete(self.engine)

    def close(self) -> None:
        """Close every connection."""
        self.engine.dispose()


def open_database(url: str, random_bytes: Callable[[int], bytes]) -> Database:
    """Open the database at an SQLAlchemy `url`, with its tables created or migrated.

    `random_bytes` makes the capsule's secret when the database is first opened.

    Raises:
        CannotOpen: There is no such kind of database, its tables are from a version that this one
            does not know, or a part of them is missing.
        DatabaseFault: The database cannot be reached, or is locked.
    """
    engine = make_engine(url)
    if not is_up_to_date(engine):
        migrate(engine)
    require_complete(engine)
    _make_secret(engine, random_bytes)
    return Database(engine)


def key_secret(connection: Connection) -> bytes:
    """Return the secret that signs action keys, which all processes share."""
    value: bytes = connection.execute(
        select(players.secrets.c.value).where(players.secrets.c.name == KEY_SECRET)
    ).scalar_one()
    return value


def _make_secret(engine: Engine, random_bytes: Callable[[int], bytes]) -> None:
    with read_transaction(engine) as connection:
        known = connection.execute(
            select(players.secrets.c.name).where(players.secrets.c.name == KEY_SECRET)
        ).first()
    if known:
        return
    # If another process that is starting, too, is faster, its secret applies.
    with suppress(Conflict), write_transaction(engine) as connection:
        connection.execute(insert(players.secrets).values(name=KEY_SECRET, value=random_bytes(32)))
