"""A table in which SQLite notes what changes, so that pages can be kept until then."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None

GAMES = {
    "games": "id",
    "moves": "game_id",
    "plans": "game_id",
    "analyses": "game_id",
    "messages": "game_id",
    "notes": "game_id",
}
"""The tables whose rows are about one game, and the columns that name it."""

OTHERS = (
    "certificates",
    "counters",
    "device_codes",
    "former_names",
    "operator_actions",
    "players",
    "private_feeds",
    "rating_changes",
    "ratings",
    "relations",
    "reports",
    "secrets",
    "tournament_seats",
    "tournaments",
    "vacations",
)
"""The tables whose rows are about more than one game, or about none."""


def upgrade() -> None:
    """Make the table and, in SQLite, a trigger for each change of each other table."""
    op.create_table(
        "changes",
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("game_id", sa.String(10)),
        sa.PrimaryKeyConstraint("number", name="pk_changes"),
        sqlite_autoincrement=True,
    )
    if op.get_bind().dialect.name != "sqlite":
        return
    for table in (*GAMES, *OTHERS):
        for event, row in (("INSERT", "NEW"), ("UPDATE", "NEW"), ("DELETE", "OLD")):
            game = f"{row}.{GAMES[table]}" if table in GAMES else "NULL"
            note = f"INSERT INTO changes (game_id) VALUES ({game})"  # noqa: S608 - constants
            op.execute(
                f"CREATE TRIGGER {table}_{event.lower()}_noted AFTER {event} ON {table} "
                f"BEGIN {note}; END"
            )
