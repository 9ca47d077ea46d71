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


def plans_of(database: Database, find: Callable[[Connection], object]) -> list[str]:
    """Return how SQLite carries out each statement of a query."""
    statements = []
    with database.reading() as connection:
        listen(connection, "before_cursor_execute", lambda *now: statements.append(now[2:4]))
        find(connection)
        plans = [
            connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", parameters).all()
            for statement, parameters in tuple(statements)
        ]
    return [" ".join(row[3] for row in plan) for plan in plans]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("find", "count", "index"),
    [
        (lambda it: bot_queries.games_awaiting_bots(it, 9), 1, "SCAN games USING INDEX ix_games_"),
        (lambda it: bot_queries.analyses_due(it, 9), 1, "SCAN games USING INDEX ix_games_"),
        (lambda it: list_queries.games_for_feed(it, None, 9), 2, "USING INDEX ix_games_told"),
        (lambda it: list_queries.games_for_feed(it, "tinc", 9), 2, "USING INDEX ix_games_told"),
    ],
    ids=["turns", "analyses", "a feed", "a feed of a variant"],
)
def test_what_bots_have_to_do_and_feeds_tell_is_found_without_reading_all_games(
    database: Database, find: Callable[[Connection], object], count: int, index: str
) -> None:
    plans = plans_of(database, find)[-count:]
    assert len(plans) == count
    for steps in plans:
        assert index in steps
        assert "TEMP B-TREE" not in steps


@pytest.mark.slow
@pytest.mark.parametrize(
    ("variant", "index"),
    [
        (None, "ix_games_listed (listed=? AND status=?)"),
        ("tinc", "ix_games_listed_variant (listed=? AND variant=? AND status=?)"),
    ],
)
def test_a_list_is_found_in_an_index(database: Database, variant: str | None, index: str) -> None:
    statuses = (GameStatus.PLAYING,)
    steps = plans_of(database, lambda it: list_queries.listed_games(it, statuses, variant, 9))[-1]
    assert f"INDEX {index}" in steps


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
