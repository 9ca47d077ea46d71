"""Games as a feature, with the export of a player's games and plans."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import sqlalchemy as sa

from capsule.accounts.model import Player
from capsule.context import Transaction
from capsule.db.schema.games import games, vacations
from capsule.feature import Feature
from capsule.games import deadlines, queries, reading
from capsule.games.model import StoredGame
from engine.record import to_json


def export(transaction: Transaction, player: Player) -> Mapping[str, object]:
    """Return the record of each of the player's games with their plans."""
    found = deadlines.all_games_of_player(transaction, player)
    return {"games": [*_exported(transaction.connection, found, player)]}


def _exported(
    connection: sa.Connection, found: Sequence[StoredGame], player: Player
) -> Iterator[Mapping[str, Any]]:
    planned = queries.plans_of_player(connection, player.id)
    for game, exported in zip(found, reading.records_of(connection, found), strict=True):
        record: dict[str, Any] = json.loads(to_json(exported))
        plans = [list(line) for line in planned.get(game.id, ())]
        yield record | {"plans": plans} if plans else record


FEATURE = Feature(
    tables=(vacations, games),
    export=export,
    sweep=((deadlines.end_overdue, "Games that are over could not be ended"),),
)
