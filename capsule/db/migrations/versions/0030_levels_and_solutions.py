"""Solutions of puzzles that were shown, and bots that play otherwise than in release 0.1.0."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from capsule.db.migrations.notes import note

revision = "0030"
down_revision = "0029"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column and the table, and let the levels of bots begin new ratings."""
    op.add_column("puzzle_answers", sa.Column("shown_at", sa.DateTime))
    _replace_bots()


def _replace_bots() -> None:
    """Let the levels begin new ratings; the games so far keep the changes that they made."""
    op.create_table(
        "former_bots",
        sa.Column("variant", sa.String(16), nullable=False),
        sa.Column("bot", sa.String(16), nullable=False),
        sa.Column("last_number", sa.Integer, nullable=False, autoincrement=False),
        sa.Column("mu", sa.Float, nullable=False),
        sa.Column("sigma", sa.Float, nullable=False),
        sa.PrimaryKeyConstraint("variant", "bot", "last_number", name="pk_former_bots"),
    )
    for event in ("INSERT", "UPDATE", "DELETE"):
        note("former_bots", event, "game_id", "VALUES (NULL)")
    is_rated = "ratings.variant = first_ratings.variant AND ratings.bot = first_ratings.bot"
    op.execute(
        "INSERT INTO former_bots (variant, bot, last_number, mu, sigma)"  # noqa: S608 - constants
        " SELECT first_ratings.variant, first_ratings.bot, counters.value,"
        " first_ratings.mu, first_ratings.sigma"
        f" FROM first_ratings JOIN ratings ON {is_rated}"
        " JOIN counters ON counters.name = 'rated games'"
    )
    op.execute(
        f"DELETE FROM first_ratings WHERE EXISTS (SELECT 1 FROM ratings WHERE {is_rated})"  # noqa: S608 - constants
    )
    op.execute("DELETE FROM ratings WHERE bot IS NOT NULL")
