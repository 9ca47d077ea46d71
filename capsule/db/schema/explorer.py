"""The table of positions that were reached in listed games, counted modulo symmetries."""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, Float, Integer, String, Table

from capsule.db.schema.base import metadata

explored_positions = Table(
    "explored_positions",
    metadata,
    # The number of a position of a variant, the same for all that look like it.
    Column("position", BigInteger, primary_key=True, autoincrement=False),
    # A move made there, in the orientation that represents all; "" for the position itself.
    Column("move", String(64), primary_key=True),
    # How often people and bots were to move, or made the move, and what they scored in all.
    Column("people", Integer, nullable=False),
    Column("people_points", Float, nullable=False),
    Column("bots", Integer, nullable=False),
    Column("bots_points", Float, nullable=False),
    # What best play from there brings X, from 0 to 1, if that is known; after a move, if it is
    # the row of one.
    Column("x_value", Float),
    # The file is sorted by the key, so that a position and its moves are stored together.
    sqlite_with_rowid=False,
)
