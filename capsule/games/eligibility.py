"""The right to vote, comment and enter cups, and the limits on a player's unfinished games."""

from dataclasses import dataclass
from datetime import datetime, timedelta

import sqlalchemy as sa

from capsule.accounts.model import Player
from capsule.errors import Refused
from capsule.games import player_queries
from engine import message

MIN_AGE = timedelta(days=1)
"""The time after which a new player may count."""

MIN_GAMES_AGAINST_BOTS = 3
"""Finished games against bots, begun at the start, that stand for one against a person."""


def is_eligible(connection: sa.Connection, player: Player, now: datetime) -> bool:
    """Return whether a player counts at a time, which may have passed.

    It takes two statements at most, of bounded work.
    """
    if player.is_program or not player.is_present(now) or now - player.created_at < MIN_AGE:
        return False
    against_bots = player_queries.count_games_against_bots(
        connection, player.id, now, at_most=MIN_GAMES_AGAINST_BOTS
    )
    return against_bots >= MIN_GAMES_AGAINST_BOTS or player_queries.has_met_a_person(
        connection, player.id, now
    )


MAX_UNFINISHED_GAMES = 100
"""Unfinished games that a player may have at once."""

MAX_UNFINISHED_OF_PROGRAM = 500
"""Unfinished games that a program may have at once."""

MAX_UNFINISHED_AGAINST_BOTS = 10
"""Unfinished games against bots that a player may have at once: everybody shares bots' time."""

MAX_BOTS = 5
"""Bots that a tournament may have: each plays everybody else twice."""

MAX_OFFERED_GAMES = 6
"""Listed games without an opponent that a player may have at once: the list is everybody's."""


class TooManyGames(Refused):
    """The player may not have another game; `message` says how many they have, and what helps."""


@dataclass(frozen=True, slots=True)
class Room:
    """The numbers of games that a player may still have: of all games, and of those with bots.

    Room is reserved for the games of tournaments that the player has joined and that have not
    started: `ahead` of them, `ahead_with_bots` with bots.
    """

    games: int = MAX_UNFINISHED_GAMES
    against_bots: int = MAX_UNFINISHED_AGAINST_BOTS
    ahead: int = 0
    ahead_with_bots: int = 0


def room_of(connection: sa.Connection, player: Player) -> Room:
    """Return how many more games a player may have."""
    ahead, ahead_with_bots = games_ahead(connection, player.id)
    have, against_bots = player_queries.count_unfinished(connection, player.id)
    return Room(
        max_unfinished(player) - ahead - have,
        MAX_UNFINISHED_AGAINST_BOTS - ahead_with_bots - against_bots,
        ahead,
        ahead_with_bots,
    )


def max_unfinished(player: Player) -> int:
    """Return how many unfinished games a player may have at once."""
    return MAX_UNFINISHED_OF_PROGRAM if player.is_program else MAX_UNFINISHED_GAMES


def require_room(connection: sa.Connection, player: Player, *, against_bots: bool = False) -> None:
    """Raise `TooManyGames` if the player may not have another game."""
    room, limit = room_of(connection, player), max_unfinished(player)
    if room.games <= 0:
        numbers = {"have": limit - room.games, "limit": limit}
        raise TooManyGames(
            message(
                "You have {have} unfinished games (tournaments included). The limit is {limit}. "
                "Finish one first, or abort one that has hardly begun",
                **numbers,
            )
            if room.ahead
            else message(
                "You have {have} unfinished games. The limit is {limit}. "
                "Finish one first, or abort one that has hardly begun",
                **numbers,
            )
        )
    if against_bots and room.against_bots <= 0:
        raise TooManyGames(
            message(
                "You have {have} unfinished games against bots (tournaments included). The limit "
                "is {limit}. Finish one first, or play a person",
                have=MAX_UNFINISHED_AGAINST_BOTS - room.against_bots,
                limit=MAX_UNFINISHED_AGAINST_BOTS,
            )
        )


def require_room_to_offer(connection: sa.Connection, player: Player) -> None:
    """Raise `TooManyGames` if the player may not offer another game to anyone."""
    offered = player_queries.count_offered(connection, player.id)
    if offered >= MAX_OFFERED_GAMES:
        raise TooManyGames(
            message(
                "You offer {count} games that wait for an opponent. The limit is {limit}. "
                "Join another game, invite a friend by a private address, or abort one of yours",
                count=offered,
                limit=MAX_OFFERED_GAMES,
            )
        )


def games_ahead(connection: sa.Connection, player_id: int) -> tuple[int, int]:
    """Return how many games a player's announced tournaments may bring, and how many with bots."""
    counts = [
        games_of_tournament(ahead.seats, ahead.taken, ahead.fill_level)
        for ahead in player_queries.seats_ahead(connection, player_id)
    ]
    return sum(games for games, _ in counts), sum(with_bots for _, with_bots in counts)


def games_of_tournament(seat_count: int, taken: int, fill_level: str | None) -> tuple[int, int]:
    """Return how many games a tournament may bring each player, and how many of them with bots.

    There are two games against each opponent. If bots fill the seats that are not taken, there are
    `MAX_BOTS` at most.

    >>> games_of_tournament(6, 4, "club")
    (10, 4)
    """
    bots = 0 if fill_level is None else min(seat_count - taken, MAX_BOTS)
    return 2 * (seat_count - 1), 2 * bots
