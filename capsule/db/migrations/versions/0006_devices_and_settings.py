"""Certificates with labels and dates, codes that add one, and how players want their pages."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Give certificates what their list shows, and players their settings."""
    op.add_column(
        "certificates", sa.Column("label", sa.String(40), nullable=False, server_default="")
    )
    op.add_column("certificates", sa.Column("last_used_at", sa.DateTime))
    op.add_column("certificates", sa.Column("valid_until", sa.DateTime))
    op.execute("UPDATE certificates SET last_used_at = first_used_at")
    op.create_table(
        "device_codes",
        sa.Column("selector", sa.String(8), nullable=False),
        sa.Column("player_id", sa.Integer, nullable=False),
        sa.Column("made_at", sa.DateTime, nullable=False),
        sa.Column("tries_left", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("selector", name="pk_device_codes"),
        sa.ForeignKeyConstraint(
            ["player_id"], ["players.id"], name="fk_device_codes_player_id_players"
        ),
        sa.UniqueConstraint("player_id", name="uq_device_codes_player_id"),
    )
    op.add_column(
        "players",
        sa.Column("unicode_boards", sa.Boolean, nullable=False, server_default=sa.false()),
    )
    op.add_column(
        "players", sa.Column("rulers", sa.Boolean, nullable=False, server_default=sa.true())
    )
    op.add_column(
        "players", sa.Column("words_first", sa.Boolean, nullable=False, server_default=sa.false())
    )
    op.add_column(
        "players", sa.Column("time_zone", sa.String(64), nullable=False, server_default="UTC")
    )
    op.add_column(
        "players", sa.Column("takes_messages", sa.Boolean, nullable=False, server_default=sa.true())
    )
