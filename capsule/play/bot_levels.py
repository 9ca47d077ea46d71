"""The level of the bot to play next: the lowest that the player has not beaten twice."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from capsule.games.bot_result_queries import results_against_bots
from engine import VARIANTS
from engine.bots.levels import LEVELS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from capsule.accounts.model import Player
    from capsule.context import AppContext
    from capsule.games.bot_result_queries import BotResult

WINS = 2
"""The number of games won against a level before the next one is suggested."""

LOSSES = 2
"""The number of games lost in a row after which a lower level is suggested."""

LOOKED_AT = 10
"""The number of last games, of each variant, level and side, that count for this."""


def suggested_levels(context: AppContext, player: Player | None) -> Mapping[str, str]:
    """Return the level suggested to a player, by the keys of variants; None is a newcomer."""
    results: Sequence[BotResult] = ()
    if player is not None:
        with context.database.reading() as connection:
            results = results_against_bots(connection, player.id, VARIANTS, LEVELS, LOOKED_AT)
    return {
        variant: suggested_level([each for each in results if each.variant == variant])
        for variant in VARIANTS
    }


def suggested_level(results: Sequence[BotResult]) -> str:
    """Return the level suggested after these results in a variant.

    It is the lowest that has not been beaten twice, and one lower after two losses in a row.

    >>> suggested_level([])
    'novice'
    """
    won = Counter(each.level for each in results if each.is_won)
    unbeaten = [index for index, level in enumerate(LEVELS) if won[level] < WINS]
    index = unbeaten[0] if unbeaten else len(LEVELS) - 1
    last = sorted(results, key=lambda each: each.ended_at)[-LOSSES:]
    is_losing = len(last) == LOSSES and all(each.is_won is False for each in last)
    return LEVELS[max(0, index - is_losing)]
