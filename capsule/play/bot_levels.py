"""The levels of bots that suit a player: those of about their rating, and the one to play next."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from capsule.games.bot_result_queries import results_against_bots
from capsule.ratings import queries as rating_queries
from capsule.ratings.model import Holder
from capsule.ratings.rated_levels import rated_levels
from engine import VARIANTS
from engine.bots import levels_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from sqlalchemy import Connection

    from capsule.accounts.model import Player
    from capsule.context import AppContext
    from capsule.games.bot_result_queries import BotResult
    from capsule.ratings.rated_levels import RatedLevel

WINS = 2
"""The number of games won against a level before the next one is suggested."""

LOSSES = 2
"""The number of games lost in a row after which a lower level is suggested."""

LOOKED_AT = 10
"""The number of last games, of each variant, level and side, that count for this."""

NEAREST = 3
"""The number of levels that are shown before all the others."""


def nearest_levels(
    context: AppContext, player: Player | None, variant: str
) -> Sequence[RatedLevel]:
    """Return the levels whose ratings are nearest to the player's own, the weakest first.

    For a player without a rating in the variant, or a newcomer, they are those nearest to the level
    that is suggested.
    """
    with context.database.reading() as connection:
        levels = rated_levels(connection, variant)
        own = None
        if player is not None:
            own = rating_queries.rating_of(connection, Holder(variant, player.id, None))
        if own is None or not own.games:
            suggested = _suggested(connection, player, [variant])[variant]
            own = next(level.rating for level in levels if level.name == suggested)
    middle = own.mu
    nearest = sorted(levels, key=lambda level: abs(level.rating.mu - middle))[:NEAREST]
    return [level for level in levels if level in nearest]


def suggested_levels(context: AppContext, player: Player | None) -> Mapping[str, str]:
    """Return the level suggested to a player, by the keys of variants; None is a newcomer."""
    with context.database.reading() as connection:
        return _suggested(connection, player, VARIANTS)


def _suggested(
    connection: Connection, player: Player | None, variants: Iterable[str]
) -> Mapping[str, str]:
    levels = {variant: tuple(levels_of(variant)) for variant in variants}
    results: Sequence[BotResult] = ()
    if player is not None:
        results = results_against_bots(connection, player.id, levels, LOOKED_AT)
    return {
        variant: suggested_level(names, [each for each in results if each.variant == variant])
        for variant, names in levels.items()
    }


def suggested_level(levels: Sequence[str], results: Sequence[BotResult]) -> str:
    """Return which of a variant's levels is suggested after these results in it.

    It is the lowest that has not been beaten twice, and one lower after two losses in a row.

    >>> suggested_level(["novice", "casual"], [])
    'novice'
    """
    won = Counter(each.level for each in results if each.is_won)
    unbeaten = [index for index, level in enumerate(levels) if won[level] < WINS]
    index = unbeaten[0] if unbeaten else len(levels) - 1
    last = sorted(results, key=lambda each: each.ended_at)[-LOSSES:]
    is_losing = len(last) == LOSSES and all(each.is_won is False for each in last)
    return levels[max(0, index - is_losing)]
