"""What a private feed leaves out, when offers were made, and tournaments by their end."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Let feeds tell of offers and of how tournaments ended, and players choose what is told."""
    op.add_column(
        "players", sa.Column("untold_news", sa.String(120), nullable=False, server_default="")
    )
    op.add_column("games", sa.Column("draw_offered_at", sa.DateTime))
    op.add_column("games", sa.Column("takeback_asked_at", sa.DateTime))
    op.create_index("ix_tournaments_ended", "tournaments", ["status", "ended_at", "id"])
    op.create_index(
        "ix_tournaments_ended_variant", "tournaments", ["variant", "status", "ended_at", "id"]
    )
