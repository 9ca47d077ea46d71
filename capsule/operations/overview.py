"""An overview of a capsule: version, database, players, games and queues."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import sqlalchemy as sa

from capsule.db.database import Database
from capsule.db.migrating import stored_revision
from capsule.db.schema.games import games
from capsule.db.schema.mail import mail_letters
from capsule.db.schema.players import players
from capsule.games.model import RUNNING, GameStatus


@dataclass(frozen=True)
class Overview:
    """The numbers of one moment; `revision` is that of the database's tables.

    `database_size` is in bytes. `games` counts by variant and status, also those that are over.
    `bot_turns` are games in which a bot is to move, `analyses` those that wait to be analysed,
    and `letters` are those that wait for the relay.
    """

    revision: str
    database_size: int
    players: int
    games: Mapping[tuple[str, GameStatus], int]
    bot_turns: int
    analyses: int
    letters: int

    @property
    def all_games(self) -> int:
        """All games that there ever were."""
        return sum(self.games.values())

    def with_status(self, *statuses: GameStatus) -> int:
        """Return the number of games with one of these statuses."""
        return sum(number for (_, status), number in self.games.items() if status in statuses)

    def created(self) -> Mapping[str, int]:
        """Return the number of games that there ever were of each variant."""
        found = Counter[str]()
        for (variant, _), number in self.games.items():
            found[variant] += number
        return found

    def ended(self) -> Mapping[tuple[str, GameStatus], int]:
        """Return the number of games that are over, by variant and status."""
        return {key: number for key, number in self.games.items() if key[1] not in RUNNING}


class NoTables(Exception):
    """The database has no tables of the capsule yet."""


def overview(database: Database) -> Overview:
    """Return the numbers of a database as it is, which may be of an older version.

    Raises `NoTables` if it has none of a capsule, and `DatabaseFault` if it cannot be read.
    """
    with database.reading() as connection:
        revision = stored_revision(connection)
        if revision is None:
            raise NoTables("The database has no tables of a capsule: none has been started on it")
        return Overview(
            revision=revision,
            database_size=_database_size(connection),
            players=_count(connection, players, players.c.name != ""),
            games={
                (row.variant, GameStatus(row.status)): row.number
                for row in connection.execute(_GAMES)
            },
            bot_turns=_count(connection, games, games.c.bot_to_move),
            analyses=_count(connection, games, games.c.analysis_due),
            letters=_count(connection, mail_letters, _IS_WAITING)
            # There were none before.
            if sa.inspect(connection).has_table(mail_letters.name)
            else 0,
        )


# The columns are those of an index, which is a small part of the table.
_GAMES = sa.select(games.c.variant, games.c.status, sa.func.count().label("number")).group_by(
    games.c.variant, games.c.status
)
_IS_WAITING = mail_letters.c.state.in_(("waiting", "sending"))


def _count(connection: sa.Connection, table: sa.Table, condition: sa.ColumnElement[bool]) -> int:
    """Return the number of rows of a table that fulfil a condition."""
    return connection.execute(
        sa.select(sa.func.count()).select_from(table).where(condition)
    ).scalar_one()


def _database_size(connection: sa.Connection) -> int:
    """Return the bytes that the database takes on the disk, with SQLite's write-ahead log."""
    if connection.dialect.name == "postgresql":
        size: int = connection.execute(
            sa.select(sa.func.pg_database_size(sa.func.current_database()))
        ).scalar_one()
        return size
    path = Path(connection.engine.url.database or "")
    parts = (path, path.with_name(f"{path.name}-wal"))
    return sum(part.stat().st_size for part in parts if part.exists())
