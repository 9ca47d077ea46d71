"""The level of bots that is suggested to a player, by their last games against bots."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from capsule.games.bot_result_queries import results_against_bots
from engine.bots import levels_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import datetime

    from sqlalchemy import Connection

    from capsule.games.bot_result_queries import BotResult

WINS = 2
"""The number of games won against a level before the next one is suggested."""

LOSSES = 2
"""The number of games lost in a row after which a lower level is suggested."""

LOOKED_AT = 10
"""The number of last games, of each variant, level and side, that count for this."""


def suggested_in(
    connection: Connection,
    player_id: int | None,
    variants: Iterable[str],
    before: datetime | None = None,
) -> Mapping[str, str]:
    """Return the level suggested to a player in each variant; None is a newcomer.

    With `before`, only the games that had ended before that time count.
    """
    levels = {variant: tuple(levels_of(variant)) for variant in variants}
    results: Sequence[BotResult] = ()
    if player_id is not None:
        results = results_against_bots(connection, player_id, levels, LOOKED_AT, before)
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


def is_suggested_or_above(
    connection: Connection, player_id: int, variant: str, level: str, before: datetime
) -> bool:
    """Return whether a bot was at least of the level that was suggested before a time."""
    levels = tuple(levels_of(variant))
    if level not in levels:
        return False
    suggested = suggested_in(connection, player_id, [variant], before)[variant]
    return levels.index(level) >= levels.index(suggested)
