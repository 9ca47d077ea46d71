"""The levels of bots that suit a player: those of about their rating, and the one to play next."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capsule.games.suggested_level import suggested_in
from capsule.ratings import queries as rating_queries
from capsule.ratings.model import Holder
from capsule.ratings.rated_levels import bots_of, with_ratings
from engine import VARIANTS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from capsule.accounts.model import Player
    from capsule.context import Transaction
    from capsule.ratings.rated_levels import RatedLevel

NEAREST = 3
"""The number of levels that are shown before all the others."""


def nearest_levels(
    transaction: Transaction, player: Player | None, variant: str, first: str | None = None
) -> Sequence[RatedLevel]:
    """Return the levels whose ratings are nearest to the player's own, the weakest first.

    For a player without a rating in the variant, or a newcomer, they are those nearest to the level
    that is suggested. Before them comes the one called `first`, if the variant has that.
    """
    connection = transaction.connection
    holder = Holder(variant, _id_of(player), None)
    holders = [*bots_of(variant), *((holder,) if player is not None else ())]
    ratings = rating_queries.ratings_of(connection, holders)
    levels, own = with_ratings(variant, ratings), ratings.get(holder)
    if own is None or not own.games:
        suggested = suggested_in(connection, _id_of(player), [variant])[variant]
        own = next(level.rating for level in levels if level.name == suggested)
    middle = own.mu
    nearest = sorted(levels, key=lambda level: abs(level.rating.mu - middle))[:NEAREST]
    chosen = [level for level in levels if level.name == first]
    return [*chosen, *(level for level in levels if level in nearest and level not in chosen)]


def suggested_levels(transaction: Transaction, player: Player | None) -> Mapping[str, str]:
    """Return the level suggested to a player, by the keys of variants; None is a newcomer."""
    return suggested_in(transaction.connection, _id_of(player), VARIANTS)


def _id_of(player: Player | None) -> int | None:
    return None if player is None else player.id
