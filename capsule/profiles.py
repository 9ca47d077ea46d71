"""What anyone may know of a player: the name and the public games."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from capsule.game import ENDED, RUNNING, current
from capsule.store import games as stored
from capsule.store import players as stored_players

if TYPE_CHECKING:
    from collections.abc import Sequence

    from capsule.site import Site
    from capsule.store.games import StoredGame
    from capsule.store.players import Player

GAMES_SHOWN = 20


@dataclass(frozen=True)
class Profile:
    """A player and their public games, those that go on and those that ended last."""

    player: Player
    running: Sequence[StoredGame]
    ended: Sequence[StoredGame]


def profile(site: Site, name: str) -> Profile | None:
    """Return the profile of the player of a name, in whichever case; None where it is nobody's."""
    with site.store.reading() as connection:
        player = stored_players.player_by_name(connection, name)
        if player is None:
            return None
        found = [
            *stored.listed_games_of_player(connection, player.id, RUNNING, GAMES_SHOWN),
            *stored.listed_games_of_player(connection, player.id, ENDED, GAMES_SHOWN),
        ]
        games = current(site, connection, found)
    return Profile(
        player,
        [game for game in games if game.status in RUNNING],
        [game for game in games if game.status in ENDED][:GAMES_SHOWN],
    )
