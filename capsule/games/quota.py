"""The limits on a player's unfinished games, including those that tournaments will bring."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capsule.games import queries as game_queries
from capsule.games import quota_queries
from engine.bots.levels import LEVELS

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from capsule.accounts.model import Player


MAX_UNFINISHED_GAMES = 100
"""Unfinished games that a player may have at once."""

MAX_UNFINISHED_AGAINST_BOTS = 10
"""Unfinished games against bots that a player may have at once: everybody shares bots' time."""


class TooManyGames(Exception):
    """The player has `limit` unfinished games of the kind, and may not have more."""

    def __init__(self, limit: int) -> None:
        super().__init__(f"{limit} games are unfinished")
        self.limit = limit


def require_room(connection: Connection, player: Player, *, against_bots: bool = False) -> None:
    """Raise `TooManyGames` if the player may not start another game.

    Room is reserved for the games of tournaments that the player has joined and that have not
    started.
    """
    ahead, ahead_with_bots = games_ahead(connection, player.id)
    if ahead + game_queries.count_unfinished(connection, player.id) >= MAX_UNFINISHED_GAMES:
        raise TooManyGames(MAX_UNFINISHED_GAMES)
    if against_bots:
        count = game_queries.count_unfinished(connection, player.id, against_bots=True)
        if ahead_with_bots + count >= MAX_UNFINISHED_AGAINST_BOTS:
            raise TooManyGames(MAX_UNFINISHED_AGAINST_BOTS)


def games_ahead(connection: Connection, player_id: int) -> tuple[int, int]:
    """Return how many games a player's announced tournaments may bring, and how many with bots."""
    counts = [
        games_of_tournament(ahead.seat_count, ahead.taken, ahead.fill_level)
        for ahead in quota_queries.seats_ahead(connection, player_id)
    ]
    return sum(games for games, _ in counts), sum(with_bots for _, with_bots in counts)


def games_of_tournament(seat_count: int, taken: int, fill_level: str | None) -> tuple[int, int]:
    """Return how many games a tournament may bring each player, and how many of them with bots.

    There are two games against each opponent. If bots fill the seats that are not taken, there is
    at most one of each level.

    >>> games_of_tournament(6, 4, "club")
    (10, 4)
    """
    bots = 0 if fill_level is None else min(seat_count - taken, len(LEVELS))
    return 2 * (seat_count - 1), 2 * bots
