"""Published notes on games."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from capsule.db.migrations.notes import note

revision = "0043"
down_revision = "0042"
branch_labels = None
depends_on = None

EVENTS = {"INSERT": "NEW", "UPDATE": "NEW", "DELETE": "OLD"}


def upgrade() -> None:
    """Add the columns of notes, which are private so far, the table, and what reports need."""
    op.add_column("notes", sa.Column("ply", sa.Integer))
    op.add_column(
        "notes", sa.Column("published", sa.Boolean, nullable=False, server_default=sa.false())
    )
    op.add_column("reports", sa.Column("annotation_number", sa.Integer))
    op.create_table(
        "annotated_games",
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("game_id", sa.String(10), nullable=False),
        sa.Column("player_id", sa.Integer, nullable=False),
        sa.Column("published_at", sa.DateTime, nullable=False),
        sa.Column("listed", sa.Boolean, nullable=False),
        sa.Column("shown", sa.Boolean, nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_annotated_games_game_id_games"),
        sa.ForeignKeyConstraint(
            ["player_id"], ["players.id"], name="fk_annotated_games_player_id_players"
        ),
        sa.PrimaryKeyConstraint("number", name="pk_annotated_games"),
        sqlite_autoincrement=True,
    )
    op.create_index(
        "ix_annotated_games_game", "annotated_games", ["game_id", "player_id"], unique=True
    )
    op.create_index("ix_annotated_games_listed", "annotated_games", ["listed", "shown", "number"])
    op.create_index("ix_annotated_games_player", "annotated_games", ["player_id", "published_at"])
    for event, row in EVENTS.items():
        note("annotated_games", event, "game_id", f"VALUES ({row}.game_id)")
