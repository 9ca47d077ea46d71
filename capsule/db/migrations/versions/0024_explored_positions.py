"""Positions of the first moves, and how often they were reached in listed games."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0024"
down_revision = "0023"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the table, and to games whether they are counted in it: so far none is."""
    op.create_table(
        "explored_positions",
        sa.Column("position", sa.BigInteger, nullable=False, autoincrement=False),
        sa.Column("move", sa.String(64), nullable=False),
        sa.Column("people", sa.Integer, nullable=False),
        sa.Column("people_points", sa.Float, nullable=False),
        sa.Column("bots", sa.Integer, nullable=False),
        sa.Column("bots_points", sa.Float, nullable=False),
        sa.Column("x_value", sa.Float),
        sa.PrimaryKeyConstraint("position", "move", name="pk_explored_positions"),
        sqlite_with_rowid=False,
    )
    # No trigger notes what changes there: a game is always noted with it.
    op.add_column(
        "games", sa.Column("explored", sa.Boolean, nullable=False, server_default=sa.false())
    )
    condition = sa.text("x_points IS NOT NULL AND listed <> explored")
    op.create_index(
        "ix_games_explorer_due",
        "games",
        ["id"],
        sqlite_where=condition,
        postgresql_where=condition,
    )
