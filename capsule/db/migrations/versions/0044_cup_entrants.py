"""The numbers of the entrants of cups, and their order."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0044"
down_revision = "0043"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Count the entries of each cup, so that no page has to."""
    op.add_column("cups", sa.Column("entrants", sa.Integer, nullable=False, server_default="0"))
    op.execute(
        "UPDATE cups SET entrants ="
        " (SELECT count(*) FROM cup_entries WHERE cup_entries.month = cups.month)"
    )
    op.create_index("ix_cup_entries_entered", "cup_entries", ["month", "entered_at", "player_id"])
