"""First ratings of bots, by how the levels did against each other."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None

LEVELS = ("novice", "casual", "club", "expert", "master")

RATINGS = {
    "tinc": (1100, 1280, 1500, 1690, 1910),
    "ultimate": (940, 1200, 1500, 1920, 2480),
    "numeric": (1120, 1330, 1500, 1640, 1760),
    "quantum": (1180, 1340, 1500, 1710, 1860),
    "extreme": (580, 1050, 1500, 2140, 2590),
}
"""The ratings of the levels, in their order.

Each level played 400 to 800 games against the one below it, by the rules of `oxonaut arena`, with
two random moves to begin with in numeric and quantum: 200 only did the expert of extreme, 26 the
master of ultimate, who lost one, and 12 the master of extreme, who lost none and is rated as if it
had lost one of 14. The Elo differences, rounded to tens, are counted from the club bot, which
begins like a new player.
"""

UNCERTAINTY = 200
"""Two standard deviations of each: what the levels are worth against people was not measured."""


def upgrade() -> None:
    """Store the first rating of each bot that has not played for one yet.

    The others began like new players, and keep what they made of that.
    """
    first_ratings = op.create_table(
        "first_ratings",
        sa.Column("variant", sa.String(16), nullable=False),
        sa.Column("bot", sa.String(16), nullable=False),
        sa.Column("mu", sa.Float, nullable=False),
        sa.Column("sigma", sa.Float, nullable=False),
        sa.PrimaryKeyConstraint("variant", "bot", name="pk_first_ratings"),
    )
    ratings = sa.table("ratings", sa.column("variant"), sa.column("bot"))
    played = {(row.variant, row.bot) for row in op.get_bind().execute(sa.select(ratings))}
    op.bulk_insert(
        first_ratings,
        [
            # In openskill's units: 30 points make one, and a new player's mean is 25.
            {
                "variant": variant,
                "bot": bot,
                "mu": 25 + (number - 1500) / 30,
                "sigma": UNCERTAINTY / 60,
            }
            for variant, numbers in RATINGS.items()
            for bot, number in zip(LEVELS, numbers, strict=True)
            if (variant, bot) not in played
        ],
    )
    if op.get_bind().dialect.name != "sqlite":
        return
    for event in ("insert", "update", "delete"):
        op.execute(
            f"CREATE TRIGGER first_ratings_{event}_noted AFTER {event.upper()} ON first_ratings "  # noqa: S608 - constants
            "BEGIN INSERT INTO changes (game_id) VALUES (NULL); END"
        )
