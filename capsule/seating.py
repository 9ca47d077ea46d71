"""Setting up a new game: who sits where, on which terms, and how many games anyone may have."""

from __future__ import annotations

import base64
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from capsule.game import OutdatedAction
from capsule.store import games as stored
from capsule.store import players as stored_players
from capsule.store import tournaments as stored_tournaments
from engine.bots.levels import LEVELS

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

    So a link outside games acts once, and what the player does outside games happens in order:
    other actions wait until the transaction ends.
    """
    if not stored_players.count_action_after(connection, player.id, player.actions):
        raise OutdatedAction


def expect_here(site: Site, connection: Connection, player: Player) -> None:
    """Raise `OutdatedAction` where a player was erased or shut out since `player` was read.

    For what is not counted by `count_action`, and before anything else is held: neither happens
    then until the transaction ends.
    """
    known = stored_players.player_by_id(connection, player.id, to_stay=True)
    if known is None or not known.name or known.is_banned(site.clock()):
        raise OutdatedAction


def expect_room(connection: Connection, player: Player, *, against_bots: bool = False) -> None:
    """Raise `TooManyGames` where the player may not start another game.

    The games of tournaments that the player has joined, and that have not started, have their room.
    """
    ahead, ahead_with_bots = games_ahead(connection, player.id)
    if ahead + stored.count_unfinished(connection, player.id) >= MOST_UNFINISHED:
        raise TooManyGames(MOST_UNFINISHED)
    if against_bots:
        have = stored.count_unfinished(connection, player.id, against_bots=True)
        if ahead_with_bots + have >= MOST_AGAINST_BOTS:
            raise TooManyGames(MOST_AGAINST_BOTS)


def games_ahead(connection: Connection, player_id: int) -> tuple[int, int]:
    """Return how many games a player's tournaments may bring at their start, and with bots."""
    brought = [
        games_of_tournament(*terms)
        for terms in stored_tournaments.seats_ahead(connection, player_id)
    ]
    return sum(games for games, _ in brought), sum(with_bots for _, with_bots in brought)


def games_of_tournament(seats: int, taken: int, fill_level: str | None) -> tuple[int, int]:
    """Return how many games a tournament brings each player, and how many of them with bots.

    Those are the most there can be, of so many `seats` and as many of them `taken`: two with each
    opponent, and a bot of each level at the most where bots fill it.

    >>> games_of_tournament(6, 4, "club")
    (10, 4)
    """
    bots = 0 if fill_level is None else min(seats - taken, len(LEVELS))
    return 2 * (seats - 1), 2 * bots


def set_up(
    site: Site,
    connection: Connection,
    variant: Variant,
    seats: tuple[Seat, Seat],
    **columns: Any,  # noqa: ANN401 - columns vary
) -> str:
    """Store a new game with X's and O's seats and other values of its columns; return its id."""
    game_id = new_id(site)
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


def new_id(site: Site) -> str:
    """Return an id that nobody can guess: 10 characters of lower-case base32."""
    return base64.b32encode(site.random_bytes(10)).decode().lower()[:10]


def seats_for(site: Site, side: str, player: Player, other: Seat) -> tuple[Seat, Seat]:
    """Return X's and O's seats: the player at the side that the terms say, or at a drawn one."""
    is_x = site.random_bytes(1)[0] % 2 == 0 if side == "draw" else side == "x"
    own = Seat(player_id=player.id)
    return (own, other) if is_x else (other, own)
