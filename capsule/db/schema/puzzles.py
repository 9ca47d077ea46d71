"""The tables of puzzles: what players answered, the days they solved, and the ratings."""

import sqlalchemy as sa

from capsule.db.schema.base import Moment, flag, partial_index, reference, table
from capsule.db.schema.personal import detail, left_out, owner

puzzle_answers = table(
    "puzzle_answers",
    owner("puzzles.answers", primary_key=True),
    # The puzzle: its game, and its number among the puzzles of that game.
    sa.Column("variant", sa.String(16), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
    # Whether the player asked for a hint before the first answer, which then does not count.
    flag("had_hint"),
    # The first answer; all three are None while there is none.
    sa.Column("move", sa.String(64), info=left_out("the answer has it")),
    sa.Column("is_right", sa.Boolean),
    sa.Column("answered_at", Moment),
    # When it was first solved, by whichever answer.
    sa.Column("solved_at", Moment),
    # When a player who had not found the solution was shown it: it counts as not found.
    sa.Column("shown_at", Moment),
    # The player's rating after the first answer, and the means of both before it; None if the
    # answer did not count.
    sa.Column("mu_before", sa.Float),
    sa.Column("mu", sa.Float),
    sa.Column("sigma", sa.Float),
    sa.Column("puzzle_mu", sa.Float),
)
"""Each player's record on each puzzle that they have begun."""

puzzle_tries = table(
    "puzzle_tries",
    owner("puzzles.tries", "variant", "number", "move", primary_key=True),
    sa.Column("variant", sa.String(16), primary_key=True, info=detail("variant")),
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=False, info=detail("number")),
    sa.Column("move", sa.String(64), primary_key=True, info=detail("answer")),
)
"""The different answers that players tried until they found the right one or were shown it."""

daily_solutions = table(
    "daily_solutions",
    owner("puzzles.days", "day", primary_key=True),
    # In UTC, like all days.
    sa.Column("day", sa.Date, primary_key=True, info=detail("day")),
    sa.Column("solved_at", Moment, nullable=False, info=detail("solved")),
    # Set if the player had not known the solution, until the point for the season is stored.
    flag("season_due", info=left_out("the season has it soon")),
    sa.Index("ix_daily_solutions_day", "day"),
    partial_index("ix_daily_solutions_season_due", "player_id day", where="{season_due}"),
)
"""The days on which players have solved the position of that day."""

mistake_solutions = table(
    "mistake_solutions",
    owner("puzzles.mistakes", "solved_at", "ply", primary_key=True),
    # The move with this number in a game of the player's own was a mistake.
    reference("game_id", primary_key=True, info=detail("game")),
    sa.Column("ply", sa.Integer, primary_key=True, autoincrement=False, info=detail("move")),
    sa.Column("solved_at", Moment, nullable=False, info=detail("solved")),
)
"""The mistakes for which players have found a better move since."""

solver_ratings = table(
    "solver_ratings",
    owner("puzzles.rating", primary_key=True),
    # As in `capsule.db.schema.ratings`.
    sa.Column("mu", sa.Float, nullable=False),
    sa.Column("sigma", sa.Float, nullable=False),
    sa.Column("answers", sa.Integer, nullable=False),
    sa.Column("changed_at", Moment, nullable=False),
)

puzzle_ratings = table(
    "puzzle_ratings",
    sa.Column("variant", sa.String(16), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("mu", sa.Float, nullable=False),
    sa.Column("sigma", sa.Float, nullable=False),
    sa.Column("answers", sa.Integer, nullable=False),
    sa.Column("changed_at", Moment, nullable=False),
)
"""Ratings of the puzzles for which an answer has counted; others have that of their grade."""
