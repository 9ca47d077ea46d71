"""The tables of reports and of the operator's actions."""

from __future__ import annotations

from sqlalchemy import Column, ForeignKey, Index, Integer, String, Table, Text

from capsule.db.schema.base import Moment, metadata
from capsule.db.schema.personal import detail, mention, owner

reports = Table(
    "reports",
    metadata,
    Column("id", Integer, primary_key=True),
    owner("reports", "id", column="reporter_id", index=True),
    mention("reported_id", name="about", index=True),
    # The game in which the two played, or the tournament whose title is reported. Neither: what the
    # player's page says.
    Column("game_id", ForeignKey("games.id"), info=detail("game")),
    Column(
        "tournament_id", ForeignKey("tournaments.id"), info=detail("tournament", is_optional=True)
    ),
    # The comment under that game that is reported, if it is one. It may be gone.
    Column("comment_id", Integer, info=detail("comment", is_optional=True)),
    # The number of the annotated game whose notes are reported, if they are.
    Column("annotation_number", Integer, info=detail("notes", is_optional=True)),
    Column("text", String(280), nullable=False, info=detail("text")),
    Column("made_at", Moment, nullable=False, info=detail("made")),
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
    Column("taken_at", Moment, nullable=False, info=detail("at")),
    # A `capsule.moderation.model.ActionKind`.
    Column("action", String(24), nullable=False, info=detail("action")),
    owner(
        "operator.actions",
        "id",
        where=lambda action: action.action != "close",
        stays="that something was done: not to whom, nor why",
        index=True,
        nullable=True,
    ),
    # The player's name then; it goes when the player is erased, and the detail with it.
    Column("player_name", String(24), info=detail("name", is_erased=True)),
    # To what it was done and why, in the operator's words.
    Column("detail", Text, nullable=False, info=detail("detail", is_erased=True)),
)
"""The operator's actions, as a log."""
