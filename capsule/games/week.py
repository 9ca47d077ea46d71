"""Numbers of games in the last seven days, and the last results between people."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from capsule.games import week_queries
from capsule.games.week_queries import MAX_COUNTED

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from sqlalchemy import Connection

    from capsule.games.model import StoredGame


WEEK = timedelta(days=7)
"""The time that "this week" means."""


@dataclass(frozen=True, slots=True)
class Week:
    """The people who have played this week, their games, and how many of these were against bots.

    Only the last `MAX_COUNTED` games are counted; `is_complete` says that there were no more.
    """

    people: int
    games: int
    against_bots: int

    @property
    def is_complete(self) -> bool:
        """Whether all games of the week were counted."""
        return self.games < MAX_COUNTED


def week_before(connection: Connection, now: datetime) -> Week:
    """Return how much people have played in the seven days before `now`, whoever may see it.

    A game counts if somebody has moved in it, and a program counts as a bot. Games without a person
    do not count, nor do those that somebody plays alone.
    """
    people, games, against_bots = week_queries.count_played_since(connection, now - WEEK)
    return Week(people, games, against_bots)


def last_results(connection: Connection, limit: int) -> Sequence[StoredGame]:
    """Return up to `limit` of the last public games between two people, the last to end first."""
    return week_queries.last_between_people(connection, limit)
