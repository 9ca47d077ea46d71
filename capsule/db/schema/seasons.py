"""The tables of the seasons: what earned players points, who is off the table, and the table.

A month is named by its first day.
"""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, Date, Index, Integer, String, Table

from capsule.db.schema.base import Moment, metadata
from capsule.db.schema.personal import detail, mention, owner

season_events = Table(
    "season_events",
    metadata,
    Column("month", Date, primary_key=True),
    owner("seasons.events", "happened_at", "source", primary_key=True),
    # A `capsule.seasons.model.EventKind`.
    Column("kind", String(8), primary_key=True, info=detail("kind")),
    # The id of the game, or the day of the position: nothing counts twice.
    Column("source", String(10), primary_key=True, info=detail("source")),
    # When the game ended or the position was found.
    Column("happened_at", Moment, nullable=False, info=detail("at")),
    Column("points", Integer, nullable=False, info=detail("points")),
    mention("opponent_id", stays="the opponents' points stay", nullable=True),
    Index("ix_season_events_opponent", "opponent_id", "month"),
)
"""The games and the positions of the day that may earn players points."""

season_bans = Table(
    "season_bans",
    metadata,
    Column("month", Date, primary_key=True, info=detail("", "{:%Y-%m}".format)),
    owner("seasons.banned_from", "month", primary_key=True),
)
"""The players who are off the table of a month, with what others earned against them."""

season_standings = Table(
    "season_standings",
    metadata,
    Column("month", Date, primary_key=True, info=detail("month", "{:%Y-%m}".format)),
    owner(
        "seasons.months",
        "month",
        stays="the frozen tables of past months stay, a former player's",
        primary_key=True,
    ),
    Column("points", Integer, nullable=False, info=detail("points")),
    # How many games earned them, or could have and were lost by time.
    Column("games", Integer, nullable=False, info=detail("games")),
    Column("reached_at", Moment, nullable=False, info=detail("reached")),
    # The table is sorted by this number, the highest first: see `capsule.seasons.model`.
    Column("sort_key", BigInteger, nullable=False),
    Index("ix_season_standings_table", "month", "sort_key", "player_id"),
)
"""The table of each month: who has points, and how many."""
