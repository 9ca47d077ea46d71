"""Setting up a new game: who sits where, on which terms, and how many games anyone may have."""

from __future__ import annotations

import base64
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from capsule.game import OutdatedAction
from capsule.store import games as stored
from capsule.store import players as stored_players

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from capsule.site import Site
    from capsule.store.players import Player
    from engine import Variant

MOST_UNFINISHED = 100
"""Games that one player may have going at once."""

MOST_AGAINST_BOTS = 10
"""Games against bots that one player may have going at once: bots' time is everybody's."""


class TooManyGames(Exception):
    """The player has as many unfinished games as anyone may have: `most` of the kind."""

    def __init__(self, most: int) -> None:
        super().__init__(f"{most} games are unfinished")
        self.most = most


@dataclass(frozen=True)
class Seat:
    """Who sits at one side of a board: a player, a bot of a level, or nobody yet."""

    player_id: int | None = None
    bot: str | None = None


NOBODY = Seat()


def count_action(connection: Connection, player: Player) -> None:
    """Count an action outside games; `OutdatedAction` where there was one since `player` was read.

    So a link outside games acts once.
    """
    known = stored_players.player_by_id(connection, player.id)
    if known is None or known.actions != player.actions:
        raise OutdatedAction
    stored_players.count_action(connection, player.id)


def expect_room(connection: Connection, player: Player, *, against_bots: bool = False) -> None:
    """Raise `TooManyGames` where the player may not start another game."""
    if stored.count_unfinished(connection, player.id) >= MOST_UNFINISHED:
        raise TooManyGames(MOST_UNFINISHED)
    if (
        against_bots
        and stored.count_unfinished(connection, player.id, against_bots=True) >= MOST_AGAINST_BOTS
    ):
        raise TooManyGames(MOST_AGAINST_BOTS)


def set_up(
    site: Site,
    connection: Connection,
    variant: Variant,
    seats: tuple[Seat, Seat],
    **columns: Any,  # noqa: ANN401 - columns vary
) -> str:
    """Store a new game with X's and O's seats and other values of its columns; return its id."""
    game_id = base64.b32encode(site.random_bytes(10)).decode().lower()[:10]
    now = site.clock()
    x, o = seats
    stored.add_game(
        connection,
        id=game_id,
        variant=variant.key,
        x_player_id=x.player_id,
        o_player_id=o.player_id,
        x_bot=x.bot,
        o_bot=o.bot,
        bot_to_move=x.bot is not None,
        turn=variant.start.turn.value,
        created_at=now,
        moved_at=now,
        **columns,
    )
    return game_id


def seats_for(site: Site, side: str, player: Player, other: Seat) -> tuple[Seat, Seat]:
    """Return X's and O's seats: the player at the side that the terms say, or at a drawn one."""
    is_x = site.random_bytes(1)[0] % 2 == 0 if side == "draw" else side == "x"
    own = Seat(player_id=player.id)
    return (own, other) if is_x else (other, own)
