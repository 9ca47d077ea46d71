"""The one place where ratings change, at the end of a game that counts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import sqlalchemy as sa

from capsule.db.database import Database
from capsule.ratings import first_ratings, queries
from capsule.ratings.model import Holder, RatedResult, Rating, RatingChange, updated
from engine import Message, Side
from engine.bots import levels_of


def apply(connection: sa.Connection, result: RatedResult) -> int:
    """Apply a game to the ratings of both sides, and return its number among those that count.

    The calling transaction stores the end of the game and holds it, so no game counts twice. It
    also holds the counter until it ends: of two games that end at once, in any process, the second
    waits for the first and starts from the ratings that it left. A transaction that ends several
    games must hold all of them before the first one ends; otherwise transactions could deadlock.
    """
    number = queries.next_number(connection)
    ratings = queries.ratings_of(connection, result.holders.values())
    x, o = (ratings[holder] for holder in result.holders.values())
    is_first_game = (x.needs_opponents or o.needs_opponents) and not queries.have_met(
        connection, result.holders
    )
    after = updated_ratings(result.points, x, o, is_first_game=is_first_game)
    changes = [
        RatingChange(result.game_id, side, number, result.holders[side], rating)
        for side, rating in after.items()
    ]
    for holder, before in ratings.items():
        if holder.bot is not None and before.games == 0:
            queries.ensure_first_rating(connection, holder, before)
    for change in changes:
        queries.save_rating(connection, change.holder, change.rating, result.ended_at)
    queries.add_changes(connection, changes)
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


@dataclass(frozen=True)
class Seeded:
    """The bots of a ladder that begin with its ratings, and those that have played already."""

    begin: Mapping[Holder, Rating]
    have_played: Mapping[Holder, Rating]


def seed(database: Database, ladder: first_ratings.MeasuredLadder) -> Seeded:
    """Store a ladder's ratings as the first ratings of all bots without rated games.

    The others keep theirs, on which the ratings of all their opponents depend.
    """
    with database.writing() as connection:
        # No bot may end its first game between this read and the write.
        queries.lock_ratings(connection)
        now = queries.ratings_of(connection, ladder.ratings.keys())
        have_played = {bot: rating for bot, rating in now.items() if rating.games}
        begin = {bot: first for bot, first in ladder.ratings.items() if bot not in have_played}
        for bot, rating in begin.items():
            queries.replace_first_rating(connection, bot, rating)
    return Seeded(begin, have_played)


@dataclass(frozen=True, slots=True)
class RatedLevel:
    """A level of a variant's bots, how it plays in words, and its rating."""

    name: str
    description: Message
    rating: Rating


def bots_of(variant: str) -> Sequence[Holder]:
    """Return the bots of all levels of a variant."""
    return [Holder(variant, None, name) for name in levels_of(variant)]


def rated_levels(connection: sa.Connection, variant: str) -> Sequence[RatedLevel]:
    """Return all levels of a variant, the weakest first."""
    return with_ratings(variant, queries.ratings_of(connection, bots_of(variant)))


def with_ratings(variant: str, ratings: Mapping[Holder, Rating]) -> Sequence[RatedLevel]:
    """Return all levels of a variant with these ratings, the weakest first."""
    return [
        RatedLevel(name, level.description, ratings[Holder(variant, None, name)])
        for name, level in levels_of(variant).items()
    ]
