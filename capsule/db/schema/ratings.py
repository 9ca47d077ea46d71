"""Tables of ratings and seasons."""

import sqlalchemy as sa

from capsule.db.schema.base import Moment, reference, table, text
from capsule.db.schema.personal import detail, left_out, mention, owner

ratings = table(
    "ratings",
    sa.Column("id", sa.Integer, primary_key=True),
    text("variant", 16),
    # Whose it is: a player's, or that of the bot of a level.
    owner("ratings", nullable=True),
    sa.Column("bot", sa.String(16)),
    # The mean and the standard deviation of the skill, as openskill defines them.
    sa.Column("mu", sa.Float, nullable=False),
    sa.Column("sigma", sa.Float, nullable=False),
    sa.Column("games", sa.Integer, nullable=False),
    # How many different opponents it has met, up to those that it needs; None where it needs none.
    sa.Column("opponents", sa.Integer),
    sa.Column("changed_at", Moment, nullable=False),
    sa.CheckConstraint("(player_id IS NULL) <> (bot IS NULL)", name="ck_ratings_one_holder"),
    sa.Index("ix_ratings_player", "player_id", "variant", unique=True),
    sa.Index("ix_ratings_bot", "bot", "variant", unique=True),
    # Ranks are counted in this index alone: it has every column that counting needs.
    sa.Index(
        "ix_ratings_ladder",
        *("variant", "mu", "id", "sigma", "games", "opponents", "changed_at", "player_id"),
    ),
)
"""The current rating of each player and bot in each variant."""

first_ratings = table(
    "first_ratings",
    sa.Column("variant", sa.String(16), primary_key=True),
    sa.Column("bot", sa.String(16), primary_key=True),
    sa.Column("mu", sa.Float, nullable=False),
    sa.Column("sigma", sa.Float, nullable=False),
)
"""The ratings with which bots have begun, or will because the operator has measured them.

Those of bots that have played for a rating stay: all later ratings follow from them and the games.
"""

former_bots = table(
    "former_bots",
    sa.Column("variant", sa.String(16), primary_key=True),
    sa.Column("bot", sa.String(16), primary_key=True),
    # The number of the last game that could count for it, as in the games' `rating_number`.
    sa.Column("last_number", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("mu", sa.Float, nullable=False),
    sa.Column("sigma", sa.Float, nullable=False),
)
"""The bots that others of their levels have replaced, with the ratings with which they began.

A level whose strength changes begins a new rating: the migration that comes with the change adds a
row here for each bot that has one, and deletes its current and its first rating.
"""

rating_changes = table(
    "rating_changes",
    reference("game_id", primary_key=True),
    sa.Column("side", sa.String(1), primary_key=True),
    text("variant", 16),
    owner("ratings", nullable=True),
    sa.Column("bot", sa.String(16)),
    # The game's `rating_number`, by which a history is sorted.
    sa.Column("number", sa.Integer, nullable=False),
    sa.Column("mu", sa.Float, nullable=False),
    sa.Column("sigma", sa.Float, nullable=False),
    # As in the ratings; also None for games from before it was counted.
    sa.Column("opponents", sa.Integer),
    sa.Index("ix_rating_changes_player", "player_id", "variant", "number", "mu", "sigma"),
    sa.Index("ix_rating_changes_bot", "bot", "variant", "number", "mu", "sigma"),
)
"""The rating of each side after each game that counted."""

counters = table(
    "counters",
    sa.Column("name", sa.String(16), primary_key=True),
    sa.Column("value", sa.Integer, nullable=False),
)
"""Counters that give out numbers one by one: a transaction that raises one makes others wait."""


season_events = table(
    "season_events",
    sa.Column("month", sa.Date, primary_key=True),
    owner("seasons.events", "happened_at", "source", primary_key=True),
    # A `capsule.seasons.model.EventKind`.
    sa.Column("kind", sa.String(8), primary_key=True, info=detail("kind")),
    # The id of the game, or the day of the position: nothing counts twice.
    sa.Column("source", sa.String(10), primary_key=True, info=detail("source")),
    # When the game ended or the position was found.
    sa.Column("happened_at", Moment, nullable=False, info=detail("at")),
    sa.Column("points", sa.Integer, nullable=False, info=detail("points")),
    mention("opponent_id", stays="the opponents' points stay", nullable=True),
    sa.Index("ix_season_events_opponent", "opponent_id", "month"),
)
"""The games and the positions of the day that may earn players points."""

season_bans = table(
    "season_bans",
    sa.Column("month", sa.Date, primary_key=True, info=detail("", "{:%Y-%m}".format)),
    owner("seasons.banned_from", "month", primary_key=True),
)
"""The players who are off the table of a month, with what others earned against them."""

season_standings = table(
    "season_standings",
    sa.Column("month", sa.Date, primary_key=True, info=detail("month", "{:%Y-%m}".format)),
    owner(
        "seasons.months",
        "month",
        stays="the frozen tables of past months stay, a former player's",
        primary_key=True,
    ),
    sa.Column("points", sa.Integer, nullable=False, info=detail("points")),
    # How many games earned them, or could have and were lost by time.
    sa.Column("games", sa.Integer, nullable=False, info=detail("games")),
    sa.Column("reached_at", Moment, nullable=False, info=detail("reached")),
    # The table is sorted by this number, the highest first: see `capsule.seasons.model`.
    sa.Column("sort_key", sa.BigInteger, nullable=False, info=left_out("by the points")),
    sa.Index("ix_season_standings_table", "month", "sort_key", "player_id"),
)
"""The table of each month: who has points, and how many."""
