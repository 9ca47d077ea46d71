"""Variants whose plug-in is not loaded any more."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from capsule.db.migrations.notes import note

revision = "0028"
down_revision = "0027"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the table, which drops every cached page when it changes."""
    op.create_table(
        "absent_variants",
        sa.Column("variant", sa.String(16), nullable=False),
        sa.Column("since", sa.DateTime, nullable=False),
        sa.PrimaryKeyConstraint("variant", name="pk_absent_variants"),
    )
    for event in ("INSERT", "UPDATE", "DELETE"):
        note("absent_variants", event, "game_id", "VALUES (NULL)")
