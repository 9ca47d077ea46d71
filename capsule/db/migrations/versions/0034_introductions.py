"""What players say about themselves: a line and a website."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from capsule.db.migrations.notes import note

revision = "0034"
down_revision = "0033"
branch_labels = None
depends_on = None

EVENTS = {"INSERT": "NEW", "UPDATE": "NEW", "DELETE": "OLD"}
"""The changes that triggers note, with the row that each is about."""


def upgrade() -> None:
    """Add the table; no page that is kept shows anything of it, apart from the player's own."""
    op.create_table(
        "introductions",
        sa.Column("player_id", sa.Integer, nullable=False, autoincrement=False),
        sa.Column("line", sa.String(120), nullable=False, server_default=""),
        sa.Column("website", sa.String(200), nullable=False, server_default=""),
        sa.PrimaryKeyConstraint("player_id", name="pk_introductions"),
        sa.ForeignKeyConstraint(
            ["player_id"], ["players.id"], name="fk_introductions_player_id_players"
        ),
    )
    for event, row in EVENTS.items():
        note("introductions", event, "game_id, player_id", f"VALUES ('', {row}.player_id)")
