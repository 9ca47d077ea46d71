"""Terms, challenges, takebacks and rematches, vacations, and what players will answer."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

# With a foreign key in the column itself, which SQLite can add to a table without copying it.
_ADD_REFERENCE = (
    "ALTER TABLE games ADD COLUMN {0} {1} CONSTRAINT fk_games_{0}_{2} REFERENCES {2} (id)"
)


def upgrade() -> None:
    """Give games their terms, and players their vacations and plans."""
    op.add_column("games", sa.Column("days_a_move", sa.Integer))
    op.add_column(
        "games",
        sa.Column("lists_when_joined", sa.Boolean, nullable=False, server_default=sa.false()),
    )
    op.add_column("games", sa.Column("takeback_asked_by", sa.String(1)))
    op.execute(_ADD_REFERENCE.format("challenged_player_id", "INTEGER", "players"))
    op.execute(_ADD_REFERENCE.format("previous_id", "VARCHAR(10)", "games"))
    op.execute(_ADD_REFERENCE.format("next_id", "VARCHAR(10)", "games"))
    op.create_index(
        "ix_games_challenged", "games", ["challenged_player_id", "status", "moved_at", "id"]
    )
    for name, columns in (
        ("ix_games_clock", ["status", "days_a_move", "moved_at", "id"]),
        ("ix_games_lapse", ["status", "listed", "created_at", "id"]),
    ):
        op.create_index(
            name,
            "games",
            columns,
            sqlite_where=sa.text("ended_at IS NULL"),
            postgresql_where=sa.text("ended_at IS NULL"),
        )
    op.create_table(
        "vacations",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("player_id", sa.Integer, nullable=False),
        sa.Column("begins_at", sa.DateTime, nullable=False),
        sa.Column("ends_at", sa.DateTime, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_vacations"),
        sa.ForeignKeyConstraint(
            ["player_id"], ["players.id"], name="fk_vacations_player_id_players"
        ),
    )
    op.create_index("ix_vacations_player", "vacations", ["player_id", "ends_at"])
    op.create_table(
        "plans",
        sa.Column("game_id", sa.String(10), nullable=False),
        sa.Column("side", sa.String(1), nullable=False),
        sa.Column("content", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("game_id", "side", name="pk_plans"),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_plans_game_id_games"),
    )
