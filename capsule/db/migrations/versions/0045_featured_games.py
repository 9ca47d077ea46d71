"""The games of the weeks."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from capsule.db.migrations.notes import note

revision = "0045"
down_revision = "0044"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the table, and the players' setting."""
    op.create_table(
        "featured_games",
        sa.Column("week", sa.Date, nullable=False),
        sa.Column("game_id", sa.String(10)),
        sa.Column("picked_at", sa.DateTime),
        sa.Column("why", sa.String(280), nullable=False, server_default=""),
        sa.Column("turning_points", sa.Integer, nullable=False, server_default="0"),
        sa.PrimaryKeyConstraint("week", name="pk_featured_games"),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_featured_games_game_id_games"),
    )
    # Pages of games do not show it.
    for event in ("INSERT", "UPDATE", "DELETE"):
        note("featured_games", event, "game_id", "VALUES ('featured')")
    op.add_column(
        "players",
        sa.Column("may_be_featured", sa.Boolean, nullable=False, server_default=sa.true()),
    )
