"""The database: made once, migrated, and never half changed."""

import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, text
from sqlalchemy.event import listen

from capsule.accounts import queries as account_queries
from capsule.bots import queries as bot_queries
from capsule.db.database import Database, open_database
from capsule.db.migrating import MIGRATIONS, newest_revision
from capsule.games import list_queries, queries as game_queries
from capsule.games.model import GameStatus
from tests.support.client import BEGINNING
from tests.support.quick_database import started_database
from tests.support.stored import change_row, store_row

pytestmark = pytest.mark.sqlite

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    made = started_database(f"sqlite:///{tmp_path}/test.db")
    yield made
    made.close()


def modes(folder: Path) -> dict[str, int]:
    return {path.name: stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()}


def test_only_its_owner_can_read_a_database_and_its_log(database: Database, tmp_path: Path) -> None:
    with database.writing() as connection:
        connection.execute(text("DELETE FROM claims"))
        names = ("test.db", "test.db-wal", "test.db-shm")
        assert modes(tmp_path) == dict.fromkeys(names, 0o600)


def test_a_database_that_others_could_read_is_made_private_with_a_line_in_the_log(
    database: Database, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with database.reading():
        for name in modes(tmp_path):
            (tmp_path / name).chmod(0o644)
        caplog.clear()
        open_database(f"sqlite:///{tmp_path}/test.db").close()
        assert set(modes(tmp_path).values()) == {0o600}
    assert sorted(caplog.messages) == [
        f"{tmp_path}/test.db{suffix} could be read by others. Now only its owner can read it"
        for suffix in ("", "-shm", "-wal")
    ]


def test_the_newest_migration_has_the_highest_number() -> None:
    scripts = ScriptDirectory(str(MIGRATIONS))
    assert scripts.get_heads() == [newest_revision()]
    for script in scripts.walk_revisions():
        assert Path(script.path).name.startswith(f"{script.revision}_")


@pytest.mark.slow
def test_opening_a_database_that_is_up_to_date_needs_no_alembic(
    database: Database, tmp_path: Path
) -> None:
    script = (
        "import os, sys; from capsule.db.database import open_database;"
        "from capsule.db.upgrading import upgrade_database;"
        f"upgrade_database('sqlite:///{tmp_path}/test.db', os.urandom);"
        f"open_database('sqlite:///{tmp_path}/test.db').close();"
        "assert not {'alembic', 'mako'} & sys.modules.keys()"
    )
    subprocess.run([sys.executable, "-c", script], check=True, cwd=ROOT)


def test_a_move_that_was_answered_survives_a_power_cut(database: Database) -> None:
    full, write_ahead = 2, "wal"
    with database.reading() as connection:
        assert connection.execute(text("PRAGMA synchronous")).scalar_one() == full
        assert connection.execute(text("PRAGMA journal_mode")).scalar_one() == write_ahead


def test_an_error_undoes_the_whole_transaction(database: Database) -> None:
    add_game(database)

    def fail() -> None:
        with database.writing() as connection:
            change_row(connection, "aaaaaaaaaa", status="playing")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    with database.reading() as connection:
        game = game_queries.game_by_id(connection, "aaaaaaaaaa")
    assert game is not None
    assert game.status is GameStatus.WAITING


@pytest.mark.slow
@pytest.mark.parametrize(
    "query",
    [
        "SELECT id FROM games WHERE x_player_id = 1 AND status = 'playing'",
        "SELECT id FROM games WHERE o_player_id = 1 AND status = 'playing'",
        "SELECT id FROM games WHERE listed = 1 AND status = 'playing'",
        "SELECT id FROM games WHERE listed = 1 AND variant = 'tinc' AND status = 'playing'",
    ],
)
def test_no_list_of_games_reads_the_whole_table(database: Database, query: str) -> None:
    with database.reading() as connection:
        newest = f"{query} ORDER BY moved_at DESC, id DESC LIMIT 20"
        plan = " ".join(row[3] for row in connection.execute(text(f"EXPLAIN QUERY PLAN {newest}")))
    assert "INDEX" in plan
    assert "SCAN" not in plan
    assert "TEMP B-TREE" not in plan


def plan_of(database: Database, find: Callable[[Connection], object]) -> str:
    """Return how SQLite carries out the last statement of a query."""
    statements = []
    with database.reading() as connection:
        listen(connection, "before_cursor_execute", lambda *now: statements.append(now[2:4]))
        find(connection)
        statement, parameters = statements[-1]
        plan = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", parameters)
        return " ".join(row[3] for row in plan)


@pytest.mark.slow
@pytest.mark.parametrize(
    "find",
    [lambda it: bot_queries.games_awaiting_bots(it, 9), lambda it: bot_queries.analyses_due(it, 9)],
)
def test_what_bots_have_to_do_is_found_without_reading_the_games(
    database: Database, find: Callable[[Connection], object]
) -> None:
    steps = plan_of(database, find)
    assert "SCAN games USING INDEX ix_games_" in steps
    assert "TEMP B-TREE" not in steps


@pytest.mark.slow
@pytest.mark.parametrize("variant", [None, "tinc"])
def test_what_feeds_tell_is_found_without_reading_tournament_games(
    database: Database, variant: str | None
) -> None:
    statements = []
    with database.reading() as connection:
        listen(connection, "before_cursor_execute", lambda *now: statements.append(now[2:4]))
        list_queries.games_for_feed(connection, variant, 9)
        newest, last_to_end = statements
        for statement, parameters in (newest, last_to_end):
            plan = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", parameters)
            steps = " ".join(row[3] for row in plan)
            assert "USING INDEX ix_games_told" in steps
            assert "TEMP B-TREE" not in steps


def test_a_list_is_full_of_games_played_alone_too(database: Database) -> None:
    with database.writing() as connection:
        player = account_queries.add_player(connection, "alice", BEGINNING)
    seats = {"x_player_id": player.id, "o_player_id": player.id, "status": "playing"}
    for minute, game_id in enumerate(("aaaaaaaaaa", "bbbbbbbbbb", "cccccccccc", "dddddddddd")):
        add_game(database, id=game_id, moved_at=BEGINNING + timedelta(minutes=minute), **seats)
    with database.reading() as connection:
        found = list_queries.games_of_player(connection, player.id, (GameStatus.PLAYING,), 3)
    assert [game.id for game in found] == ["dddddddddd", "cccccccccc", "bbbbbbbbbb"]


def add_game(database: Database, **columns: object) -> None:
    values = {
        "id": "aaaaaaaaaa",
        "variant": "ultimate",
        "listed": True,
        "status": "waiting",
        "turn": "X",
        "created_at": BEGINNING,
        "moved_at": BEGINNING,
    }
    with database.writing() as connection:
        store_row(connection, **(values | columns))
