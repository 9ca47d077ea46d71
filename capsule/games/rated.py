"""The rules by which a game counts for ratings, and whose ratings it changes."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC
from typing import TYPE_CHECKING

from capsule.games import rated_queries
from capsule.games.model import MIN_PLIES
from capsule.ratings import queries as rating_queries
from capsule.ratings.model import Holder, RatedResult

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sqlalchemy import Connection

    from capsule.games.model import StoredGame
    from engine import Side

MAX_A_DAY = 2
"""Games of a variant between two players that count, of those begun on one day (UTC)."""


def may_count(game: StoredGame) -> bool:
    """Return whether a game is rated and will count for ratings once it ends.

    It must be between two different holders of a rating: two players, a player and a bot, or bots
    of two levels. A takeback or a hint keeps it from counting, so does a start of its own, and so
    do enough others that its players began on the same day.
    """
    x, o = holders_of(game).values()
    is_whole = game.start_ply == 0 and game.takebacks == 0 and game.hints == 0
    return game.rated and not game.surplus and is_whole and x != o


def as_begun(connection: Connection, game: StoredGame) -> StoredGame:
    """Return a game that begins now, surplus if its players have begun enough others today.

    It is decided once and stored, so that players know from the start whether a game will count.
    Games that began before this rule count as they did. Until the transaction ends, other rated
    games between people wait before they begin, and games that count before they end: two begun at
    the same moment could not see each other.
    """
    if game.started_at is None or not game.is_between_people or not may_count(game):
        return game
    rating_queries.lock_ratings(connection)
    midnight = game.started_at.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    begun = rated_queries.count_rated_together(connection, game, midnight)
    return replace(game, surplus=begun >= MAX_A_DAY)


def counts(game: StoredGame) -> bool:
    """Return whether a game counts: it may, and it has a result and at least `MIN_PLIES` moves."""
    return may_count(game) and game.points is not None and game.plies_played >= MIN_PLIES


def holders_of(game: StoredGame) -> Mapping[Side, Holder]:
    """Return the holders of the ratings that a game may change, by side."""
    return {
        side: Holder(game.variant.key, seat.player_id, seat.bot)
        for side, seat in game.seats.items()
    }


def result_of(game: StoredGame) -> RatedResult:
    """Return the result of a game that counts; raises `ValueError` for a game without points."""
    if game.points is None:
        raise ValueError("a game without points changes no rating")
    return RatedResult(game.id, holders_of(game), game.points, game.moved_at)
