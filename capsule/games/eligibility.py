"""The people who count: who may vote, comment, enter cups and earn points in a season.

They have finished a game against a person, or three against bots, and have been known for a day.
Programs never count. See `is_eligible`.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from capsule.games import eligibility_queries

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy import Connection

    from capsule.accounts.model import Player


MIN_AGE = timedelta(days=1)
"""The time after which a new player may count."""

MIN_GAMES_AGAINST_BOTS = 3
"""Finished games against bots, begun at the start, that stand for one against a person."""


def is_eligible(connection: Connection, player: Player, now: datetime) -> bool:
    """Return whether a player counts at a time, which may have passed.

    It takes two statements at most, of bounded work.
    """
    if player.is_program or not player.is_present(now) or now - player.created_at < MIN_AGE:
        return False
    against_bots = eligibility_queries.count_games_against_bots(
        connection, player.id, now, at_most=MIN_GAMES_AGAINST_BOTS
    )
    return against_bots >= MIN_GAMES_AGAINST_BOTS or eligibility_queries.has_met_a_person(
        connection, player.id, now
    )
