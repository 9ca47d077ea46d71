"""First ratings of bots are stored with their first rated games."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0026"
down_revision = "0025"
branch_labels = None
depends_on = None

first_ratings = sa.table(
    "first_ratings", sa.column("variant"), sa.column("bot"), sa.column("mu"), sa.column("sigma")
)
ratings = sa.table("ratings", sa.column("variant"), sa.column("bot"))

NEW_PLAYER = {"mu": 25.0, "sigma": 25.0 / 3.0}
"""With which those began that had played before bots' first ratings were measured."""


def upgrade() -> None:
    """Keep what the bots that have played began with, and nothing of the others.

    Those begin with what the capsule's newest ladders say when they first play.
    """
    connection = op.get_bind()
    played = {
        (row.variant, row.bot)
        for row in connection.execute(
            sa.select(ratings.c.variant, ratings.c.bot).where(ratings.c.bot.is_not(None))
        )
    }
    rows = connection.execute(sa.select(first_ratings.c.variant, first_ratings.c.bot))
    stored = {(row.variant, row.bot) for row in rows}
    begun = [
        {"variant": variant, "bot": bot, **NEW_PLAYER} for variant, bot in sorted(played - stored)
    ]
    if begun:
        op.bulk_insert(first_ratings, begun)
    for variant, bot in sorted(stored - played):
        op.execute(
            sa.delete(first_ratings).where(
                first_ratings.c.variant == variant, first_ratings.c.bot == bot
            )
        )
