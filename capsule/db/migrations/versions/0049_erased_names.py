"""The names of erased players, which nobody can have for a year, and an index of banned players."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from capsule.db.migrations.notes import note

revision = "0049"
down_revision = "0048"
branch_labels = None
depends_on = None

EVENTS = ("INSERT", "UPDATE", "DELETE")


def upgrade() -> None:
    """Add the table, which no page shows anything of, and the index."""
    op.create_table(
        "erased_names",
        sa.Column("look_key", sa.String(64), nullable=False),
        sa.Column("kept_until", sa.DateTime, nullable=False),
        sa.PrimaryKeyConstraint("look_key", name="pk_erased_names"),
    )
    op.create_index("ix_erased_names_kept_until", "erased_names", ["kept_until"])
    for event in EVENTS:
        note("erased_names", event, "game_id", "VALUES ('')")
    is_banned = sa.text("banned_for IS NOT NULL")
    op.create_index(
        "ix_players_banned", "players", ["id"], sqlite_where=is_banned, postgresql_where=is_banned
    )
