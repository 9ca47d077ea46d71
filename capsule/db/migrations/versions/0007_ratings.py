"""Rated games, and the ratings that come of them."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Let games count, and keep what they count for; games played until now do not."""
    op.add_column(
        "games", sa.Column("rated", sa.Boolean, nullable=False, server_default=sa.false())
    )
    op.add_column("games", sa.Column("takebacks", sa.Integer, nullable=False, server_default="0"))
    op.add_column("games", sa.Column("rating_number", sa.Integer))
    op.execute(
        "UPDATE games SET takebacks = (SELECT COALESCE(MAX(takebacks), 0) FROM moves"
        " WHERE moves.game_id = games.id)"
    )
    op.create_index("ix_games_rating_number", "games", ["rating_number"], unique=True)
    for side, other in (("x", "o"), ("o", "x")):
        op.create_index(
            f"ix_games_{side}_player_results",
            "games",
            [
                f"{side}_player_id",
                "moved_at",
                "id",
                "variant",
                f"{other}_player_id",
                f"{other}_bot",
                "x_points",
                "o_points",
                "listed",
                "rated",
            ],
            sqlite_where=sa.text("x_points IS NOT NULL AND (listed = 1 OR rated = 1)"),
            postgresql_where=sa.text("x_points IS NOT NULL AND (listed OR rated)"),
        )
    op.create_table(
        "ratings",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("variant", sa.String(16), nullable=False),
        sa.Column("player_id", sa.Integer),
        sa.Column("bot", sa.String(16)),
        sa.Column("mu", sa.Float, nullable=False),
        sa.Column("sigma", sa.Float, nullable=False),
        sa.Column("games", sa.Integer, nullable=False),
        sa.Column("changed_at", sa.DateTime, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_ratings"),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="fk_ratings_player_id_players"),
        sa.CheckConstraint("(player_id IS NULL) <> (bot IS NULL)", name="ck_ratings_one_holder"),
    )
    op.create_index("ix_ratings_player", "ratings", ["player_id", "variant"], unique=True)
    op.create_index("ix_ratings_bot", "ratings", ["bot", "variant"], unique=True)
    op.create_index(
        "ix_ratings_ladder",
        "ratings",
        ["variant", "mu", "id", "sigma", "games", "changed_at", "player_id"],
    )
    op.create_table(
        "rating_changes",
        sa.Column("game_id", sa.String(10), nullable=False),
        sa.Column("side", sa.String(1), nullable=False),
        sa.Column("variant", sa.String(16), nullable=False),
        sa.Column("player_id", sa.Integer),
        sa.Column("bot", sa.String(16)),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("mu", sa.Float, nullable=False),
        sa.Column("sigma", sa.Float, nullable=False),
        sa.PrimaryKeyConstraint("game_id", "side", name="pk_rating_changes"),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_rating_changes_game_id_games"),
        sa.ForeignKeyConstraint(
            ["player_id"], ["players.id"], name="fk_rating_changes_player_id_players"
        ),
    )
    op.create_index(
        "ix_rating_changes_player",
        "rating_changes",
        ["player_id", "variant", "number", "mu", "sigma"],
    )
    op.create_index(
        "ix_rating_changes_bot", "rating_changes", ["bot", "variant", "number", "mu", "sigma"]
    )
    counters = op.create_table(
        "counters",
        sa.Column("name", sa.String(16), nullable=False),
        sa.Column("value", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_counters"),
    )
    op.bulk_insert(counters, [{"name": "rated games", "value": 0}])
