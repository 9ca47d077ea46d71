"""Tournaments."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Let players announce tournaments and take part."""
    op.create_table(
        "tournaments",
        sa.Column("id", sa.String(10), nullable=False),
        sa.Column("variant", sa.String(16), nullable=False),
        sa.Column("title", sa.String(60), nullable=False),
        sa.Column("announced_by", sa.Integer, nullable=False),
        sa.Column("days_a_move", sa.Integer, nullable=False),
        sa.Column("rated", sa.Boolean, nullable=False),
        sa.Column("seats", sa.Integer, nullable=False),
        sa.Column("fill_level", sa.String(16)),
        sa.Column("starts_at", sa.DateTime),
        sa.Column("status", sa.String(16), nullable=False),
        sa.Column("changes", sa.Integer, nullable=False, server_default="0"),
        sa.Column("created_at", sa.DateTime, nullable=False),
        sa.Column("started_at", sa.DateTime),
        sa.Column("ended_at", sa.DateTime),
        sa.PrimaryKeyConstraint("id", name="pk_tournaments"),
        sa.ForeignKeyConstraint(
            ["announced_by"], ["players.id"], name="fk_tournaments_announced_by_players"
        ),
    )
    op.create_index("ix_tournaments_announced_by", "tournaments", ["announced_by"])
    op.create_index("ix_tournaments_status", "tournaments", ["status", "created_at", "id"])
    op.create_index("ix_tournaments_announced", "tournaments", ["created_at", "id"])
    op.create_index("ix_tournaments_variant", "tournaments", ["variant", "created_at", "id"])
    op.create_table(
        "tournament_seats",
        sa.Column("tournament_id", sa.String(10), nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("player_id", sa.Integer),
        sa.Column("bot", sa.String(16)),
        sa.Column("taken_at", sa.DateTime, nullable=False),
        sa.Column("left_at", sa.DateTime),
        sa.Column("results_count", sa.Boolean, nullable=False, server_default=sa.true()),
        sa.PrimaryKeyConstraint("tournament_id", "number", name="pk_tournament_seats"),
        sa.ForeignKeyConstraint(
            ["tournament_id"],
            ["tournaments.id"],
            name="fk_tournament_seats_tournament_id_tournaments",
        ),
        sa.ForeignKeyConstraint(
            ["player_id"], ["players.id"], name="fk_tournament_seats_player_id_players"
        ),
    )
    op.create_index("ix_tournament_seats_player_id", "tournament_seats", ["player_id"])
    for holder, column in (("player", "player_id"), ("bot", "bot")):
        op.create_index(
            f"ix_tournament_seats_one_{holder}",
            "tournament_seats",
            ["tournament_id", column],
            unique=True,
        )
    op.execute(
        "ALTER TABLE games ADD COLUMN tournament_id VARCHAR(10)"
        " CONSTRAINT fk_games_tournament_id_tournaments REFERENCES tournaments (id)"
    )
    op.create_index("ix_games_tournament", "games", ["tournament_id", "status"])
