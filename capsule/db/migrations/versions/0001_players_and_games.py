"""Players with certificates, games and their moves.

A migration is history: it names its columns itself and imports nothing that may change later.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the first tables."""
    op.create_table(
        "secrets",
        sa.Column("name", sa.String(32), nullable=False),
        sa.Column("value", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_secrets"),
    )
    op.create_table(
        "players",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("name", sa.String(24), nullable=False),
        sa.Column("likeness", sa.String(24), nullable=False),
        sa.Column("actions", sa.Integer, nullable=False),
        sa.Column("created_at", sa.DateTime, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_players"),
        sa.UniqueConstraint("likeness", name="uq_players_likeness"),
    )
    op.create_table(
        "certificates",
        sa.Column("fingerprint", sa.String(64), nullable=False),
        sa.Column("player_id", sa.Integer, nullable=False),
        sa.Column("first_used_at", sa.DateTime, nullable=False),
        sa.PrimaryKeyConstraint("fingerprint", name="pk_certificates"),
        sa.ForeignKeyConstraint(
            ["player_id"], ["players.id"], name="fk_certificates_player_id_players"
        ),
    )
    op.create_index("ix_certificates_player_id", "certificates", ["player_id"])
    op.create_table(
        "games",
        sa.Column("id", sa.String(10), nullable=False),
        sa.Column("variant", sa.String(16), nullable=False),
        sa.Column("listed", sa.Boolean, nullable=False),
        sa.Column("x_player_id", sa.Integer),
        sa.Column("o_player_id", sa.Integer),
        sa.Column("status", sa.String(16), nullable=False),
        sa.Column("winner", sa.String(1)),
        sa.Column("x_points", sa.Float),
        sa.Column("o_points", sa.Float),
        sa.Column("ply", sa.Integer, nullable=False),
        sa.Column("turn", sa.String(1), nullable=False),
        sa.Column("turn_counter", sa.Integer, nullable=False),
        sa.Column("draw_offered_by", sa.String(1)),
        sa.Column("x_offered_at_turn", sa.Integer),
        sa.Column("o_offered_at_turn", sa.Integer),
        sa.Column("created_at", sa.DateTime, nullable=False),
        sa.Column("moved_at", sa.DateTime, nullable=False),
        sa.Column("ended_at", sa.DateTime),
        sa.PrimaryKeyConstraint("id", name="pk_games"),
        sa.ForeignKeyConstraint(
            ["x_player_id"], ["players.id"], name="fk_games_x_player_id_players"
        ),
        sa.ForeignKeyConstraint(
            ["o_player_id"], ["players.id"], name="fk_games_o_player_id_players"
        ),
    )
    op.create_index("ix_games_x_player", "games", ["x_player_id", "status", "moved_at", "id"])
    op.create_index("ix_games_o_player", "games", ["o_player_id", "status", "moved_at", "id"])
    op.create_index("ix_games_listed", "games", ["listed", "status", "moved_at", "id"])
    op.create_index(
        "ix_games_listed_variant", "games", ["listed", "variant", "status", "moved_at", "id"]
    )
    op.create_table(
        "moves",
        sa.Column("game_id", sa.String(10), nullable=False),
        sa.Column("ply", sa.Integer, nullable=False),
        sa.Column("move", sa.String(64), nullable=False),
        sa.Column("side", sa.String(1), nullable=False),
        sa.Column("played_at", sa.DateTime, nullable=False),
        sa.PrimaryKeyConstraint("game_id", "ply", name="pk_moves"),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_moves_game_id_games"),
    )
