"""Exporting a player's games, plans and vacations, and erasing what is theirs alone."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from capsule.context import PersonalData
from capsule.games import queries as game_queries
from capsule.games import vacation_queries
from capsule.games.deadlines import apply_deadlines
from capsule.games.plan_queries import plan_of
from capsule.games.records import record_of
from capsule.games.status import OVER, RUNNING
from engine.record import to_json, to_text

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sqlalchemy import Connection

    from capsule.accounts.model import Player
    from capsule.context import AppContext
    from capsule.games.model import StoredGame


def export(context: AppContext, connection: Connection, player: Player) -> Mapping[str, object]:
    """Return the player's vacations, and the record of each of their games with their plans."""
    return {
        "vacations": [
            {"begins": vacation.begins.isoformat(), "ends": vacation.ends.isoformat()}
            for vacation in vacation_queries.all_vacations_of(connection, player.id)
        ],
        "games": [
            _exported(connection, game, player) for game in _games(context, connection, player)
        ],
    }


def records_as_text(context: AppContext, player: Player) -> str:
    """Return the records of all of a player's games as text, separated by blank lines."""
    with context.database.reading() as connection:
        return "\n\n".join(
            to_text(record_of(connection, game)) for game in _games(context, connection, player)
        )


def erase(_context: AppContext, connection: Connection, player: Player) -> None:
    """Erase the player's vacations; their games, which have all ended by now, stay."""
    vacation_queries.erase_vacations(connection, player.id)


def _games(context: AppContext, connection: Connection, player: Player) -> Sequence[StoredGame]:
    stored = game_queries.all_games_of_player(connection, player.id, (*RUNNING, *OVER))
    return apply_deadlines(context, connection, stored)


def _exported(connection: Connection, game: StoredGame, player: Player) -> Mapping[str, Any]:
    record: dict[str, Any] = json.loads(to_json(record_of(connection, game)))
    plans = [
        list(line)
        for side, seat in game.seats.items()
        if seat.player_id == player.id
        for line in plan_of(connection, game.id, side)
    ]
    return record | {"plans": plans} if plans else record


PERSONAL_DATA = PersonalData(export, erase)
