"""The index of the games that two people have played against each other."""

from __future__ import annotations

from alembic import op
from sqlalchemy import text

revision = "0041"
down_revision = "0040"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the index."""
    where = text("x_points IS NOT NULL AND x_player_id <> o_player_id")
    op.create_index(
        "ix_games_between",
        "games",
        ["x_player_id", "o_player_id", "moved_at", "variant", "winner", "x_points"],
        sqlite_where=where,
        postgresql_where=where,
    )
