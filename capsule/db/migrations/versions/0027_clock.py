"""The newest time seen."""

from __future__ import annotations

from datetime import datetime

import sqlalchemy as sa
from alembic import op

from capsule.db.migrations.notes import note

revision = "0027"
down_revision = "0026"
branch_labels = None
depends_on = None

BEFORE_ALL = datetime(1970, 1, 1)  # noqa: DTZ001 - stored as UTC without a zone

before = sa.table("clock", sa.column("expected_at", sa.DateTime))


def upgrade() -> None:
    """Replace what was known of jumps by the newest time that a trusted clock has shown."""
    connection = op.get_bind()
    expected_at = connection.execute(sa.select(before.c.expected_at)).scalar_one_or_none()
    op.drop_table("clock")
    clock = op.create_table(
        "clock",
        sa.Column("id", sa.Integer, nullable=False, autoincrement=False),
        sa.Column("seen_at", sa.DateTime, nullable=False),
        sa.Column("boot", sa.String(36), nullable=False),
        sa.Column("seconds", sa.Float, nullable=False),
        sa.Column("was_ahead", sa.Boolean, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_clock"),
    )
    # A jump that nobody has confirmed stays one.
    seen = {"seen_at": expected_at or BEFORE_ALL, "was_ahead": expected_at is not None}
    op.bulk_insert(clock, [{"id": 1, "boot": "", "seconds": 0.0, **seen}])
    for event in ("INSERT", "UPDATE", "DELETE"):
        # No page shows the clock, so cached pages stay.
        note("clock", event, "game_id", "VALUES ('')")
