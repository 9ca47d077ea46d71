"""An index of the draws that are on offer, so that those offered to bots are found."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Index the games in which a draw is on offer."""
    op.create_index(
        "ix_games_draw_offered",
        "games",
        ["moved_at", "id"],
        sqlite_where=sa.text("draw_offered_by IS NOT NULL"),
        postgresql_where=sa.text("draw_offered_by IS NOT NULL"),
    )
