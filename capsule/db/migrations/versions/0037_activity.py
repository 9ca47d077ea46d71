"""The day on which players were last here."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0037"
down_revision = "0036"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns and the index; nothing is shown of players before they have been told."""
    op.add_column(
        "players",
        sa.Column("shows_activity", sa.Boolean, nullable=False, server_default=sa.true()),
    )
    op.add_column("players", sa.Column("active_on", sa.Date))
    op.add_column("players", sa.Column("activity_shown_from", sa.Date))
    is_active = sa.text("active_on IS NOT NULL")
    op.create_index(
        "ix_players_active",
        "players",
        ["active_on", "id"],
        sqlite_where=is_active,
        postgresql_where=is_active,
    )
