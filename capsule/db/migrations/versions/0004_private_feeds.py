"""Each player's private feed, and what feeds ask of games and moves."""

from __future__ import annotations

import base64
import secrets

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make private feeds, one for everybody who plays already."""
    feeds = op.create_table(
        "private_feeds",
        sa.Column("player_id", sa.Integer, nullable=False),
        sa.Column("address", sa.String(32), nullable=False),
        sa.PrimaryKeyConstraint("player_id", name="pk_private_feeds"),
        sa.ForeignKeyConstraint(
            ["player_id"], ["players.id"], name="fk_private_feeds_player_id_players"
        ),
        sa.UniqueConstraint("address", name="uq_private_feeds_address"),
    )
    players = sa.table("players", sa.column("id", sa.Integer))
    connection = op.get_bind()
    known = connection.execute(sa.select(players.c.id)).scalars().all()
    if known:
        connection.execute(
            sa.insert(feeds),
            [{"player_id": player_id, "address": _address()} for player_id in known],
        )
    op.add_column("games", sa.Column("started_at", sa.DateTime))
    op.add_column("moves", sa.Column("takebacks", sa.Integer, nullable=False, server_default="0"))
    op.add_column(
        "moves", sa.Column("planned", sa.Boolean, nullable=False, server_default=sa.false())
    )
    for name, columns in (
        ("ix_games_begun", ["listed", "created_at", "id"]),
        ("ix_games_begun_variant", ["listed", "variant", "created_at", "id"]),
        ("ix_games_x_player_listed", ["x_player_id", "status", "moved_at", "id"]),
        ("ix_games_o_player_listed", ["o_player_id", "status", "moved_at", "id"]),
    ):
        op.create_index(
            name,
            "games",
            columns,
            sqlite_where=sa.text("listed = 1"),
            postgresql_where=sa.text("listed"),
        )


def _address() -> str:
    return base64.b32encode(secrets.token_bytes(20)).decode().lower()
