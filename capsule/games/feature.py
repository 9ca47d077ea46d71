"""Games as a feature, with the export of a player's games and plans."""

import json
from collections.abc import Mapping

from capsule.accounts.model import Player
from capsule.context import Transaction
from capsule.db.schema.games import games, vacations
from capsule.feature import Feature
from capsule.games import deadlines, queries, reading
from engine.record import to_json


def export(transaction: Transaction, player: Player) -> Mapping[str, object]:
    """Return the record of each of the player's games with their plans."""
    found = deadlines.all_games_of_player(transaction, player)
    planned = queries.plans_of_player(transaction.connection, player.id)
    records = [
        json.loads(to_json(each)) for each in reading.records_of(transaction.connection, found)
    ]
    return {
        "games": [
            record | ({"plans": planned[game.id]} if game.id in planned else {})
            for game, record in zip(found, records, strict=True)
        ]
    }


FEATURE = Feature(
    tables=(vacations, games),
    export=export,
    sweep=((deadlines.end_overdue, "Games that are over could not be ended"),),
)
