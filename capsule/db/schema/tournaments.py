"""Tables of tournaments and cups."""

from sqlalchemy import Boolean, Column, ForeignKey, Index, Integer, String, Table

from capsule.db.schema.base import Moment, flag, metadata
from capsule.db.schema.personal import detail, left_out, owner

tournaments = Table(
    "tournaments",
    metadata,
    Column("id", String(10), primary_key=True, info=detail("id")),
    Column("variant", String(16), nullable=False, info=detail("variant")),
    Column("title", String(60), nullable=False, info=detail("title", is_erased=True)),
    # Of a cup's group, which nobody has announced, the first of its players.
    owner(
        "tournaments_announced",
        "created_at",
        where=lambda tournament: tournament.cup.is_(None),
        stays="others play in it",
        column="announced_by",
        index=True,
    ),
    Column("days_a_move", Integer, nullable=False),
    Column("rated", Boolean, nullable=False),
    # How many players it has room for: 3 to 12.
    Column("seats", Integer, nullable=False),
    # The level of the first bot that takes a seat left empty; None if bots take none.
    Column("fill_level", String(16)),
    # When it starts at the latest; None if it starts only when it is full.
    Column("starts_at", Moment),
    # One of capsule.tournaments.model.TournamentStatus.
    Column("status", String(16), nullable=False, info=detail("status")),
    # Raised by every change, so that no page can act twice.
    Column("changes", Integer, nullable=False, default=0, server_default="0"),
    Column("created_at", Moment, nullable=False, info=detail("announced")),
    Column("started_at", Moment),
    Column("ended_at", Moment),
    # Why the operator has called it off, if so it ended.
    Column("called_off_for", String(280), info=left_out("the operator's words, among the actions")),
    # The cup to which it belongs, if any: the number of its group, 0 for the final, and when what
    # is left of its games ends.
    Column("cup", ForeignKey("cups.month")),
    Column("cup_group", Integer),
    Column("ends_at", Moment),
    Index("ix_tournaments_cup", "cup", "cup_group", unique=True),
    Index("ix_tournaments_status", "status", "created_at", "id"),
    Index("ix_tournaments_ended", "status", "ended_at", "id"),
    Index("ix_tournaments_ended_variant", "variant", "status", "ended_at", "id"),
    Index("ix_tournaments_announced", "created_at", "id"),
    Index("ix_tournaments_variant", "variant", "created_at", "id"),
)

tournament_seats = Table(
    "tournament_seats",
    metadata,
    Column(
        "tournament_id", ForeignKey("tournaments.id"), primary_key=True, info=detail("tournament")
    ),
    # From 1 upwards.
    Column("number", Integer, primary_key=True, autoincrement=False, info=detail("seat")),
    owner(
        "tournament_seats",
        "taken_at",
        stays="the crosstable stays, a former player's",
        index=True,
        nullable=True,
    ),
    Column("bot", String(16)),
    Column("taken_at", Moment, nullable=False, info=detail("taken")),
    # When the player left the tournament, and whether the results until then count.
    Column("left_at", Moment, info=detail("left")),
    flag("results_count", default=True, info=detail("results_count")),
    # Nobody plays against themselves.
    Index("ix_tournament_seats_one_player", "tournament_id", "player_id", unique=True),
    Index("ix_tournament_seats_one_bot", "tournament_id", "bot", unique=True),
)
"""The seats of a tournament that are taken."""


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
    # The number of its entries, as capsule.cups.queries counts them.
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
    flag("is_carried", info=detail("by_the_capsule")),
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
