"""Indexes of the games that public feeds tell."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0033"
down_revision = "0032"
branch_labels = None
depends_on = None

INDEXES = (
    ("ix_games_told", "created_at id", ""),
    ("ix_games_told_variant", "variant created_at id", ""),
    ("ix_games_told_ended", "moved_at id", " AND x_points IS NOT NULL"),
    ("ix_games_told_ended_variant", "variant moved_at id", " AND x_points IS NOT NULL"),
)
"""The name of each index, its last columns, and the rest of its condition."""


def upgrade() -> None:
    """Add the indexes."""
    for name, columns, condition in INDEXES:
        op.create_index(
            name,
            "games",
            ["listed", "tournament_id", *columns.split()],
            sqlite_where=sa.text(f"listed = 1 AND tournament_id IS NULL{condition}"),
            postgresql_where=sa.text(f"listed AND tournament_id IS NULL{condition}"),
        )
