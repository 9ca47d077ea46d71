"""Note whose account alone a change concerns, so that everybody else's pages can be kept."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"
branch_labels = None
depends_on = None

SEEN_BY_OTHERS = {
    "players": (
        "name",
        "likeness",
        "takes_messages",
        "silenced_until",
        "banned_for",
        "banned_until",
    ),
    "certificates": ("fingerprint", "player_id"),
}
"""The columns on which what others see may depend, and who somebody is."""


def upgrade() -> None:
    """Add the player's column and, in SQLite, have the triggers fill it in."""
    op.add_column("changes", sa.Column("player_id", sa.Integer))
    if op.get_bind().dialect.name != "sqlite":
        return
    for table, columns in SEEN_BY_OTHERS.items():
        player = "NEW.id" if table == "players" else "NEW.player_id"
        is_seen = " OR ".join(f"OLD.{column} IS NOT NEW.{column}" for column in columns)
        op.execute(f"DROP TRIGGER {table}_update_noted")
        values = f"CASE WHEN {is_seen} THEN NULL ELSE '' END, {player}"
        note = f"INSERT INTO changes (game_id, player_id) VALUES ({values})"  # noqa: S608 - constants
        op.execute(f"CREATE TRIGGER {table}_update_noted AFTER UPDATE ON {table} BEGIN {note}; END")
