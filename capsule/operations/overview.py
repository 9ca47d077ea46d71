"""An overview of a capsule: version, database, players, games and queues."""

from collections.abc import Mapping
from dataclasses import dataclass

from capsule.db.database import Database
from capsule.db.migrating import stored_revision
from capsule.games.model import RUNNING, GameStatus
from capsule.operations import queries


@dataclass(frozen=True)
class Overview:
    """The numbers of one moment; `revision` is that of the database's tables.

    `database_size` is in bytes. `games` counts by variant and status, also those that are over.
    `bot_turns` are games in which a bot is to move, `analyses` those that are to be analysed,
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

    @property
    def being_played(self) -> int:
        """Games with both seats taken that have not ended."""
        return self.with_status(GameStatus.PLAYING)

    @property
    def waiting(self) -> int:
        """Games that wait for an opponent."""
        return self.with_status(GameStatus.WAITING, GameStatus.CHALLENGED)

    def with_status(self, *statuses: GameStatus) -> int:
        """Return the number of games with one of these statuses."""
        return sum(number for (_, status), number in self.games.items() if status in statuses)

    def created(self) -> Mapping[str, int]:
        """Return the number of games that there ever were of each variant."""
        found: dict[str, int] = {}
        for (variant, _), number in self.games.items():
            found[variant] = found.get(variant, 0) + number
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
            database_size=queries.database_size(connection),
            players=queries.count_players(connection),
            games={
                (variant, GameStatus(status)): number
                for (variant, status), number in queries.count_games(connection).items()
            },
            bot_turns=queries.count_bot_turns(connection),
            analyses=queries.count_analyses_due(connection),
            letters=queries.count_letters_waiting(connection),
        )
