"""Setting up a new game: who sits where, on which terms, and how many games anyone may have."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capsule.games import queries as game_queries
from capsule.tournaments import queries as tournament_queries
from engine.bots.levels import LEVELS

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from capsule.accounts.model import Player


MAX_UNFINISHED_GAMES = 100
"""Games that one player may have going at once."""

MAX_UNFINISHED_AGAINST_BOTS = 10
"""Games against bots that one player may have going at once: bots' time is everybody's."""


class TooManyGames(Exception):
    """The player has as many unfinished games as anyone may have: `most` of the kind."""

    def __init__(self, most: int) -> None:
        super().__init__(f"{most} games are unfinished")
        self.most = most


def require_room(connection: Connection, player: Player, *, against_bots: bool = False) -> None:
    """Raise `TooManyGames` where the player may not start another game.

    The games of tournaments that the player has joined, and that have not started, have their room.
    """
    ahead, ahead_with_bots = games_ahead(connection, player.id)
    if ahead + game_queries.count_unfinished(connection, player.id) >= MAX_UNFINISHED_GAMES:
        raise TooManyGames(MAX_UNFINISHED_GAMES)
    if against_bots:
        have = game_queries.count_unfinished(connection, player.id, against_bots=True)
        if ahead_with_bots + have >= MAX_UNFINISHED_AGAINST_BOTS:
            raise TooManyGames(MAX_UNFINISHED_AGAINST_BOTS)


def games_ahead(connection: Connection, player_id: int) -> tuple[int, int]:
    """Return how many games a player's tournaments may bring at their start, and with bots."""
    brought = [
        games_of_tournament(*terms)
        for terms in tournament_queries.seats_ahead(connection, player_id)
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
