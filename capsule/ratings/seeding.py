"""Seeding bots' first ratings from a ladder measured on the operator's own machine."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from capsule.ratings import queries as rating_queries

if TYPE_CHECKING:
    from collections.abc import Mapping

    from capsule.db.database import Database
    from capsule.ratings.first_ratings import MeasuredLadder
    from capsule.ratings.model import Holder, Rating


@dataclass(frozen=True)
class Seeded:
    """The bots of a ladder that begin with its ratings, and those that have played already."""

    begin: Mapping[Holder, Rating]
    have_played: Mapping[Holder, Rating]


def seed(database: Database, ladder: MeasuredLadder) -> Seeded:
    """Store what a ladder found as the first ratings of all bots who have no rated games yet.

    The others keep theirs, from which the ratings of everybody they have met follow.
    """
    with database.writing() as connection:
        # No bot may end its first game between this read and the write.
        rating_queries.lock_ratings(connection)
        now = rating_queries.ratings_of(connection, ladder.ratings.keys())
        have_played = {bot: rating for bot, rating in now.items() if rating.games}
        begin = {bot: first for bot, first in ladder.ratings.items() if bot not in have_played}
        for bot, rating in begin.items():
            rating_queries.replace_first_rating(connection, bot, rating)
    return Seeded(begin, have_played)
