"""Leaving the open tables: by a ban or as a program, with what others earned by the player."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capsule.seasons import queries as season_queries
from capsule.seasons.model import open_months
from capsule.seasons.scoring import refresh

if TYPE_CHECKING:
    from collections.abc import Collection
    from datetime import date, datetime

    from sqlalchemy import Connection


def take_off(connection: Connection, player_id: int, now: datetime) -> None:
    """Take a player off the open tables, with what others earned in games against them.

    The transaction holds the player, who is banned, and whose games have ended. Points that are
    given later count no more than these.
    """
    season_queries.lock_seasons(connection)
    for month in open_months(now):
        season_queries.add_ban(connection, month, player_id)
        refresh(connection, month, _concerned(connection, month, player_id))


def put_back(connection: Connection, player_id: int, now: datetime) -> None:
    """Give back what a ban that is lifted took from the open tables."""
    season_queries.lock_seasons(connection)
    for month in open_months(now):
        season_queries.remove_ban(connection, month, player_id)
        refresh(connection, month, _concerned(connection, month, player_id))


def take_off_program(connection: Connection, player_id: int, now: datetime) -> None:
    """Take a player off the open tables who has become a program, for good.

    The transaction holds the player.
    """
    season_queries.lock_seasons(connection)
    for month in open_months(now):
        refresh(connection, month, _concerned(connection, month, player_id))


def _concerned(connection: Connection, month: date, player_id: int) -> Collection[int]:
    return {player_id, *season_queries.opponents_in(connection, month, player_id)}
