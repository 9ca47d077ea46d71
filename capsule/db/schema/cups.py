"""The tables of the monthly cups: their entries and their winners.

Their groups and finals are tournaments.
"""

from __future__ import annotations

from sqlalchemy import Boolean, Column, ForeignKey, Index, Integer, String, Table, false

from capsule.db.schema.base import Moment, metadata
from capsule.db.schema.personal import detail, owner

_PLAYED = "a cup that was played stays, with a former player"

cups = Table(
    "cups",
    metadata,
    # As in addresses, like 2027-01. The key lets a month have one cup, however many processes.
    Column("month", String(7), primary_key=True),
    Column("variant", String(16), nullable=False),
    # One of capsule.cups.model.CupStatus.
    Column("status", String(16), nullable=False, index=True),
    # How many groups its entrants were drawn into; None before.
    Column("group_count", Integer),
    # The number of its entries, as capsule.cups.entry_queries counts them.
    Column("entrants", Integer, nullable=False, default=0, server_default="0"),
    Column("begun_at", Moment),
    Column("final_at", Moment),
    Column("ended_at", Moment),
)

cup_entries = Table(
    "cup_entries",
    metadata,
    Column("month", ForeignKey("cups.month"), primary_key=True, info=detail("month")),
    owner("cup_entries", "month", stays=_PLAYED, primary_key=True, autoincrement=False),
    Column("entered_at", Moment, nullable=False, info=detail("entered")),
    # Whether the capsule entered the player, after an earlier cup.
    Column(
        "is_carried",
        Boolean,
        nullable=False,
        default=False,
        server_default=false(),
        info=detail("by_the_capsule"),
    ),
    # From 1 upwards, once the groups have been drawn.
    Column("group_number", Integer, info=detail("group")),
    # Whether the player stayed to the end; None until the group has ended.
    Column("has_stayed", Boolean, info=detail("stayed")),
    Index("ix_cup_entries_player", "player_id", "month"),
    Index("ix_cup_entries_group", "month", "group_number"),
    Index("ix_cup_entries_entered", "month", "entered_at", "player_id"),
)

cup_winners = Table(
    "cup_winners",
    metadata,
    Column("month", ForeignKey("cups.month"), primary_key=True, info=detail("month")),
    # The group that they won; 0 is the whole cup.
    Column(
        "group_number",
        Integer,
        primary_key=True,
        autoincrement=False,
        info=detail("group", lambda number: number or None),
    ),
    owner(
        "cups_won", "month", "group_number", stays=_PLAYED, primary_key=True, autoincrement=False
    ),
    Index("ix_cup_winners_player", "player_id", "group_number", "month"),
)
