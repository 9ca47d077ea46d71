"""Games that begin from a position: how many of their moves nobody has played."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0021"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column; all games so far began at the start."""
    column = sa.Column("start_ply", sa.Integer, nullable=False, server_default="0")
    op.add_column("games", column)
