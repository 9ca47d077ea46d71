"""The file of the database is replaced or removed: nothing is written any more, or lost."""

import errno
import logging
import os
import shutil
import sqlite3
import stat
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, ExitStack, closing
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from threading import Event, Thread
from typing import NoReturn, cast

import pytest
from sqlalchemy import text

from capsule.db import backup
from capsule.db.backup import OpenedFile, back_up
from capsule.db.changes import GameChanges
from capsule.db.database import Database, open_database
from capsule.db.faults import DatabaseDisplaced
from capsule.gemini.types import Response
from capsule.processes import guarding
from capsule.processes.guarding import guarded
from tests.support.client import Client, link
from tests.support.quick_database import put_empty_database
from tests.support.stories import ALICE
from tests.support.waiting import wait_until

pytestmark = pytest.mark.sqlite

LOG = logging.getLogger("oxonaut")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return the path of a new database, beside which a backup of it lies."""
    put_empty_database(tmp_path / "oxonaut.db")
    return tmp_path / "oxonaut.db"


@pytest.fixture
def new(path: Path) -> Path:
    """Return the path of another database."""
    back_up(path, path.with_name("new.db"))
    return path.with_name("new.db")


def opened(path: Path) -> Database:
    return open_database(f"sqlite:///{path}", opened=OpenedFile.at(path))


@pytest.fixture
def database(path: Path) -> Iterator[Database]:
    with closing(opened(path)) as made:
        yield made


def write(database: Database, value: str) -> None:
    with database.writing() as connection:
        connection.execute(
            text("INSERT INTO secrets (name, value) VALUES (:name, '')"), {"name": value}
        )


def written(path: Path) -> set[str]:
    """Return what was written to a database, which must be sound."""
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        names = connection.execute("SELECT name FROM secrets")
        return {name for (name,) in names if name != "action keys"}


def displaced(folder: Path, name: str = "oxonaut.db") -> list[Path]:
    return sorted(folder.glob(f"{name}.displaced-*"))


def test_nothing_is_written_once_another_file_is_there(
    database: Database, path: Path, new: Path
) -> None:
    write(database, "before")
    before = new.read_bytes()
    new.rename(path)
    for _ in range(2):
        with pytest.raises(DatabaseDisplaced, match="was replaced or removed"):
            write(database, "after")
    # Whoever read goes on doing so; nobody else begins to.
    with database.reading() as connection:
        names = {name for (name,) in connection.execute(text("SELECT name FROM secrets"))}
    assert names == {"action keys", "before"}
    with database.reading(), pytest.raises(DatabaseDisplaced), database.reading():
        pass
    assert GameChanges(opened_before(database).engine).changed() is None
    assert path.read_bytes() == before


def opened_before(database: Database) -> Database:
    """Return a database that has no connection, though the file was opened before."""
    database.close()
    return database


def test_a_move_is_answered_as_if_the_database_were_away_and_pages_go_on(
    client: Client, game: str
) -> None:
    path = client.home / "oxonaut.db"
    back_up(path, client.home / "new.db")
    client.database.close()
    client.database = opened(path)
    client.context = replace(client.context, database=client.database)
    client.forget_pages()
    prompt = link(client.get(game, ALICE), "/move")
    (client.home / "new.db").rename(path)
    answer = client.type(prompt, "e5", ALICE)
    assert answer == Response(41, "Your move was not stored. Try again later")
    assert client.ask(game, ALICE).status == 20


def test_a_file_that_is_gone_is_not_made_again(database: Database, path: Path) -> None:
    path.unlink()
    with pytest.raises(DatabaseDisplaced):
        write(database, "after")
    with pytest.raises(DatabaseDisplaced), opened_before(database).reading():
        pass
    with pytest.raises(DatabaseDisplaced):
        open_database(f"sqlite:///{path}", opened=database.file)
    assert not path.exists()


def test_a_file_that_came_back_is_written_to(database: Database, path: Path) -> None:
    path.rename(path.with_name("away.db"))
    with pytest.raises(DatabaseDisplaced):
        write(database, "after")
    path.with_name("away.db").rename(path)
    write(database, "again")
    database.close()
    assert written(path) == {"again"}


def test_the_process_is_ended_with_a_sentence_that_names_the_copy(
    database: Database, path: Path, new: Path, caplog: pytest.LogCaptureFixture
) -> None:
    def serve() -> None:
        with guarded(database, LOG):
            write(database, "before")
            new.rename(path)
            wait_until(lambda: displaced(path.parent))

    with pytest.raises(DatabaseDisplaced) as ended:
        serve()
    (copy,) = displaced(path.parent)
    assert str(ended.value) == (
        f"{path} was replaced or removed while the capsule served. All that was stored until "
        f"then is in {copy}"
    )
    assert caplog.messages == [str(ended.value)]
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    assert written(copy) == {"before"}
    assert path.with_name("oxonaut.db-wal").stat().st_size == 0
    database.close()
    assert written(path) == set()


def test_a_process_that_is_stopped_at_once_leaves_a_copy_too(
    database: Database, path: Path, new: Path
) -> None:
    write(database, "before")
    with pytest.raises(DatabaseDisplaced), guarded(database, LOG):
        new.rename(path)
    (copy,) = displaced(path.parent)
    assert written(copy) == {"before"}


def test_a_file_that_stays_in_its_place_is_not_copied(database: Database, path: Path) -> None:
    with guarded(database, LOG):
        write(database, "before")
    assert not displaced(path.parent)


class Rescuer:
    """A process that had a database open before its file was displaced."""

    def __init__(self, path: Path) -> None:
        self.database = opened(path)
        self._before = self.database.engine.raw_connection()
        self._log = backup.opened_log(path)

    def rescue(self) -> bool:
        """Return whether this process is the one that copies the database."""
        assert self.database.file is not None
        connection = cast("sqlite3.Connection", self._before.driver_connection)
        return backup.rescue(self.database.file, self._log, connection, datetime.now(UTC))

    def close(self) -> None:
        self._before.close()
        self.database.close()


@pytest.fixture
def rescuer(path: Path) -> Iterator[Rescuer]:
    with closing(Rescuer(path)) as made:
        yield made


def test_a_transaction_that_began_before_is_waited_for(
    database: Database, rescuer: Rescuer, path: Path
) -> None:
    with database.writing() as connection:
        connection.execute(text("INSERT INTO secrets (name, value) VALUES ('slow', '')"))
        path.unlink()
        rescuing = Thread(target=rescuer.rescue)
        rescuing.start()
        # Without waiting, it would have the copy by then.
        rescuing.join(0.5)
    rescuing.join()
    (copy,) = displaced(path.parent)
    assert written(copy) == {"slow"}


def test_one_process_alone_makes_the_copy(database: Database, path: Path, new: Path) -> None:
    write(database, "before")
    with ExitStack() as stack:
        rescuers = [stack.enter_context(closing(Rescuer(path))) for _ in range(4)]
        new.rename(path)
        with ThreadPoolExecutor(len(rescuers)) as threads:
            assert sum(threads.map(Rescuer.rescue, rescuers)) == 1
    (copy,) = displaced(path.parent)
    assert written(copy) == {"before"}


def test_a_log_that_a_reader_needs_is_moved_aside(
    database: Database, rescuer: Rescuer, path: Path, new: Path
) -> None:
    write(database, "before")
    with database.reading() as reader:
        reader.execute(text("SELECT name FROM secrets"))
        write(database, "meanwhile")
        new.rename(path)
        assert rescuer.rescue()
        assert not path.with_name("oxonaut.db-wal").exists()
        assert not path.with_name("oxonaut.db-shm").exists()
        # Another program may open what is there now.
        assert written(path) == set()
        assert len(reader.execute(text("SELECT name FROM secrets")).all()) == 2
    (copy,) = displaced(path.parent)
    assert written(copy) == {"before", "meanwhile"}
    (log,) = displaced(path.parent, "oxonaut.db-wal")
    assert log.stat().st_size > 0


def test_the_log_of_another_database_that_took_the_place_is_left_alone(
    database: Database, rescuer: Rescuer, path: Path
) -> None:
    write(database, "before")
    new = path.with_name("new.db")
    put_empty_database(new)
    with database.reading() as reader, closing(opened(new)) as other:
        reader.execute(text("SELECT name FROM secrets"))
        write(other, "others")
        for end in ("", "-wal", "-shm"):
            path.with_name(f"oxonaut.db{end}").rename(path.with_name(f"away.db{end}"))
            # Copied, as from a machine that has crashed.
            shutil.copy(new.with_name(f"new.db{end}"), path.with_name(f"oxonaut.db{end}"))
        assert rescuer.rescue()
    (copy,) = displaced(path.parent)
    assert written(copy) == {"before"}
    assert written(path) == {"others"}


def test_if_no_copy_can_be_made_the_log_is_moved_aside_and_makes_the_old_file_whole(
    database: Database, rescuer: Rescuer, path: Path, new: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(target: Path) -> NoReturn:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(target))

    monkeypatch.setattr(backup, "appearing", refuse)
    write(database, "before")
    away = path.with_name("away.db")
    path.rename(away)
    new.rename(path)
    with pytest.raises(OSError, match="No space left"):
        rescuer.rescue()
    assert written(path) == set()
    database.close()
    rescuer.close()
    (log,) = displaced(path.parent, "oxonaut.db-wal")
    log.rename(path.with_name("away.db-wal"))
    assert written(away) == {"before"}


@pytest.mark.slow
def test_while_there_is_no_room_for_the_copy_the_process_goes_on_with_what_was_stored(
    database: Database,
    path: Path,
    new: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    room = Event()
    attempts: list[Path] = []
    appearing = backup.appearing

    def appear(target: Path) -> AbstractContextManager[Path]:
        attempts.append(target)
        if not room.is_set():
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(target))
        return appearing(target)

    monkeypatch.setattr(backup, "appearing", appear)
    monkeypatch.setattr(guarding, "ROOM_SECONDS", 0.1)

    def serve() -> None:
        with guarded(database, LOG):
            write(database, "before")
            # What was there before has no name any more.
            new.rename(path)
            wait_until(lambda: len(attempts) > 3)
            with pytest.raises(DatabaseDisplaced):
                write(database, "after")
            room.set()
            wait_until(lambda: displaced(path.parent))

    with pytest.raises(DatabaseDisplaced, match=r"is in .*\.displaced-"):
        serve()
    (copy,) = displaced(path.parent)
    assert written(copy) == {"before"}
    assert written(path) == set()
    (waiting, done) = caplog.messages
    assert "could not be copied: [Errno 28] No space left" in waiting
    assert "Make room on the disk" in waiting
    assert str(copy) in done
