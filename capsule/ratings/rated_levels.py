"""The levels of a variant's bots with their ratings, as people choose from them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from capsule.ratings import queries as rating_queries
from capsule.ratings.model import Holder
from engine.bots import levels_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sqlalchemy import Connection

    from capsule.ratings.model import Rating
    from engine import Message


@dataclass(frozen=True, slots=True)
class RatedLevel:
    """A level of a variant's bots, how it plays in words, and its rating."""

    name: str
    description: Message
    rating: Rating


def bots_of(variant: str) -> Sequence[Holder]:
    """Return the bots of all levels of a variant."""
    return [Holder(variant, None, name) for name in levels_of(variant)]


def rated_levels(connection: Connection, variant: str) -> Sequence[RatedLevel]:
    """Return all levels of a variant, the weakest first."""
    return with_ratings(variant, rating_queries.ratings_of(connection, bots_of(variant)))


def with_ratings(variant: str, ratings: Mapping[Holder, Rating]) -> Sequence[RatedLevel]:
    """Return all levels of a variant with these ratings, the weakest first."""
    return [
        RatedLevel(name, level.description, ratings[Holder(variant, None, name)])
        for name, level in levels_of(variant).items()
    ]
