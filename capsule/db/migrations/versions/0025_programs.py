"""Players who are programs, and the challenges that they decline."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0025"
down_revision = "0024"
branch_labels = None
depends_on = None

SEEN_BY_OTHERS = (
    "name",
    "likeness",
    "takes_messages",
    "silenced_until",
    "banned_for",
    "banned_until",
    "program_since",
    "declines",
)
"""The columns on which what others see may depend."""


def upgrade() -> None:
    """Add the columns; in SQLite, have everybody's pages made anew when they change."""
    op.add_column("players", sa.Column("program_since", sa.DateTime))
    op.add_column(
        "players", sa.Column("declines", sa.String(120), nullable=False, server_default="")
    )
    is_program = sa.text("program_since IS NOT NULL")
    op.create_index(
        "ix_players_programs",
        "players",
        ["id"],
        sqlite_where=is_program,
        postgresql_where=is_program,
    )
    if op.get_bind().dialect.name != "sqlite":
        return
    is_seen = " OR ".join(f"OLD.{column} IS NOT NEW.{column}" for column in SEEN_BY_OTHERS)
    op.execute("DROP TRIGGER players_update_noted")
    values = f"CASE WHEN {is_seen} THEN NULL ELSE '' END, NEW.id"
    note = f"INSERT INTO changes (game_id, player_id) VALUES ({values})"  # noqa: S608 - constants
    op.execute(f"CREATE TRIGGER players_update_noted AFTER UPDATE ON players BEGIN {note}; END")
