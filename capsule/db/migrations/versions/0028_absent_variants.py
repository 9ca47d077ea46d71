"""Variants whose plug-in is not loaded any more."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0028"
down_revision = "0027"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the table and, in SQLite, drop every cached page when it changes."""
    op.create_table(
        "absent_variants",
        sa.Column("variant", sa.String(16), nullable=False),
        sa.Column("since", sa.DateTime, nullable=False),
        sa.PrimaryKeyConstraint("variant", name="pk_absent_variants"),
    )
    if op.get_bind().dialect.name != "sqlite":
        return
    note = "INSERT INTO changes (game_id) VALUES (NULL)"
    for event in ("INSERT", "UPDATE", "DELETE"):
        op.execute(
            f"CREATE TRIGGER absent_variants_{event.lower()}_noted AFTER {event} "
            f"ON absent_variants BEGIN {note}; END"
        )
