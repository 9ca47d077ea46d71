"""Databases made quickly: what is the same for all of them is done once a process.

They are SQLite's, unless `use_postgresql` says otherwise for all that follow.
"""

import os
import tempfile
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

from sqlalchemy import Engine, event

from capsule.db.database import Database, open_database
from capsule.db.upgrading import upgrade_database
from tests.support import postgresql
from tests.support.lent_databases import LentDatabases
from tests.support.postgresql import SECRET


class CompiledStatements(dict[Any, Any]):
    """SQLAlchemy's cache of compiled statements, for several engines of the same kind.

    An engine compiles each statement on its own, which is half the time of a short story. The first
    part of SQLAlchemy's keys is the engine's dialect, and keeps engines apart that share a cache:
    here its name is enough.
    """

    def get(self, key: tuple[Any, ...], default: Any = None) -> Any:  # noqa: ANN401
        return super().get((key[0].name, *key[1:]), default)

    def __setitem__(self, key: tuple[Any, ...], compiled: object) -> None:
        super().__setitem__((key[0].name, *key[1:]), compiled)


_on_postgresql = False


def use_postgresql(*, use: bool) -> None:
    """Decide where the databases of capsules are made from now on."""
    global _on_postgresql  # noqa: PLW0603 - one decision for all tests of a process
    _on_postgresql = use


def started_database(url: str, random_bytes: Callable[[int], bytes] = os.urandom) -> Database:
    """Open a database as a capsule does that starts on it: it is made, or migrated, if need be."""
    upgrade_database(url, random_bytes)
    return open_database(url)


def database_for(home: Path) -> tuple[str, bool]:
    """Return the URL of the database of the capsule in a folder, and whether it was made just now.

    A new one has its tables and its secret, so that nobody has to look for these.
    """
    if _on_postgresql:
        return _lent_databases().lend(str(home))
    path = home / "oxonaut.db"
    is_new = not path.exists()
    if is_new:
        put_empty_database(path)
    return f"sqlite:///{path}", is_new


def take_databases_back() -> None:
    """Take back the databases that are not in their capsules' folders."""
    if _on_postgresql:
        with suppress(postgresql.NoPostgresql):
            _lent_databases().take_back()


@cache
def _lent_databases() -> LentDatabases:
    return LentDatabases(postgresql.server())


def put_empty_database(path: Path) -> None:
    """Put a new database into a file: with its tables and its secret, and nothing else."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch(mode=0o600)
    path.write_bytes(_empty_database())


def leave_writing_to_the_system(engine: Engine) -> None:
    """Keep SQLite from waiting until the disk has written: no test cuts the power.

    All connections and processes read what was written all the same.
    """
    if engine.dialect.name != "sqlite":
        return
    connection = engine.raw_connection()
    _do_not_wait(connection.driver_connection)
    connection.close()
    event.listen(engine, "connect", _do_not_wait)


def _do_not_wait(connection: Any, _record: object = None) -> None:  # noqa: ANN401 - sqlite3's
    connection.execute("PRAGMA synchronous=OFF")


@cache
def _empty_database() -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "empty.db")
        upgrade_database(f"sqlite:///{path}", SECRET)
        return path.read_bytes()
