"""Exporting a player's games, plans and vacations, and erasing what is theirs alone."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import sqlalchemy as sa

from capsule.accounts.model import Player
from capsule.context import AppContext, Transaction
from capsule.games import queries as game_queries
from capsule.games.deadlines import apply_deadlines
from capsule.games.model import OVER, RUNNING, StoredGame
from capsule.games.queries import plans_of_player
from capsule.games.reading import records_of
from engine.record import to_json, to_text


def export(context: AppContext, connection: sa.Connection, player: Player) -> Mapping[str, object]:
    """Return the record of each of the player's games with their plans."""
    found = _games(context, connection, player)
    return {"games": [*_exported(connection, found, player)]}


def records_as_text(transaction: Transaction, player: Player) -> str:
    """Return the records of all of a player's games as text, separated by blank lines."""
    games = _games(transaction.context, transaction.connection, player)
    return "\n\n".join(map(to_text, records_of(transaction.connection, games)))


def _games(context: AppContext, connection: sa.Connection, player: Player) -> Sequence[StoredGame]:
    stored = game_queries.all_games_of_player(connection, player.id, (*RUNNING, *OVER))
    return apply_deadlines(context, connection, stored)


def _exported(
    connection: sa.Connection, games: Sequence[StoredGame], player: Player
) -> Iterator[Mapping[str, Any]]:
    planned = plans_of_player(connection, player.id)
    for game, found in zip(games, records_of(connection, games), strict=True):
        record: dict[str, Any] = json.loads(to_json(found))
        plans = [list(line) for line in planned.get(game.id, ())]
        yield record | {"plans": plans} if plans else record
