"""Migrations: never changed, complete, and able to mend what changing them has left behind."""

from __future__ import annotations

import json
import os
import sqlite3
from contextlib import closing
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import create_engine, text

from capsule.__main__ import main
from capsule.db.database import open_database
from capsule.db.engines import CannotOpen, make_engine
from capsule.db.migrating import MIGRATIONS, migrate
from capsule.db.schema import metadata
from capsule.gemini.types import Response
from tests.support.client import Client, certificate, link
from tests.support.stories import ALICE, BOB, record
from tests.support.tables import described
from tests.support.walking import walk

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.support.tables import Described

pytestmark = pytest.mark.sqlite

DATA = Path(__file__).parents[2] / "data"
FIRST_DAYS = DATA / "first_days"
COMMITS = sorted(path.stem for path in FIRST_DAYS.glob("*.sql"))
"""The commits whose databases later ones could not open, since migrations had been changed."""


def test_no_migration_that_was_ever_run_is_changed() -> None:
    """A new one adds its line to the file, as `sha256sum` prints it."""
    lines = (DATA / "migrations.sha256").read_text(encoding="utf-8").splitlines()
    known = {name: digest for digest, name in (line.split() for line in lines)}
    found = {
        path.name: sha256(path.read_bytes()).hexdigest()
        for path in MIGRATIONS.glob("versions/[0-9]*.py")
    }
    assert found == known


def test_migrated_tables_are_those_that_the_schema_makes_at_once(tmp_path: Path) -> None:
    assert migrated(f"sqlite:///{tmp_path}/migrated.db") == made_at_once()


def migrated(url: str) -> Described:
    engine = make_engine(url)
    migrate(engine)
    with engine.connect() as connection:
        found = described(connection)
    engine.dispose()
    return found


def made_at_once() -> Described:
    engine = create_engine("sqlite://")
    metadata.create_all(engine)
    with engine.connect() as connection:
        found = described(connection)
    engine.dispose()
    return found


@pytest.fixture(params=COMMITS)
def told(request: pytest.FixtureRequest) -> dict[str, Any]:
    """What a capsule of the first days said of its games."""
    return json.loads((FIRST_DAYS / f"{request.param}.json").read_text(encoding="utf-8"))


@pytest.fixture
def old(tmp_path: Path, told: dict[str, Any]) -> Iterator[Client]:
    """The capsule of today, started on the folder of one of the first days."""
    dump = (FIRST_DAYS / f"{told['commit']}.sql").read_text(encoding="utf-8")
    with closing(sqlite3.connect(tmp_path / "oxonaut.db")) as connection:
        connection.executescript(dump)
    made = Client(tmp_path, now=datetime.fromisoformat(told["now"]))
    yield made
    made.database.close()


def test_there_are_databases_of_the_first_days() -> None:
    assert COMMITS == ["467a4bb", "543f977", "8148ee4"]


def test_a_database_of_the_first_days_becomes_whole(old: Client) -> None:
    with old.database.reading() as connection:
        assert described(connection) == made_at_once()


def test_games_of_the_first_days_are_as_they_were(old: Client, told: dict[str, Any]) -> None:
    assert len(told["games"]) == 9
    for url, game in told["games"].items():
        now = record(old, url)
        assert {name: now[name] for name in game} == game


def test_games_of_the_first_days_are_played_on(old: Client, told: dict[str, Any]) -> None:
    url = told["running"]
    assert old.ask(f"{told['prompt']}?a1", ALICE) == Response(30, url), "from a page of then"
    assert record(old, url)["moves"] == ["e5", "d4", "a1"]
    assert old.type(link(old.get(url, BOB), "/move"), "b1", BOB) == Response(30, url)
    assert old.type(link(old.get(url, BOB), "/say"), "at last", BOB).status == 30
    assert "at last" in old.get(url, ALICE)
    assert old.type(link(old.get(url, ALICE), "/resign"), "resign", ALICE).status == 30
    assert record(old, url)["winner"] == "O"
    assert len(list(walk(old, ALICE))) > 100
    assert old.get("/play/new/tinc", certificate("newcomer"))


def test_messages_whose_numbers_could_be_repeated_stay_and_keep_their_numbers(
    tmp_path: Path,
) -> None:
    engine = make_engine(f"sqlite:///{tmp_path}/old.db")
    migrate(engine, "0010")
    with engine.begin() as connection:
        made = connection.execute(text("SELECT sql FROM sqlite_master WHERE name = 'messages'"))
        as_it_was = str(made.scalar_one()).replace("AUTOINCREMENT", "")
        for statement in (
            "DROP TABLE messages",
            as_it_was,
            (
                "INSERT INTO players (id, name, likeness, actions, created_at)"
                " VALUES (1, 'alice', 'allce', 0, '2026-11-20')"
            ),
            (
                "INSERT INTO games (id, variant, listed, status, ply, turn, turn_counter,"
                " created_at, moved_at)"
                " VALUES ('a', 'tinc', 1, 'playing', 0, 'X', 0, '2026-11-20', '2026-11-20')"
            ),
            (
                "INSERT INTO messages (id, game_id, player_id, recipient_id, text, sent_at)"
                " VALUES (7, 'a', 1, 1, 'hello', '2026-11-20')"
            ),
        ):
            connection.execute(text(statement))
    migrate(engine)
    with engine.begin() as connection:
        assert described(connection) == made_at_once()
        connection.execute(text("DELETE FROM messages WHERE text = 'hello'"))
        connection.execute(
            text(
                "INSERT INTO messages (game_id, player_id, recipient_id, text, sent_at)"
                " VALUES ('a', 1, 1, 'again', '2026-11-20')"
            )
        )
        assert connection.execute(text("SELECT id FROM messages")).scalar_one() == 8
    engine.dispose()


@pytest.mark.parametrize(
    ("harm", "what"),
    [
        ("DROP TABLE analyses", "the table analyses"),
        ("ALTER TABLE games DROP COLUMN hints", "the column games.hints"),
    ],
)
def test_a_start_on_an_incomplete_database_is_refused_in_a_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], harm: str, what: str
) -> None:
    url = f"sqlite:///{tmp_path}/oxonaut.db"
    open_database(url, os.urandom).close()
    with closing(sqlite3.connect(tmp_path / "oxonaut.db")) as connection:
        connection.execute(harm)
    sentence = (
        f"The database lacks {what}: something other than Oxonaut has changed it, so restore a "
        "backup"
    )
    with pytest.raises(CannotOpen) as refusal:
        open_database(url, os.urandom)
    assert str(refusal.value) == sentence
    for command in (
        ["serve", "--port", "0", "--host", "127.0.0.1"],
        ["admin", "log"],
        ["ratings"],
    ):
        capsys.readouterr()
        name, *rest = command
        assert main([name, "--home", str(tmp_path), *rest]) == 1
        assert capsys.readouterr().err == f"oxonaut: {sentence}\n"
