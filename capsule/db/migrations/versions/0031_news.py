"""News."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from capsule.db.migrations.notes import note

revision = "0031"
down_revision = "0030"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the table."""
    op.create_table(
        "news",
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("text", sa.String(280), nullable=False),
        sa.Column("published_at", sa.DateTime, nullable=False),
        sa.PrimaryKeyConstraint("number", name="pk_news"),
        sqlite_autoincrement=True,
    )
    # Pages of games show no news.
    for event in ("INSERT", "UPDATE", "DELETE"):
        note("news", event, "game_id", "VALUES ('news')")
