"""The order in which games were played, by which a week's games are counted."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0032"
down_revision = "0031"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the index."""
    op.create_index(
        "ix_games_played",
        "games",
        ["moved_at", "x_player_id", "o_player_id", "variant"],
        sqlite_where=sa.text("ply > 0"),
        postgresql_where=sa.text("ply > 0"),
    )
