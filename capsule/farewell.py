"""All that is kept about a player: handed out, and erased."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from capsule import settings, tournaments
from capsule.game import (
    ABORTED,
    ENDED,
    PLAYING,
    RESIGNED,
    RUNNING,
    end,
    ending_of,
    game_at,
    store_change,
    win_of,
)
from capsule.records import record_of
from capsule.seating import count_action
from capsule.store import devices as stored_devices
from capsule.store import games as stored_games
from capsule.store import lists as stored_lists
from capsule.store import messages as stored_messages
from capsule.store import notes as stored_notes
from capsule.store import operator as stored_operator
from capsule.store import players as stored_players
from capsule.store import ratings as stored_ratings
from capsule.store import relations as stored_relations
from capsule.store import reports as stored_reports
from capsule.store import tournaments as stored_tournaments
from capsule.store.plans import plan_of
from engine.record import to_json, to_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import Connection

    from capsule.game import Game
    from capsule.site import Site
    from capsule.store.games import StoredGame
    from capsule.store.players import Player

EVERY = 1_000_000
"""More games than anybody plays."""


def export(site: Site, player: Player) -> str:
    """Return all that is kept about a player, as JSON: the account, and each game's record."""
    with site.store.reading() as connection:
        stored = stored_lists.games_of_player(
            connection, player.id, (*RUNNING, *ENDED, ABORTED), EVERY
        )
        told: dict[str, Any] = {
            "name": player.name,
            "created": player.created_at.isoformat(timespec="seconds").replace("+00:00", "Z"),
            **stored_devices.details_of(connection, player.id),
            **stored_players.details_of(connection, player.id),
            "settings": settings.told(player),
            **stored_operator.kept_about(connection, player),
            "messages": stored_messages.messages_by(connection, player.id),
            "notes": stored_notes.notes_by(connection, player.id),
            "muted_and_blocked": stored_relations.relations_by(connection, player.id),
            "reports": stored_reports.reports_by(connection, player.id),
            **stored_tournaments.details_of(connection, player.id),
            "ratings": stored_ratings.ratings_of_player(connection, player.id),
            "games": [
                _told(connection, game_at(site, connection, each, each.ply), player)
                for each in stored
            ],
        }
    return json.dumps(told, ensure_ascii=False, indent=2) + "\n"


def records(site: Site, player: Player) -> str:
    """Return the records of all of a player's games as text, two empty lines between them."""
    with site.store.reading() as connection:
        stored = stored_lists.games_of_player(
            connection, player.id, (*RUNNING, *ENDED, ABORTED), EVERY
        )
        return "\n\n".join(
            to_text(record_of(connection, game_at(site, connection, each, each.ply)))
            for each in stored
        )


def _told(connection: Connection, game: Game, player: Player) -> dict[str, Any]:
    told: dict[str, Any] = json.loads(to_json(record_of(connection, game)))
    planned = [
        list(line)
        for side in game.seats_of(player)
        for line in plan_of(connection, game.stored.id, side.value)
    ]
    return told | {"plans": planned} if planned else told


def erase(site: Site, player: Player) -> None:
    """Erase a player: all goes but their games, which stay those of "a former player".

    Games that go on are given to the opponent, or called off where they have hardly begun. Raises
    `OutdatedAction` where the player has acted since `player` was read.
    """
    with site.store.writing() as connection:
        # First of all: what the player does meanwhile is over before this, or comes to nothing.
        count_action(connection, player)
        end_games(site, connection, player)
        # So that no rating of the player's is being computed anew: see `capsule.recompute`.
        stored_ratings.hold_numbers(connection)
        stored_operator.forget(connection, player.id)
        stored_ratings.erase_ratings(connection, player.id)
        stored_messages.erase_messages(connection, player.id)
        stored_notes.erase_notes(connection, player.id)
        stored_relations.erase_relations(connection, player.id)
        stored_reports.erase_reports(connection, player.id)
        stored_tournaments.erase_titles(connection, player.id)
        stored_players.erase_player(connection, player.id)


def end_games(site: Site, connection: Connection, player: Player) -> Sequence[StoredGame]:
    """End the games of a player who plays no more, and return them as they are then.

    They are given to the opponent, or called off where they have hardly begun; so are the
    challenges that wait for the player's answer. The player's tournaments are left.
    """
    # Tournaments are held before games, as by whoever leaves one, and all games before the first
    # one ends: see `capsule.rated.rate`.
    tournament_ids = tournaments.hold_all(connection, player)
    running = stored_lists.games_of_player(connection, player.id, RUNNING, EVERY)
    asked = stored_lists.challenges_to(connection, player.id, EVERY)
    ids = sorted(game.id for game in (*running, *asked))
    for game_id in ids:
        stored_games.game_by_id(connection, game_id, to_change=True)
    tournaments.leave_all(site, connection, player, tournament_ids)
    for stored in filter(None, [stored_games.game_by_id(connection, game_id) for game_id in ids]):
        game = game_at(site, connection, stored, stored.ply)
        if game.is_running:
            end(connection, game, _ending(game, player))
        else:
            # It has ended by itself, which nobody has stored yet.
            store_change(connection, stored, game.stored)
    ended = [stored_games.game_by_id(connection, game_id) for game_id in ids]
    return list(filter(None, ended))


def _ending(game: Game, player: Player) -> dict[str, str | float | None]:
    side = game.side_acting_for(player)
    if side is None or game.stored.status != PLAYING or game.is_solo or game.can_be_aborted:
        return {"status": ABORTED}
    return ending_of(RESIGNED, *win_of(side.other))
