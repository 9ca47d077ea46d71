"""Why games ended without a result."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0050"
down_revision = "0049"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns: for games that have ended by now, nobody knows."""
    op.add_column("games", sa.Column("end_reason", sa.String(16)))
    op.add_column("games", sa.Column("ended_by", sa.String(1)))
