"""Answers tried to puzzles."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from capsule.db.migrations.notes import note

revision = "0035"
down_revision = "0034"
branch_labels = None
depends_on = None

EVENTS = {"INSERT": "NEW", "UPDATE": "NEW", "DELETE": "OLD"}


def upgrade() -> None:
    """Add the table, with the first answers so far."""
    op.create_table(
        "puzzle_tries",
        sa.Column("player_id", sa.Integer, nullable=False),
        sa.Column("variant", sa.String(16), nullable=False),
        sa.Column("number", sa.Integer, nullable=False, autoincrement=False),
        sa.Column("move", sa.String(64), nullable=False),
        sa.ForeignKeyConstraint(
            ["player_id"], ["players.id"], name="fk_puzzle_tries_player_id_players"
        ),
        sa.PrimaryKeyConstraint("player_id", "variant", "number", "move", name="pk_puzzle_tries"),
    )
    op.execute(
        "INSERT INTO puzzle_tries (player_id, variant, number, move)"
        " SELECT player_id, variant, number, move FROM puzzle_answers WHERE move IS NOT NULL"
    )
    for event, row in EVENTS.items():
        note("puzzle_tries", event, "game_id, player_id", f"VALUES ('', {row}.player_id)")
