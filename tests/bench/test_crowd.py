"""A crowd for the benchmarks can be made, and a capsule can serve it."""

import os
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy import func, select

from capsule.accounts import queries as account_queries
from capsule.config import Config
from capsule.db import schema
from tests.bench.crowd import FEWEST, FEWEST_PLAYERS, REGULAR, fill
from tests.support.quick_database import started_database


def test_the_smallest_crowd_has_its_games_and_its_players(tmp_path: Path) -> None:
    fill(tmp_path, FEWEST, FEWEST_PLAYERS, datetime(2026, 11, 20, tzinfo=UTC), "ab" * 32)
    store = closing(started_database(Config(home=tmp_path).database_url, os.urandom))
    with store as database, database.reading() as connection:
        regular = account_queries.player_by_certificate(connection, "ab" * 32)
        counts = [
            connection.execute(select(func.count()).select_from(table)).scalar_one()
            for table in (schema.games.games, schema.players.players)
        ]
    assert regular is not None
    assert regular.name == REGULAR
    assert counts == [FEWEST, FEWEST_PLAYERS]
