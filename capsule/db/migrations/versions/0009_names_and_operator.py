"""Names that players had, and what the operator may do."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Keep old names, and the operator's words, bans and trace."""
    op.add_column("players", sa.Column("warning", sa.Text))
    op.add_column("players", sa.Column("silenced_until", sa.DateTime))
    op.add_column("players", sa.Column("banned_for", sa.String(280)))
    op.add_column("players", sa.Column("banned_until", sa.DateTime))
    op.create_table(
        "former_names",
        sa.Column("likeness", sa.String(24), nullable=False),
        sa.Column("name", sa.String(24), nullable=False),
        sa.Column("player_id", sa.Integer, nullable=False),
        sa.Column("kept_until", sa.DateTime, nullable=False),
        sa.Column("taken_away", sa.Boolean, nullable=False, server_default=sa.false()),
        sa.Column("leads_on", sa.Boolean, nullable=False, server_default=sa.true()),
        sa.PrimaryKeyConstraint("likeness", name="pk_former_names"),
        sa.ForeignKeyConstraint(
            ["player_id"], ["players.id"], name="fk_former_names_player_id_players"
        ),
    )
    op.create_index("ix_former_names_player_id", "former_names", ["player_id"])
    op.create_index("ix_former_names_kept_until", "former_names", ["kept_until"])
    op.create_table(
        "operator_actions",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("taken_at", sa.DateTime, nullable=False),
        sa.Column("action", sa.String(24), nullable=False),
        sa.Column("player_id", sa.Integer),
        sa.Column("player_name", sa.String(24)),
        sa.Column("detail", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_operator_actions"),
        sa.ForeignKeyConstraint(
            ["player_id"], ["players.id"], name="fk_operator_actions_player_id_players"
        ),
    )
    op.create_index("ix_operator_actions_player_id", "operator_actions", ["player_id"])
