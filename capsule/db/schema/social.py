"""The tables of messages, of notes, and of what players say about themselves."""

from __future__ import annotations

from sqlalchemy import Boolean, Column, ForeignKey, Index, Integer, String, Table, false

from capsule.db.schema.base import Moment, metadata

messages = Table(
    "messages",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("game_id", ForeignKey("games.id"), nullable=False),
    # Who wrote it, and to whom.
    Column("player_id", ForeignKey("players.id"), nullable=False),
    Column("recipient_id", ForeignKey("players.id"), nullable=False),
    Column("text", String(280), nullable=False),
    Column("sent_at", Moment, nullable=False),
    # Set by the operator: the message keeps its place and loses its text.
    Column("removed", Boolean, nullable=False, default=False, server_default=false()),
    Index("ix_messages_game", "game_id", "id"),
    Index("ix_messages_game_player", "game_id", "player_id"),
    Index("ix_messages_player", "player_id", "sent_at"),
    Index("ix_messages_recipient", "recipient_id", "sent_at"),
    # No number is given out twice: the operator removes messages by their numbers, and feeds
    # identify them by these.
    sqlite_autoincrement=True,
)
"""Players' messages to each other under a game."""

notes = Table(
    "notes",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("game_id", ForeignKey("games.id"), nullable=False),
    Column("player_id", ForeignKey("players.id"), nullable=False),
    Column("text", String(280), nullable=False),
    Column("written_at", Moment, nullable=False),
    Index("ix_notes_player", "player_id", "game_id", "id"),
    Index("ix_notes_written_at", "player_id", "written_at"),
)
"""Players' notes on games, which only their author can see."""

introductions = Table(
    "introductions",
    metadata,
    Column("player_id", ForeignKey("players.id"), primary_key=True),
    # Each is "" if the player has none; a player with neither has no row.
    Column("line", String(120), nullable=False, default="", server_default=""),
    Column("website", String(200), nullable=False, default="", server_default=""),
)
"""What players say about themselves on their pages."""
