"""The tables of puzzles: what players answered, the days they solved, and the ratings."""

from sqlalchemy import Boolean, Column, Date, Float, ForeignKey, Index, Integer, String, Table

from capsule.db.schema.base import Moment, flag, metadata, partial_index
from capsule.db.schema.personal import detail, left_out, owner

puzzle_answers = Table(
    "puzzle_answers",
    metadata,
    owner("puzzles.answers", primary_key=True),
    # The puzzle: its game, and its number among the puzzles of that game.
    Column("variant", String(16), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    # Whether the player asked for a hint before the first answer, which then does not count.
    flag("had_hint"),
    # The first answer; all three are None while there is none.
    Column("move", String(64), info=left_out("the answer has it")),
    Column("is_right", Boolean),
    Column("answered_at", Moment),
    # When it was first solved, by whichever answer.
    Column("solved_at", Moment),
    # When a player who had not found the solution was shown it: it counts as not found.
    Column("shown_at", Moment),
    # The player's rating after the first answer, and the means of both before it; None if the
    # answer did not count.
    Column("mu_before", Float),
    Column("mu", Float),
    Column("sigma", Float),
    Column("puzzle_mu", Float),
)
"""Each player's record on each puzzle that they have begun."""

puzzle_tries = Table(
    "puzzle_tries",
    metadata,
    owner("puzzles.tries", "variant", "number", "move", primary_key=True),
    Column("variant", String(16), primary_key=True, info=detail("variant")),
    Column("number", Integer, primary_key=True, autoincrement=False, info=detail("number")),
    Column("move", String(64), primary_key=True, info=detail("answer")),
)
"""The different answers that players tried until they found the right one or were shown it."""

daily_solutions = Table(
    "daily_solutions",
    metadata,
    owner("puzzles.days", "day", primary_key=True),
    # In UTC, like all days.
    Column("day", Date, primary_key=True, info=detail("day")),
    Column("solved_at", Moment, nullable=False, info=detail("solved")),
    # Set if the player had not known the solution, until the point for the season is stored.
    flag("season_due"),
    Index("ix_daily_solutions_day", "day"),
    partial_index("ix_daily_solutions_season_due", "player_id", "day", where="{season_due}"),
)
"""The days on which players have solved the position of that day."""

mistake_solutions = Table(
    "mistake_solutions",
    metadata,
    owner("puzzles.mistakes", "solved_at", "ply", primary_key=True),
    # The move with this number in a game of the player's own was a mistake.
    Column("game_id", ForeignKey("games.id"), primary_key=True, info=detail("game")),
    Column("ply", Integer, primary_key=True, autoincrement=False, info=detail("move")),
    Column("solved_at", Moment, nullable=False, info=detail("solved")),
)
"""The mistakes for which players have found a better move since."""

solver_ratings = Table(
    "solver_ratings",
    metadata,
    owner("puzzles.rating", primary_key=True),
    # As in `capsule.db.schema.ratings`.
    Column("mu", Float, nullable=False),
    Column("sigma", Float, nullable=False),
    Column("answers", Integer, nullable=False),
    Column("changed_at", Moment, nullable=False),
)
"""Players' ratings as solvers of puzzles."""

puzzle_ratings = Table(
    "puzzle_ratings",
    metadata,
    Column("variant", String(16), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("mu", Float, nullable=False),
    Column("sigma", Float, nullable=False),
    Column("answers", Integer, nullable=False),
    Column("changed_at", Moment, nullable=False),
)
"""Ratings of the puzzles for which an answer has counted; others have that of their grade."""
