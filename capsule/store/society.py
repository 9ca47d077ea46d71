"""The tables of what players are to each other, as they are after the newest migration.

Ratings, messages and notes, reports and what the operator did, tournaments.
"""

from __future__ import annotations

from sqlalchemy import (
    Boolean,
    CheckConstraint,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    String,
    Table,
    Text,
    false,
    true,
)

from capsule.store import schema
from capsule.store.schema import Moment

metadata = schema.metadata
"""Every table, with those of `capsule.store.schema`."""

ratings = Table(
    "ratings",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("variant", String(16), nullable=False),
    # A player's, or that of the bot of a level.
    Column("player_id", ForeignKey("players.id")),
    Column("bot", String(16)),
    # As openskill has them: the mean and the standard deviation of the skill.
    Column("mu", Float, nullable=False),
    Column("sigma", Float, nullable=False),
    Column("games", Integer, nullable=False),
    Column("changed_at", Moment, nullable=False),
    CheckConstraint("(player_id IS NULL) <> (bot IS NULL)", name="ck_ratings_one_holder"),
    Index("ix_ratings_player", "player_id", "variant", unique=True),
    Index("ix_ratings_bot", "bot", "variant", unique=True),
    # Ranks are counted in it, so that no other page of the file is read.
    Index("ix_ratings_ladder", "variant", "mu", "id", "sigma", "games", "changed_at", "player_id"),
)
"""How strong each player and bot is now, by its games."""

rating_changes = Table(
    "rating_changes",
    metadata,
    Column("game_id", ForeignKey("games.id"), primary_key=True),
    Column("side", String(1), primary_key=True),
    Column("variant", String(16), nullable=False),
    Column("player_id", ForeignKey("players.id")),
    Column("bot", String(16)),
    # The game's `rating_number`, by which a history is in order.
    Column("number", Integer, nullable=False),
    Column("mu", Float, nullable=False),
    Column("sigma", Float, nullable=False),
    Index("ix_rating_changes_player", "player_id", "variant", "number", "mu", "sigma"),
    Index("ix_rating_changes_bot", "bot", "variant", "number", "mu", "sigma"),
)
"""The rating of each side after each game that counted."""

counters = Table(
    "counters",
    metadata,
    Column("name", String(16), primary_key=True),
    Column("value", Integer, nullable=False),
)
"""Numbers given out one by one: who raises one waits for whoever has just raised it."""

messages = Table(
    "messages",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("game_id", ForeignKey("games.id"), nullable=False),
    # Who wrote it, and for whom.
    Column("player_id", ForeignKey("players.id"), nullable=False),
    Column("recipient_id", ForeignKey("players.id"), nullable=False),
    Column("text", String(280), nullable=False),
    Column("sent_at", Moment, nullable=False),
    # Set by the operator; its place stays, its text is gone.
    Column("removed", Boolean, nullable=False, default=False, server_default=false()),
    Index("ix_messages_game", "game_id", "id"),
    Index("ix_messages_game_player", "game_id", "player_id"),
    Index("ix_messages_player", "player_id", "sent_at"),
    Index("ix_messages_recipient", "recipient_id", "sent_at"),
    # No number is given out twice: by it the operator removes a message, and feeds tell of it.
    sqlite_autoincrement=True,
)
"""What players say to each other under a game."""

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
"""What players note on a game, for their own eyes alone."""

reports = Table(
    "reports",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("reporter_id", ForeignKey("players.id"), nullable=False, index=True),
    Column("reported_id", ForeignKey("players.id"), nullable=False, index=True),
    Column("game_id", ForeignKey("games.id")),
    Column("text", String(280), nullable=False),
    Column("made_at", Moment, nullable=False),
    Column("closed_at", Moment),
    Index("ix_reports_open", "closed_at", "id"),
    # No number is given out twice: by it the operator closes a report.
    sqlite_autoincrement=True,
)
"""What players told the operator of others."""

operator_actions = Table(
    "operator_actions",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("taken_at", Moment, nullable=False),
    # Such as "ban"; see `capsule.operator`.
    Column("action", String(24), nullable=False),
    Column("player_id", ForeignKey("players.id"), index=True),
    # The player's name then; it goes, and the detail with it, when the player is erased.
    Column("player_name", String(24)),
    # What it was done to and why, in the operator's words.
    Column("detail", Text, nullable=False),
)
"""The trace of what the operator did."""

tournaments = Table(
    "tournaments",
    metadata,
    Column("id", String(10), primary_key=True),
    Column("variant", String(16), nullable=False),
    Column("title", String(60), nullable=False),
    Column("announced_by", ForeignKey("players.id"), nullable=False, index=True),
    Column("days_a_move", Integer, nullable=False),
    Column("rated", Boolean, nullable=False),
    # How many can take part: 3 to 12.
    Column("seats", Integer, nullable=False),
    # The level of the bots that take the seats left empty; None where nobody takes them.
    Column("fill_level", String(16)),
    # When it starts with those who are there; None where it starts only when it is full.
    Column("starts_at", Moment),
    # announced, playing, finished, cancelled
    Column("status", String(16), nullable=False),
    # Raised by whatever changes it, so that the page it was changed from cannot act twice.
    Column("changes", Integer, nullable=False, default=0, server_default="0"),
    Column("created_at", Moment, nullable=False),
    Column("started_at", Moment),
    Column("ended_at", Moment),
    Index("ix_tournaments_status", "status", "created_at", "id"),
    Index("ix_tournaments_announced", "created_at", "id"),
    Index("ix_tournaments_variant", "variant", "created_at", "id"),
)

tournament_seats = Table(
    "tournament_seats",
    metadata,
    Column("tournament_id", ForeignKey("tournaments.id"), primary_key=True),
    # 1 and so on, in the order of the crosstable.
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("player_id", ForeignKey("players.id"), index=True),
    Column("bot", String(16)),
    Column("taken_at", Moment, nullable=False),
    # When the player gave up the tournament, and whether the games played until then count.
    Column("left_at", Moment),
    Column("results_count", Boolean, nullable=False, default=True, server_default=true()),
    # Nobody plays against themselves.
    Index("ix_tournament_seats_one_player", "tournament_id", "player_id", unique=True),
    Index("ix_tournament_seats_one_bot", "tournament_id", "bot", unique=True),
)
"""Who takes part in a tournament."""
