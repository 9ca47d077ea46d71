"""The table of changes, by which processes learn what others have stored."""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, Index, Integer, String, Table, text

from capsule.db.schema.base import metadata

changes = Table(
    "changes",
    metadata,
    # In SQLite, numbers never recur, and none is left out.
    Column("number", BigInteger().with_variant(Integer, "sqlite"), primary_key=True),
    # In PostgreSQL, the transaction that made the change.
    Column("transaction_id", BigInteger),
    # None if it is not about a single game, "" if it is nothing that is on others' pages.
    Column("game_id", String(10)),
    # The player whose account it concerns: if `game_id` is "", it concerns nothing else.
    Column("player_id", Integer),
    # The players of that game, and the one for whom its open seat is kept.
    Column("x_player_id", Integer),
    Column("o_player_id", Integer),
    Column("challenged_player_id", Integer),
    Index(
        "ix_changes_transaction",
        "transaction_id",
        sqlite_where=text("transaction_id IS NOT NULL"),
    ),
    sqlite_autoincrement=True,
)
"""Notes of changes, written by triggers: see `capsule.db.changes`."""
