"""An operator upgrades a capsule of a release, and goes back."""

import errno
import logging
import os
import sqlite3
import stat
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import Connection, text

from capsule.db import backup, migrating
from capsule.db.database import Database, open_database
from capsule.db.faults import DatabaseDisplaced
from capsule.db.migrating import CannotMigrate, describe, name_of_copy, newest_revision
from capsule.db.upgrading import upgrade_database
from capsule.processes import housekeeping
from tests.support.client import Client
from tests.support.made_up_migrations import MadeUpMigrations
from tests.support.operator import Operator
from tests.support.quick_database import put_empty_database
from tests.support.release.kept import FIRST, RELEASES, Release
from tests.support.stories import record

pytestmark = [pytest.mark.sqlite, pytest.mark.slow]

OTHERS = (
    "check",
    "ratings",
    "ratings --check",
    "explorer rebuild",
    "admin reports",
    "admin log",
    "admin clock",
    "admin news 'We have moved'",
)
"""Commands that are for a database of their own version alone."""

SERVE = "serve --host 127.0.0.1 --port 0"

READERS = (
    "check",
    "status",
    "status --json",
    "ratings --check",
    "admin reports",
    "admin log",
    "admin log --player nobody",
    "admin show nobody",
)
"""Commands that only read, or are refused before they write."""


def contents(path: Path) -> list[str]:
    """Return all that a database holds, as statements."""
    with closing(sqlite3.connect(path)) as connection:
        return [*connection.iterdump()]


def revision_of(path: Path) -> str:
    """Return the revision of the tables in a file."""
    with closing(sqlite3.connect(path)) as connection:
        (revision,) = connection.execute("SELECT version_num FROM alembic_version").fetchone()
    return str(revision)


def copy_in(home: Path) -> Path:
    """Return the path of the copy that this version makes before it migrates a database."""
    return home / f"oxonaut.db.before-{name_of_copy(newest_revision())}"


def started(home: Path) -> None:
    """Do with the database what `oxonaut serve` does when it starts."""
    upgrade_database(f"sqlite:///{home}/oxonaut.db", os.urandom)


@pytest.fixture
def made_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> MadeUpMigrations:
    """Let this version have more migrations."""
    return MadeUpMigrations(tmp_path / "migrations", monkeypatch)


@pytest.mark.parametrize("release", RELEASES, ids=str)
def test_an_upgrade_and_the_way_back(tmp_path: Path, operator: Operator, release: Release) -> None:
    home, copy = tmp_path / "home", tmp_path / "before.db"
    home.mkdir()
    operator.home = home
    database = home / "oxonaut.db"
    release.put_into(home)
    before = contents(database)

    operator.printed(f"backup {copy}")
    operator.printed("status")
    assert contents(database) == before, "neither a backup nor a look migrates anything"

    upgraded = Client(home, now=release.now)
    running = release.record["running"][0]
    who = release.certificate_of(running["who"])
    assert upgraded.ask(f"{running['prompt']}?{running['move']}", who).status == 30
    moves = record(upgraded, f"/play/{running['game']}")["moves"]
    upgraded.database.close()
    operator.printed("check")
    assert f"Revision: {newest_revision()}\n" in operator.printed("status")

    operator.printed(f"restore {copy} --replace")
    assert contents(database) == before
    (aside,) = home.glob("oxonaut.db.replaced-*Z")
    again = Client(tmp_path / "again", now=release.now)
    again.database.close()
    operator.home = again.home
    operator.printed(f"restore {aside} --replace")
    again.start()
    assert record(again, f"/play/{running['game']}")["moves"] == moves
    again.database.close()


THIS = describe(newest_revision(), newest_revision())

REFUSALS = {
    "an older version": (
        f"The database is of Oxonaut 0.1.0 (revision 0010). This is {THIS}: start the capsule of "
        "this version first (oxonaut serve), which migrates the database"
    ),
    "this version": "",
    "a newer version": (
        "The database is of a later version of Oxonaut (revision 9999). This is "
        f"{THIS}: install the version that the database is of, or restore a backup"
    ),
}
"""The sentences by which commands refuse a database of another version."""


@pytest.mark.parametrize("of", REFUSALS)
def test_a_command_that_reads_or_is_refused_leaves_every_byte_of_a_restored_backup(
    tmp_path: Path, operator: Operator, of: str
) -> None:
    """A backup is not in SQLite's WAL mode, which a file would say in its header."""
    home, database = tmp_path / "home", tmp_path / "home" / "oxonaut.db"
    home.mkdir()
    if of == "an older version":
        FIRST.put_into(home)
    else:
        put_empty_database(tmp_path / "former.db")
        backup.back_up(tmp_path / "former.db", database)
    if of == "a newer version":
        with closing(sqlite3.connect(database)) as connection, connection:
            connection.execute("UPDATE alembic_version SET version_num = '9999'")
    before, operator.home = database.read_bytes(), home
    for command in (*READERS, f"backup {tmp_path}/copy.db"):
        status, _, _ = operator.type(command)
        is_for_any = command.startswith(("status", "backup"))
        is_refused = not is_for_any and (of != "this version" or "nobody" in command)
        assert status == is_refused, command
        assert database.read_bytes() == before, command
    for command in OTHERS if REFUSALS[of] else ():
        assert operator.refusal(command) == REFUSALS[of], command
    if of == "a newer version":
        assert operator.refusal(SERVE) == REFUSALS[of]
    assert database.read_bytes() == before
    assert [*home.glob("oxonaut.db*")] == [database]


@pytest.mark.parametrize("is_of_this_version", [False, True])
def test_a_capsule_that_starts_on_a_restored_backup_lets_readers_and_writers_not_wait(
    tmp_path: Path, *, is_of_this_version: bool
) -> None:
    database = tmp_path / "oxonaut.db"
    if is_of_this_version:
        put_empty_database(tmp_path / "former.db")
        backup.back_up(tmp_path / "former.db", database)
    else:
        FIRST.put_into(tmp_path)
    started(tmp_path)
    with closing(open_database(f"sqlite:///{database}")) as opened:
        with opened.reading() as reader:
            reader.execute(text("SELECT count(*) FROM games")).scalar_one()
            with opened.writing() as writer:
                writer.execute(text("INSERT INTO secrets VALUES ('new', '')"))
        assert database.with_name("oxonaut.db-wal").exists()


@pytest.mark.parametrize("is_empty", [False, True], ids=["no file", "an empty file"])
def test_no_command_but_serve_and_restore_makes_a_database(
    tmp_path: Path, operator: Operator, *, is_empty: bool
) -> None:
    home = tmp_path / "home"
    home.mkdir()
    if is_empty:
        (home / "oxonaut.db").touch()
    operator.home = home
    for command in (*OTHERS, "status", f"backup {tmp_path}/copy.db"):
        assert operator.refusal(command).startswith("There is no database "), command
    assert sum(path.stat().st_size for path in home.iterdir()) == 0
    assert not (tmp_path / "copy.db").exists()


def test_no_command_makes_tables_in_a_database_of_something_else(
    tmp_path: Path, operator: Operator
) -> None:
    with closing(sqlite3.connect(tmp_path / "oxonaut.db")) as connection, connection:
        connection.execute("CREATE TABLE recipes (name)")
    sentence = "The database has no tables of a capsule: none has been started on it"
    for command in (*OTHERS, "status"):
        assert operator.refusal(command) == sentence, command
    assert contents(tmp_path / "oxonaut.db")[1:-1] == ["CREATE TABLE recipes (name);"]


def test_the_log_says_from_which_release_to_which_the_database_is_migrated(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "capsule.db.upgrading")
    FIRST.put_into(tmp_path)
    started(tmp_path)
    assert caplog.messages == [
        f"Migrating the database from Oxonaut 0.1.0 (revision 0010) to {THIS}",
        f"The database is migrated, and kept as it was in {copy_in(tmp_path)} for 14 days",
    ]
    caplog.clear()
    started(tmp_path)
    assert not caplog.messages, "it is migrated once"


def test_a_migration_leaves_a_copy_that_can_be_restored_and_only_its_owner_can_read(
    tmp_path: Path, operator: Operator
) -> None:
    FIRST.put_into(tmp_path)
    before = contents(tmp_path / "oxonaut.db")
    started(tmp_path)
    copy = copy_in(tmp_path)
    assert contents(copy) == before
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    operator.printed(f"restore {copy} --replace")
    assert contents(tmp_path / "oxonaut.db") == before
    started(tmp_path)
    assert revision_of(tmp_path / "oxonaut.db") == newest_revision()


@pytest.mark.parametrize("is_committed", [False, True], ids=["before", "after"])
def test_a_file_that_takes_its_place_meanwhile_is_not_joined_to_its_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, is_committed: bool
) -> None:
    """It may do so until the transaction is committed, and until the connection is closed."""
    FIRST.put_into(tmp_path)
    database, new = tmp_path / "oxonaut.db", tmp_path / "new.db"
    put_empty_database(new)
    before = contents(new)
    migrate, close = migrating.migrate, Database.close

    def migrate_and_replace(connection: Connection) -> None:
        migrate(connection)
        new.rename(database)

    def replace_and_close(self: Database) -> None:
        if new.exists() and copy_in(tmp_path).exists():
            new.rename(database)
        close(self)

    if is_committed:
        monkeypatch.setattr(Database, "close", replace_and_close)
        started(tmp_path)
    else:
        monkeypatch.setattr(migrating, "migrate", migrate_and_replace)
        with pytest.raises(DatabaseDisplaced):
            started(tmp_path)
    assert not new.exists()
    assert backup.damage(database) is None
    assert contents(database) == before
    assert revision_of(copy_in(tmp_path)) == "0010"


def test_a_new_database_and_one_that_is_up_to_date_leave_no_copy(tmp_path: Path) -> None:
    started(tmp_path)
    started(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["oxonaut.db"]


def test_without_room_for_the_copy_nothing_is_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    FIRST.put_into(tmp_path)
    before = contents(tmp_path / "oxonaut.db")

    def fill_half_way(_source: Path, target: Path) -> None:
        target.write_bytes(b"SQLite")
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(backup, "_copy", fill_half_way)
    with pytest.raises(CannotMigrate, match=r"no copy of it can be made .*No space left"):
        started(tmp_path)
    assert contents(tmp_path / "oxonaut.db") == before
    assert [path.name for path in tmp_path.iterdir()] == ["oxonaut.db"]


def test_a_migration_that_fails_leaves_the_database_as_it_was_and_is_made_again(
    tmp_path: Path, made_up: MadeUpMigrations, monkeypatch: pytest.MonkeyPatch
) -> None:
    FIRST.put_into(tmp_path)
    before = contents(tmp_path / "oxonaut.db")
    with monkeypatch.context():
        made_up.add("DROP TABLE there_is_none")
        with pytest.raises(Exception, match="there_is_none"):
            started(tmp_path)
        assert contents(tmp_path / "oxonaut.db") == before
        assert contents(copy_in(tmp_path)) == before
    monkeypatch.undo()
    (tmp_path / f".{copy_in(tmp_path).name}.cut_short").write_text("by a power cut")
    started(tmp_path)
    assert revision_of(tmp_path / "oxonaut.db") == newest_revision()
    assert contents(copy_in(tmp_path)) == before
    assert not [*tmp_path.glob(".oxonaut.db*")]


def test_on_sqlite_a_migration_that_drops_something_needs_no_permission(
    tmp_path: Path, made_up: MadeUpMigrations
) -> None:
    started(tmp_path)
    with closing(sqlite3.connect(tmp_path / "oxonaut.db")) as connection, connection:
        connection.execute("CREATE TABLE recipes (name)")
    revision = made_up.add("DROP TABLE recipes", "drops_data = True")
    started(tmp_path)
    assert revision_of(tmp_path / "oxonaut.db") == revision
    assert "CREATE TABLE recipes (name);" in contents(copy_in(tmp_path))


def sweep(client: Client) -> None:
    """Let the housekeeper do what it does every few seconds."""
    housekeeping.sweep(client.context, logging.getLogger("oxonaut.test"))


@pytest.fixture
def upgraded(tmp_path: Path) -> Client:
    """A capsule that has just been upgraded; its database knows the newest time seen."""
    (release,) = (each for each in RELEASES if each.version == "0.3.0")
    release.put_into(tmp_path)
    client = Client(tmp_path, now=release.now)
    assert copy_in(tmp_path).exists()
    return client


@pytest.mark.parametrize("wrong", [timedelta(0), -timedelta(days=9000), timedelta(days=9000)])
def test_the_copy_is_deleted_a_fortnight_after_it_was_made_by_whatever_clock(
    upgraded: Client, caplog: pytest.LogCaptureFixture, wrong: timedelta
) -> None:
    mine = upgraded.home / "oxonaut.db.before-lunch"
    mine.touch()
    copy = copy_in(upgraded.home)
    upgraded.jump(wrong)
    sweep(upgraded)
    upgraded.jump(-wrong)
    for _ in range(14):
        sweep(upgraded)
        assert copy.exists()
        upgraded.now += timedelta(days=1)
    sweep(upgraded)
    assert not copy.exists()
    assert mine.exists()
    assert "could not be deleted" not in caplog.text
    upgraded.database.close()
