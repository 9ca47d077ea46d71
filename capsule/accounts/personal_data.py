"""All that is kept about a player: handed out, and erased."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from capsule.accounts import device_queries, player_queries, relation_queries, settings
from capsule.accounts.actions import consume_action
from capsule.games import list_queries
from capsule.games.plan_queries import plan_of
from capsule.games.reading import load_game
from capsule.games.records import record_of
from capsule.games.status import OVER, RUNNING
from capsule.moderation import queries as moderation_queries
from capsule.moderation import report_queries
from capsule.ratings import queries as rating_queries
from capsule.social import message_queries, note_queries
from capsule.tournaments import queries as tournament_queries
from capsule.tournaments.withdrawal import UNLIMITED, end_games
from engine.record import to_json, to_text

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from capsule.accounts.model import Player
    from capsule.context import AppContext
    from capsule.games.model import Game


def export(context: AppContext, player: Player) -> str:
    """Return all that is kept about a player, as JSON: the account, and each game's record."""
    with context.database.reading() as connection:
        stored = list_queries.games_of_player(connection, player.id, (*RUNNING, *OVER), UNLIMITED)
        told: dict[str, Any] = {
            "name": player.name,
            "created": player.created_at.isoformat(timespec="seconds").replace("+00:00", "Z"),
            **device_queries.details_of(connection, player.id),
            **player_queries.details_of(connection, player.id),
            "settings": settings.told(player),
            **moderation_queries.kept_about(connection, player),
            "messages": message_queries.messages_by(connection, player.id),
            "notes": note_queries.notes_by(connection, player.id),
            "muted_and_blocked": relation_queries.relations_by(connection, player.id),
            "reports": report_queries.reports_by(connection, player.id),
            **tournament_queries.details_of(connection, player.id),
            "ratings": rating_queries.ratings_of_player(connection, player.id),
            "games": [
                _told(connection, load_game(context, connection, each), player) for each in stored
            ],
        }
    return json.dumps(told, ensure_ascii=False, indent=2) + "\n"


def records(context: AppContext, player: Player) -> str:
    """Return the records of all of a player's games as text, two empty lines between them."""
    with context.database.reading() as connection:
        stored = list_queries.games_of_player(connection, player.id, (*RUNNING, *OVER), UNLIMITED)
        return "\n\n".join(
            to_text(record_of(connection, load_game(context, connection, each))) for each in stored
        )


def _told(connection: Connection, game: Game, player: Player) -> dict[str, Any]:
    told: dict[str, Any] = json.loads(to_json(record_of(connection, game)))
    planned = [
        list(line)
        for side, seat in game.stored.seats.items()
        if seat.player_id == player.id
        for line in plan_of(connection, game.id, side)
    ]
    return told | {"plans": planned} if planned else told


def erase(context: AppContext, player: Player) -> None:
    """Erase a player: all goes but their games, which stay those of "a former player".

    Games that go on are given to the opponent, or called off where they have hardly begun. Raises
    `OutdatedAction` where the player has acted since `player` was read.
    """
    with context.database.writing() as connection:
        # First of all: what the player does meanwhile is over before this, or comes to nothing.
        consume_action(connection, player)
        end_games(context, connection, player)
        # So that no rating of the player's is being computed anew: see `capsule.cli.ratings`.
        rating_queries.hold_numbers(connection)
        moderation_queries.forget(connection, player.id)
        rating_queries.erase_ratings(connection, player.id)
        message_queries.erase_messages(connection, player.id)
        note_queries.erase_notes(connection, player.id)
        relation_queries.erase_relations(connection, player.id)
        report_queries.erase_reports(connection, player.id)
        tournament_queries.erase_titles(connection, player.id)
        player_queries.erase_player(connection, player.id)
