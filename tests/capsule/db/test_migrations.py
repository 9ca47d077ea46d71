"""Migrations: complete, unchanged once they have landed, and made from releases alone."""

import sqlite3
from contextlib import closing
from hashlib import sha256
from pathlib import Path

import pytest
from sqlalchemy import create_engine

from capsule.db.database import connect, open_database
from capsule.db.faults import CannotOpen
from capsule.db.migrating import MIGRATIONS, CannotMigrate, migrate
from capsule.db.schema import metadata
from tests.support.operator import Operator
from tests.support.quick_database import started_database
from tests.support.release.kept import FIRST
from tests.support.tables import Described, described

pytestmark = pytest.mark.sqlite

DATA = Path(__file__).parents[2] / "data"


def test_no_migration_that_has_landed_is_changed() -> None:
    """A new one adds its line to the file, as `sha256sum` prints it.

    All of them are released, or are with the next release: no line is changed or removed, since a
    database may have run it. The release story compares them with the record of each release.
    """
    lines = (DATA / "migrations.sha256").read_text(encoding="utf-8").splitlines()
    known = {name: digest for digest, name in (line.split() for line in lines)}
    found = {
        path.name: sha256(path.read_bytes()).hexdigest()
        for path in (MIGRATIONS / "notes.py", *MIGRATIONS.glob("versions/[0-9]*.py"))
    }
    assert found == known


def test_migrated_tables_are_those_that_the_schema_makes_at_once(tmp_path: Path) -> None:
    database = connect(f"sqlite:///{tmp_path}/migrated.db")
    with database.writing() as connection:
        migrate(connection)
    with database.reading() as connection:
        assert described(connection) == made_at_once()
    database.close()


def test_the_first_migration_makes_the_tables_of_the_first_release(tmp_path: Path) -> None:
    database = connect(f"sqlite:///{tmp_path}/migrated.db")
    with database.writing() as connection:
        migrate(connection, "0010")
    (tmp_path / "home").mkdir()
    FIRST.put_into(tmp_path / "home")
    release = connect(f"sqlite:///{tmp_path}/home/oxonaut.db")
    with database.reading() as made, release.reading() as kept:
        assert described(made) == described(kept)
    database.close()
    release.close()


def made_at_once() -> Described:
    engine = create_engine("sqlite://")
    metadata.create_all(engine)
    with engine.connect() as connection:
        found = described(connection)
    engine.dispose()
    return found


@pytest.mark.slow
@pytest.mark.parametrize("revision", ["0001", "0009", "0011", "0025"])
def test_a_database_from_between_releases_is_refused_in_a_sentence(
    tmp_path: Path, operator: Operator, revision: str
) -> None:
    url = f"sqlite:///{tmp_path}/oxonaut.db"
    started_database(url).close()
    with closing(sqlite3.connect(tmp_path / "oxonaut.db")) as connection, connection:
        connection.execute("UPDATE alembic_version SET version_num = ?", (revision,))
        before = [*connection.iterdump()]
    sentence = (
        f"The database is of revision {revision}, which no release of Oxonaut had: it cannot be "
        "migrated"
    )
    with pytest.raises(CannotMigrate) as refusal:
        open_database(url)
    assert str(refusal.value) == sentence
    assert operator.refusal("admin log") == sentence
    with closing(sqlite3.connect(tmp_path / "oxonaut.db")) as connection:
        assert [*connection.iterdump()] == before


@pytest.mark.slow
@pytest.mark.parametrize(
    ("harm", "what"),
    [
        ("DROP TABLE analyses", "the table analyses"),
        ("ALTER TABLE games DROP COLUMN hints", "the column games.hints"),
    ],
)
def test_a_start_on_an_incomplete_database_is_refused_in_a_sentence(
    tmp_path: Path, operator: Operator, harm: str, what: str
) -> None:
    url = f"sqlite:///{tmp_path}/oxonaut.db"
    started_database(url).close()
    with closing(sqlite3.connect(tmp_path / "oxonaut.db")) as connection:
        connection.execute(harm)
    sentence = (
        f"The database lacks {what}: something other than Oxonaut has changed it, so restore a "
        "backup"
    )
    with pytest.raises(CannotOpen) as refusal:
        open_database(url)
    assert str(refusal.value) == sentence
    for command in ("serve --port 0 --host 127.0.0.1", "admin log", "ratings"):
        assert operator.refusal(command) == sentence
