"""The requests that players' actions have carried out."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0051"
down_revision = "0050"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the table, which no page shows anything of: what was carried out before is not known."""
    op.create_table(
        "carried_out",
        sa.Column("player_id", sa.Integer, nullable=False),
        sa.Column("request", sa.LargeBinary(32), nullable=False),
        sa.Column("goal", sa.Text, nullable=False),
        sa.Column("day", sa.Date, nullable=False),
        sa.ForeignKeyConstraint(
            ["player_id"], ["players.id"], name="fk_carried_out_player_id_players"
        ),
        sa.PrimaryKeyConstraint("player_id", "request", name="pk_carried_out"),
    )
    op.create_index("ix_carried_out_day", "carried_out", ["day"])
