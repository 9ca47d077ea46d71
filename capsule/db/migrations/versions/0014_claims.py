"""Claims on work that is to be done once."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Let processes and machines that share the database share out work."""
    op.create_table(
        "claims",
        sa.Column("name", sa.String(64), nullable=False),
        sa.Column("holder", sa.String(32), nullable=False),
        sa.Column("expires_at", sa.DateTime, nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_claims"),
    )
    if op.get_bind().dialect.name != "sqlite":
        return
    for event in ("insert", "update", "delete"):
        # No page tells of a claim, so pages that are kept stay.
        op.execute(
            f"CREATE TRIGGER claims_{event}_noted AFTER {event.upper()} ON claims "  # noqa: S608 - constants
            "BEGIN INSERT INTO changes (game_id) VALUES (''); END"
        )
