"""The languages of players."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0048"
down_revision = "0047"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the setting: whoever is a player by now reads English."""
    op.add_column(
        "players", sa.Column("language", sa.String(8), nullable=False, server_default="en")
    )
