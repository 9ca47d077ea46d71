"""Counting rows in the database, for the operator."""

from collections.abc import Mapping
from pathlib import Path

from sqlalchemy import Connection, func, inspect, select

from capsule.db.schema.games import games
from capsule.db.schema.mail import mail_letters
from capsule.db.schema.players import players


def database_size(connection: Connection) -> int:
    """Return the bytes that the database takes on the disk, with SQLite's write-ahead log."""
    if connection.dialect.name == "postgresql":
        size: int = connection.execute(
            select(func.pg_database_size(func.current_database()))
        ).scalar_one()
        return size
    path = Path(connection.engine.url.database or "")
    parts = (path, path.with_name(f"{path.name}-wal"))
    return sum(part.stat().st_size for part in parts if part.exists())


def count_players(connection: Connection) -> int:
    """Return the number of players who have not been erased."""
    return connection.execute(
        select(func.count()).select_from(players).where(players.c.name != "")
    ).scalar_one()


def count_games(connection: Connection) -> Mapping[tuple[str, str], int]:
    """Return the number of games of each variant with each status that occurs."""
    # The columns are those of an index, which is a small part of the table.
    statement = select(games.c.variant, games.c.status, func.count().label("number")).group_by(
        games.c.variant, games.c.status
    )
    return {(row.variant, row.status): row.number for row in connection.execute(statement)}


def count_bot_turns(connection: Connection) -> int:
    """Return the number of games in which a bot is to move."""
    return connection.execute(
        select(func.count()).select_from(games).where(games.c.bot_to_move)
    ).scalar_one()


def count_analyses_due(connection: Connection) -> int:
    """Return the number of games that are to be analysed."""
    return connection.execute(
        select(func.count()).select_from(games).where(games.c.analysis_due)
    ).scalar_one()


def count_letters_waiting(connection: Connection) -> int:
    """Return the number of letters that wait for the relay, 0 before there were any."""
    if not inspect(connection).has_table(mail_letters.name):
        return 0
    return connection.execute(
        select(func.count())
        .select_from(mail_letters)
        .where(mail_letters.c.state.in_(("waiting", "sending")))
    ).scalar_one()
