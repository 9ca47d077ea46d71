"""The tables of reports and of the operator's actions."""

from __future__ import annotations

from sqlalchemy import Column, ForeignKey, Index, Integer, String, Table, Text

from capsule.db.schema.base import Moment, metadata

reports = Table(
    "reports",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("reporter_id", ForeignKey("players.id"), nullable=False, index=True),
    Column("reported_id", ForeignKey("players.id"), nullable=False, index=True),
    # The game in which the two played, or the tournament whose title is reported. Neither: what the
    # player's page says.
    Column("game_id", ForeignKey("games.id")),
    Column("tournament_id", ForeignKey("tournaments.id")),
    # The comment under that game that is reported, if it is one. It may be gone.
    Column("comment_id", Integer),
    # The number of the annotated game whose notes are reported, if they are.
    Column("annotation_number", Integer),
    Column("text", String(280), nullable=False),
    Column("made_at", Moment, nullable=False),
    Column("closed_at", Moment),
    Index("ix_reports_open", "closed_at", "id"),
    # No number is given out twice: the operator closes reports by their numbers.
    sqlite_autoincrement=True,
)
"""Players' reports to the operator about others."""

operator_actions = Table(
    "operator_actions",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("taken_at", Moment, nullable=False),
    # A `capsule.moderation.model.ActionKind`.
    Column("action", String(24), nullable=False),
    Column("player_id", ForeignKey("players.id"), index=True),
    # The player's name then; it goes when the player is erased, and the detail with it.
    Column("player_name", String(24)),
    # To what it was done and why, in the operator's words.
    Column("detail", Text, nullable=False),
)
"""The operator's actions, as a log."""
