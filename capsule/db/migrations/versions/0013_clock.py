"""The clock."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Keep what is known about jumps of the system's clock."""
    op.create_table(
        "clock",
        sa.Column("id", sa.Integer, nullable=False, autoincrement=False),
        sa.Column("noticed_at", sa.DateTime),
        sa.Column("expected_at", sa.DateTime),
        sa.Column("confirmed_at", sa.DateTime),
        sa.PrimaryKeyConstraint("id", name="pk_clock"),
    )
    if op.get_bind().dialect.name != "sqlite":
        return
    note = "INSERT INTO changes (game_id) VALUES (NULL)"
    for event in ("INSERT", "UPDATE", "DELETE"):
        op.execute(
            f"CREATE TRIGGER clock_{event.lower()}_noted AFTER {event} ON clock BEGIN {note}; END"
        )
