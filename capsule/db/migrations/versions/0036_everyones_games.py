"""Everyone's games, and the votes for their moves."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from capsule.db.migrations.notes import note

revision = "0036"
down_revision = "0035"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column and the tables."""
    op.add_column("games", sa.Column("everyones_side", sa.String(1)))
    op.create_table(
        "everyones_games",
        sa.Column("number", sa.Integer, nullable=False, autoincrement=False),
        sa.Column("game_id", sa.String(10), nullable=False),
        sa.Column("won", sa.Integer, nullable=False),
        sa.Column("drawn", sa.Integer, nullable=False),
        sa.Column("lost", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("number", name="pk_everyones_games"),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_everyones_games_game_id_games"),
    )
    op.create_index("ix_everyones_games_game", "everyones_games", ["game_id"], unique=True)
    op.create_table(
        "everyones_votes",
        sa.Column("game_id", sa.String(10), nullable=False),
        sa.Column("ply", sa.Integer, nullable=False, autoincrement=False),
        sa.Column("player_id", sa.Integer, nullable=False),
        sa.Column("move", sa.String(64), nullable=False),
        sa.Column("cast_at", sa.DateTime, nullable=False),
        sa.Column("changes", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("game_id", "ply", "player_id", name="pk_everyones_votes"),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_everyones_votes_game_id_games"),
        sa.ForeignKeyConstraint(
            ["player_id"], ["players.id"], name="fk_everyones_votes_player_id_players"
        ),
    )
    op.create_index("ix_everyones_votes_player", "everyones_votes", ["player_id"])
    for event in ("INSERT", "UPDATE", "DELETE"):
        row = "OLD" if event == "DELETE" else "NEW"
        note("everyones_games", event, "game_id", "VALUES (NULL)")
        note("everyones_votes", event, "game_id", f"VALUES ({row}.game_id)")
