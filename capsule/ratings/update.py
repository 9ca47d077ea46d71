"""The one place where ratings change, at the end of a game that counts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capsule.ratings import queries as rating_queries
from capsule.ratings.model import Rating, RatingChange, updated
from engine import Side

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sqlalchemy import Connection

    from capsule.ratings.model import RatedResult


def apply(connection: Connection, result: RatedResult) -> int:
    """Apply a game to the ratings of both sides, and return its number among those that count.

    The calling transaction stores the end of the game and holds it, so no game counts twice. It
    also holds the counter until it ends: of two games that end at once, in any process, the second
    waits for the first and starts from the ratings that it left. A transaction that ends several
    games must hold all of them before the first one ends; otherwise transactions could deadlock.
    """
    number = rating_queries.next_number(connection)
    x, o = (rating_queries.rating_of(connection, holder) for holder in result.holders.values())
    is_first_game = (x.needs_opponents or o.needs_opponents) and not rating_queries.have_met(
        connection, result.holders
    )
    after = updated_ratings(result.points, x, o, is_first_game=is_first_game)
    changes = [
        RatingChange(result.game_id, side, number, result.holders[side], rating)
        for side, rating in after.items()
    ]
    for holder, before in zip(result.holders.values(), (x, o), strict=True):
        if holder.bot is not None and before.games == 0:
            rating_queries.ensure_first_rating(connection, holder, before)
    for change in changes:
        rating_queries.save_rating(connection, change.holder, change.rating, result.ended_at)
    rating_queries.add_changes(connection, changes)
    return number


def updated_ratings(
    points: tuple[float, float], x: Rating, o: Rating, *, is_first_game: bool
) -> Mapping[Side, Rating]:
    """Return the ratings of X and O after a game with these points, by side.

    `is_first_game` says that the two had not met before.
    """
    new_x, new_o = updated(x, o, points)
    if is_first_game:
        return {Side.X: new_x.with_opponent(), Side.O: new_o.with_opponent()}
    return {Side.X: new_x, Side.O: new_o}
