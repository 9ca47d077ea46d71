"""Comments on games."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from capsule.db.migrations.notes import note

revision = "0039"
down_revision = "0038"
branch_labels = None
depends_on = None

PLAYERS = ("x_player_id", "o_player_id", "challenged_player_id")


def upgrade() -> None:
    """Add the table of comments, their number and whether they are closed, and reports of them."""
    op.add_column("games", sa.Column("comments", sa.Integer, nullable=False, server_default="0"))
    op.add_column(
        "games",
        sa.Column("comments_closed", sa.Boolean, nullable=False, server_default=sa.false()),
    )
    op.add_column("reports", sa.Column("comment_id", sa.Integer))
    op.create_table(
        "comments",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("game_id", sa.String(10), sa.ForeignKey("games.id"), nullable=False),
        sa.Column("player_id", sa.Integer, sa.ForeignKey("players.id"), nullable=False),
        sa.Column("x_recipient_id", sa.Integer, sa.ForeignKey("players.id")),
        sa.Column("o_recipient_id", sa.Integer, sa.ForeignKey("players.id")),
        sa.Column("text", sa.String(280), nullable=False),
        sa.Column("sent_at", sa.DateTime, nullable=False),
        sa.Column("removed", sa.Boolean, nullable=False, server_default=sa.false()),
        sa.Column("withdrawn", sa.Boolean, nullable=False, server_default=sa.false()),
        sqlite_autoincrement=True,
    )
    for name, *columns in (
        ("ix_comments_game", "game_id", "withdrawn", "id"),
        ("ix_comments_game_player", "game_id", "player_id", "id"),
        ("ix_comments_player", "player_id", "sent_at"),
        ("ix_comments_x_recipient", "x_recipient_id", "sent_at"),
        ("ix_comments_o_recipient", "o_recipient_id", "sent_at"),
    ):
        op.create_index(name, "comments", columns)
    for event, row in (("INSERT", "NEW"), ("UPDATE", "NEW"), ("DELETE", "OLD")):
        players = ", ".join(
            f"(SELECT {column} FROM games WHERE id = {row}.game_id)"  # noqa: S608 - constants
            for column in PLAYERS
        )
        noted = ", ".join(["game_id", *PLAYERS])
        note("comments", event, noted, f"VALUES ({row}.game_id, {players})")
