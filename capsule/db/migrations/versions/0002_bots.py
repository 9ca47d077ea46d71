"""Bots in the seats, and what they work out."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Give games their bots."""
    op.add_column("games", sa.Column("x_bot", sa.String(16)))
    op.add_column("games", sa.Column("o_bot", sa.String(16)))
    op.add_column(
        "games", sa.Column("bot_to_move", sa.Boolean, nullable=False, server_default=sa.false())
    )
    op.add_column("games", sa.Column("hints", sa.Integer, nullable=False, server_default="0"))
    op.add_column(
        "games", sa.Column("analysis_due", sa.Boolean, nullable=False, server_default=sa.false())
    )
    op.create_table(
        "analyses",
        sa.Column("game_id", sa.String(10), nullable=False),
        sa.Column("content", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("game_id", name="pk_analyses"),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_analyses_game_id_games"),
    )
    op.create_index(
        "ix_games_analysis_due",
        "games",
        ["ended_at", "id"],
        sqlite_where=sa.text("analysis_due = 1"),
        postgresql_where=sa.text("analysis_due"),
    )
    op.create_index(
        "ix_games_bot_to_move",
        "games",
        ["moved_at", "id"],
        sqlite_where=sa.text("bot_to_move = 1"),
        postgresql_where=sa.text("bot_to_move"),
    )
