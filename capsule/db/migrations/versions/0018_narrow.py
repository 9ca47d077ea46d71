"""A setting for narrow screens."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Let players have everything within forty columns."""
    # Players' rows have noted their changes since the table of changes was made.
    op.add_column(
        "players", sa.Column("narrow", sa.Boolean, nullable=False, server_default=sa.false())
    )
