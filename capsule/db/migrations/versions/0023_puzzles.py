"""Answers to puzzles, the days on which the position of the day was solved, and ratings."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0023"
down_revision = "0022"
branch_labels = None
depends_on = None

NOTES = {
    "puzzle_answers": ("''", "{row}.player_id"),
    "daily_solutions": ("'daily'", "{row}.player_id"),
    "mistake_solutions": ("''", "{row}.player_id"),
    "solver_ratings": ("''", "{row}.player_id"),
    "puzzle_ratings": ("''", "NULL"),
}
"""What a change of each table concerns: a subject besides the player, and the player.

How many have solved it is told on everybody's page of the day, and what a puzzle's rating is on
nobody's.
"""


def upgrade() -> None:
    """Make the tables and, in SQLite, a trigger for each change of each of them."""
    op.create_table(
        "puzzle_answers",
        sa.Column("player_id", sa.Integer, nullable=False),
        sa.Column("variant", sa.String(16), nullable=False),
        sa.Column("number", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("had_hint", sa.Boolean, server_default=sa.false(), nullable=False),
        sa.Column("move", sa.String(64)),
        sa.Column("is_right", sa.Boolean),
        sa.Column("answered_at", sa.DateTime),
        sa.Column("solved_at", sa.DateTime),
        sa.Column("mu_before", sa.Float),
        sa.Column("mu", sa.Float),
        sa.Column("sigma", sa.Float),
        sa.Column("puzzle_mu", sa.Float),
        sa.ForeignKeyConstraint(
            ["player_id"], ["players.id"], name="fk_puzzle_answers_player_id_players"
        ),
        sa.PrimaryKeyConstraint("player_id", "variant", "number", name="pk_puzzle_answers"),
    )
    op.create_table(
        "daily_solutions",
        sa.Column("player_id", sa.Integer, nullable=False),
        sa.Column("day", sa.Date, nullable=False),
        sa.Column("solved_at", sa.DateTime, nullable=False),
        sa.ForeignKeyConstraint(
            ["player_id"], ["players.id"], name="fk_daily_solutions_player_id_players"
        ),
        sa.PrimaryKeyConstraint("player_id", "day", name="pk_daily_solutions"),
    )
    op.create_index("ix_daily_solutions_day", "daily_solutions", ["day"])
    op.create_table(
        "mistake_solutions",
        sa.Column("player_id", sa.Integer, nullable=False),
        sa.Column("game_id", sa.String(10), nullable=False),
        sa.Column("ply", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("solved_at", sa.DateTime, nullable=False),
        sa.ForeignKeyConstraint(
            ["player_id"], ["players.id"], name="fk_mistake_solutions_player_id_players"
        ),
        sa.ForeignKeyConstraint(
            ["game_id"], ["games.id"], name="fk_mistake_solutions_game_id_games"
        ),
        sa.PrimaryKeyConstraint("player_id", "game_id", "ply", name="pk_mistake_solutions"),
    )
    op.create_table(
        "solver_ratings",
        sa.Column("player_id", sa.Integer, nullable=False),
        *_rating_columns(),
        sa.ForeignKeyConstraint(
            ["player_id"], ["players.id"], name="fk_solver_ratings_player_id_players"
        ),
        sa.PrimaryKeyConstraint("player_id", name="pk_solver_ratings"),
    )
    op.create_table(
        "puzzle_ratings",
        sa.Column("variant", sa.String(16), nullable=False),
        sa.Column("number", sa.Integer, autoincrement=False, nullable=False),
        *_rating_columns(),
        sa.PrimaryKeyConstraint("variant", "number", name="pk_puzzle_ratings"),
    )
    if op.get_bind().dialect.name != "sqlite":
        return
    for table, (subject, player) in NOTES.items():
        for event, row in (("INSERT", "NEW"), ("UPDATE", "NEW"), ("DELETE", "OLD")):
            values = f"{subject}, {player.format(row=row)}"
            note = f"INSERT INTO changes (game_id, player_id) VALUES ({values})"  # noqa: S608 - constants
            op.execute(
                f"CREATE TRIGGER {table}_{event.lower()}_noted AFTER {event} ON {table} "
                f"BEGIN {note}; END"
            )


def _rating_columns() -> tuple[sa.Column[Any], ...]:
    return (
        sa.Column("mu", sa.Float, nullable=False),
        sa.Column("sigma", sa.Float, nullable=False),
        sa.Column("answers", sa.Integer, nullable=False),
        sa.Column("changed_at", sa.DateTime, nullable=False),
    )
