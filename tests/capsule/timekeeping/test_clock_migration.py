"""Databases of the version that stored jumps of the clock instead of the newest time."""

from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlalchemy import text

from capsule.db.database import connect
from capsule.db.migrating import migrate
from capsule.timekeeping.queries import seen_time
from capsule.timekeeping.trusted_clock import SeenTime

pytestmark = pytest.mark.sqlite


def migrated(home: Path, *before: str) -> SeenTime:
    """Return what is stored after the migration of a database, in which the clock had a row."""
    database = connect(f"sqlite:///{home}/oxonaut.db")
    with database.writing() as connection:
        migrate(connection, "0026")
        for statement in before:
            connection.execute(text(statement))
        migrate(connection)
        seen = seen_time(connection)
    database.close()
    return seen


def test_no_time_has_been_seen(tmp_path: Path) -> None:
    seen = migrated(tmp_path)
    assert (seen.at.year, seen.was_ahead) == (1970, False)


def test_a_jump_that_was_confirmed_is_one_no_more(tmp_path: Path) -> None:
    row = "INSERT INTO clock (id, confirmed_at) VALUES (1, '2026-11-20 14:02:00.000000')"
    assert not migrated(tmp_path, row).was_ahead


def test_a_jump_that_nobody_has_confirmed_stays_one(tmp_path: Path) -> None:
    row = (
        "INSERT INTO clock (id, noticed_at, expected_at)"
        " VALUES (1, '2026-12-20 14:02:00.000000', '2026-11-20 14:02:00.000000')"
    )
    seen = migrated(tmp_path, row)
    assert seen.at == datetime(2026, 11, 20, 14, 2, tzinfo=UTC)
    assert seen.was_ahead
