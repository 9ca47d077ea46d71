"""All that is kept about a player: handed out, and erased."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from capsule.game import (
    ABORTED,
    ENDED,
    PLAYING,
    RESIGNED,
    RUNNING,
    OutdatedAction,
    end,
    ending_of,
    game_at,
    store_change,
    win_of,
)
from capsule.records import record_of
from capsule.store import games as stored_games
from capsule.store import players as stored_players
from capsule.store.plans import plan_of
from engine.record import to_json

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from capsule.game import Game
    from capsule.site import Site
    from capsule.store.players import Player

EVERY = 1_000_000
"""More games than anybody plays."""


def export(site: Site, player: Player) -> str:
    """Return all that is kept about a player, as JSON: the account, and each game's record."""
    with site.store.reading() as connection:
        stored = stored_games.games_of_player(
            connection, player.id, (*RUNNING, *ENDED, ABORTED), EVERY
        )
        told: dict[str, Any] = {
            "name": player.name,
            "created": player.created_at.isoformat(timespec="seconds").replace("+00:00", "Z"),
            **stored_players.details_of(connection, player.id),
            "games": [
                _told(connection, game_at(site, connection, each, each.ply), player)
                for each in stored
            ],
        }
    return json.dumps(told, ensure_ascii=False, indent=2) + "\n"


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
        current = stored_players.player_by_id(connection, player.id)
        if current is None or current.actions != player.actions:
            raise OutdatedAction
        for stored in stored_games.games_of_player(connection, player.id, RUNNING, EVERY):
            game = game_at(site, connection, stored, stored.ply)
            if game.is_running:
                end(connection, game, _ending(game, player))
            else:
                # It has ended by itself, which nobody has stored yet.
                store_change(connection, stored, game.stored)
        stored_players.erase_player(connection, player.id)


def _ending(game: Game, player: Player) -> dict[str, str | float | None]:
    side = game.side_acting_for(player)
    if side is None or game.stored.status != PLAYING or game.is_solo or game.can_be_aborted:
        return {"status": ABORTED}
    return ending_of(RESIGNED, *win_of(side.other))
