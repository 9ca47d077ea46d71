"""The table of the games of the weeks."""

from __future__ import annotations

from sqlalchemy import Column, Date, ForeignKey, Integer, String, Table

from capsule.db.schema.base import Moment, metadata

featured_games = Table(
    "featured_games",
    metadata,
    # The Monday, in UTC.
    Column("week", Date, primary_key=True),
    # None if there was no game to choose.
    Column("game_id", ForeignKey("games.id")),
    # When the operator picked it; None if it was chosen by its turning points.
    Column("picked_at", Moment),
    # The operator's reason, or "" and the number of turning points of a game chosen by them.
    Column("why", String(280), nullable=False, default="", server_default=""),
    Column("turning_points", Integer, nullable=False, default=0, server_default="0"),
)
"""The decisions about the games of the weeks, one a week."""
