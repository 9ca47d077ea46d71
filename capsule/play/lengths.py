"""The length of a game in minutes, as lists of games give it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capsule.ratings.first_ratings import mean_plies

if TYPE_CHECKING:
    from engine import Variant

SECONDS_PER_MOVE = 20
"""The time that a player takes for a move against a bot: to look, to think and to type."""

ROUNDED_TO = (2, 5, 10, 15, 20, 30, 45, 60)
"""The minutes that are given, of which the last stands for all longer games."""


def minutes_of(variant: Variant) -> int | None:
    """Return about how long a game against a bot takes; None if its length was never measured.

    Half of the moves are the player's, and the bot's take no time to speak of.

    >>> from engine import VARIANTS
    >>> {key: minutes_of(VARIANTS[key]) for key in ("numeric", "tinc", "ultimate", "extreme")}
    {'numeric': 2, 'tinc': 5, 'ultimate': 10, 'extreme': 15}
    """
    plies = mean_plies().get(variant.key)
    if plies is None:
        return None
    minutes = plies / 2 * SECONDS_PER_MOVE / 60
    return next((each for each in ROUNDED_TO if minutes <= each), ROUNDED_TO[-1])
