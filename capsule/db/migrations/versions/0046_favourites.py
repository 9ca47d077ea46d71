"""The favourites of players."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from capsule.db.migrations.notes import note

revision = "0046"
down_revision = "0045"
branch_labels = None
depends_on = None

EVENTS = {"INSERT": "NEW", "UPDATE": "NEW", "DELETE": "OLD"}
"""The changes that triggers note, with the row that each is about."""


def upgrade() -> None:
    """Add the table; only the player's own pages show anything of it."""
    op.create_table(
        "favourites",
        sa.Column("player_id", sa.Integer, nullable=False),
        sa.Column("other_id", sa.Integer, nullable=False),
        sa.Column("since", sa.DateTime, nullable=False),
        sa.PrimaryKeyConstraint("player_id", "other_id", name="pk_favourites"),
        *(
            sa.ForeignKeyConstraint([name], ["players.id"], f"fk_favourites_{name}_players")
            for name in ("player_id", "other_id")
        ),
    )
    op.create_index("ix_favourites_other_id", "favourites", ["other_id"])
    for event, row in EVENTS.items():
        note("favourites", event, "game_id, player_id", f"VALUES ('', {row}.player_id)")
