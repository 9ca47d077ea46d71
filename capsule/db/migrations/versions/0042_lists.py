"""Settings and terms that say which games are listed."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0042"
down_revision = "0041"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns; games that wait for a player keep their terms."""
    for table, name, default in (
        ("players", "lists_games", sa.true()),
        ("players", "lists_bot_games", sa.false()),
        ("games", "lists_with_bots", sa.false()),
    ):
        op.add_column(table, sa.Column(name, sa.Boolean, nullable=False, server_default=default))
    op.execute(
        "UPDATE games SET lists_with_bots = true"
        " WHERE lists_when_joined AND status IN ('waiting', 'challenged')"
    )
