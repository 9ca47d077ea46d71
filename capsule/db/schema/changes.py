"""The table of changes, by which processes learn what others have stored."""

from __future__ import annotations

from sqlalchemy import Column, Integer, String, Table

from capsule.db.schema.base import metadata

changes = Table(
    "changes",
    metadata,
    # In SQLite, numbers never recur, and none is left out.
    Column("number", Integer, primary_key=True),
    # None if it is not about a single game, "" if it is nothing that is on others' pages.
    Column("game_id", String(10)),
    # The player whose account it concerns: if `game_id` is "", it concerns nothing else.
    Column("player_id", Integer),
    # The players of that game, and the one for whom its open seat is kept.
    Column("x_player_id", Integer),
    Column("o_player_id", Integer),
    Column("challenged_player_id", Integer),
    sqlite_autoincrement=True,
)
"""Notes of changes, written by triggers, in SQLite alone: see `capsule.db.changes`."""
