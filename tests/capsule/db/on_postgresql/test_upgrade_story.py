"""Capsules on PostgreSQL are upgraded: one migrates, once all of the earlier release have gone."""

import os
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import create_engine, make_url, text

from capsule.db import migrating, upgrading
from capsule.db.database import connect, open_database
from capsule.db.migrating import CannotMigrate, newest_revision
from capsule.db.upgrading import upgrade_database
from tests.support import postgresql
from tests.support.made_up_migrations import MadeUpMigrations
from tests.support.operator import Operator
from tests.support.postgresql import Server

pytestmark = pytest.mark.slow

OF_0_2_0 = "0030"


@pytest.fixture
def bare(server: Server, tmp_path: Path) -> Iterator[str]:
    """Yield the URL of a database without tables."""
    name = postgresql.name_for(tmp_path)
    server.make_bare(name)
    yield server.url(name)
    server.drop_all()


@pytest.fixture
def old(bare: str) -> str:
    """Return the URL of a database with the tables of 0.2.0."""
    with closing(connect(bare)) as database, database.writing() as connection:
        migrating.migrate(connection, OF_0_2_0)
    return bare


def revision_of(url: str) -> str | None:
    with closing(connect(url)) as database, database.reading() as connection:
        return migrating.stored_revision(connection)


@pytest.mark.parametrize("command", ["check", "ratings --check", "admin log"])
def test_other_commands_neither_migrate_a_database_nor_make_tables(
    bare: str, operator: Operator, command: str
) -> None:
    name, _, rest = command.partition(" ")
    typed = f"{name} --database '{bare}' {rest}"
    assert operator.refusal(typed) == (
        "The database has no tables of a capsule: none has been started on it"
    )
    with closing(connect(bare)) as database, database.writing() as connection:
        migrating.migrate(connection, OF_0_2_0)
    refused = operator.refusal(typed)
    assert refused.startswith("The database is of Oxonaut 0.2.0 (revision 0030). This is ")
    assert revision_of(bare) == OF_0_2_0
    upgrade_database(bare, os.urandom)
    assert operator.type(typed)[0] == 0


def test_a_database_that_a_capsule_or_a_command_has_open_is_not_migrated(
    old: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(upgrading, "WAIT_SECONDS", 0.2)
    stranger = create_engine(old)
    with closing(connect(old)) as earlier, earlier.reading(), stranger.connect():
        with pytest.raises(CannotMigrate, match="1 connection of Oxonaut to it is open: stop all"):
            upgrade_database(old, os.urandom)
        assert revision_of(old) == OF_0_2_0
    upgrade_database(old, os.urandom)
    assert revision_of(old) == newest_revision()
    stranger.dispose()


def test_a_connection_that_ends_in_time_keeps_nothing_from_being_migrated(
    old: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with closing(connect(old)) as earlier:
        with earlier.reading():
            pass
        # Its connection is open still, until the first wait.
        monkeypatch.setattr(upgrading.time, "sleep", lambda _: earlier.close())
        upgrade_database(old, os.urandom)
    assert revision_of(old) == newest_revision()


@pytest.mark.parametrize("kind", ["bare", "old"])
def test_of_capsules_that_start_together_one_migrates_and_none_is_refused(
    request: pytest.FixtureRequest, kind: str
) -> None:
    url: str = request.getfixturevalue(kind)

    def start() -> bytes:
        upgrade_database(url, os.urandom)
        with closing(open_database(url)) as database, database.reading() as connection:
            secret = connection.execute(text("SELECT value FROM secrets"))
            return bytes(secret.scalar_one())

    with ThreadPoolExecutor(4) as capsules:
        secrets = [each.result() for each in [capsules.submit(start) for _ in range(4)]]
    assert len(set(secrets)) == 1
    assert revision_of(url) == newest_revision()


def test_a_migration_that_drops_something_waits_for_a_copy(
    old: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, operator: Operator
) -> None:
    upgrade_database(old, os.urandom)
    before = revision_of(old)
    made_up = MadeUpMigrations(tmp_path / "migrations", monkeypatch)
    made_up.add("DROP TABLE IF EXISTS recipes", "drops_data = True")
    newest = made_up.add("DROP TABLE IF EXISTS notes_about_recipes")
    # What comes after the start is no matter here.
    monkeypatch.setattr("capsule.processes.several.serve", lambda *_given: None)
    serve = f"serve --host 127.0.0.1 --port 0 --workers 2 --database '{old}'"
    refused = operator.refusal(serve)
    assert refused.startswith(f"The migration from {migrating.describe(before, newest)} to ")
    assert refused.endswith(", and start once with --migrate")
    (dump,) = re.findall(r"pg_dump -Fc -f before-\S+\.dump '(postgresql://[^']*)'", refused)
    assert make_url(dump).set(drivername="postgresql+psycopg") == make_url(old)
    assert revision_of(old) == before
    assert operator.type(f"{serve} --migrate")[0] == 0
    assert revision_of(old) == newest
    assert operator.type(serve)[0] == 0


def test_a_migration_that_drops_nothing_needs_no_permission(
    old: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made_up = MadeUpMigrations(tmp_path / "migrations", monkeypatch)
    made_up.add("DROP TABLE IF EXISTS recipes", "drops_data = True")
    upgrade_database(old, os.urandom, may_drop=True)
    newest = made_up.add("DROP TABLE IF EXISTS notes_about_recipes")
    upgrade_database(old, os.urandom)
    assert revision_of(old) == newest
