"""Tables of tournaments and cups."""

import sqlalchemy as sa

from capsule.db.schema.base import Moment, flag, reference, table, text
from capsule.db.schema.personal import detail, left_out, owner

_ON_PAGE = left_out("the page of the tournament has it")

tournaments = table(
    "tournaments",
    sa.Column("id", sa.String(10), primary_key=True, info=detail("id")),
    text("variant", 16, info=detail("variant")),
    text("title", 60, info=detail("title", is_erased=True)),
    # Of a cup's group, which nobody has announced, the first of its players.
    owner(
        "tournaments_announced",
        "created_at",
        where=lambda tournament: tournament.cup.is_(None),
        stays="others play in it",
        column="announced_by",
        index=True,
    ),
    sa.Column("days_a_move", sa.Integer, nullable=False, info=_ON_PAGE),
    sa.Column("rated", sa.Boolean, nullable=False, info=_ON_PAGE),
    # How many players it has room for: 3 to 12.
    sa.Column("seats", sa.Integer, nullable=False, info=_ON_PAGE),
    # The level of the first bot that takes a seat left empty; None if bots take none.
    sa.Column("fill_level", sa.String(16), info=_ON_PAGE),
    # When it starts at the latest; None if it starts only when it is full.
    sa.Column("starts_at", Moment, info=_ON_PAGE),
    # One of capsule.tournaments.model.TournamentStatus.
    text("status", 16, info=detail("status")),
    # Raised by every change, so that no page can act twice.
    sa.Column("changes", sa.Integer, nullable=False, default=0, server_default="0", info=_ON_PAGE),
    sa.Column("created_at", Moment, nullable=False, info=detail("announced")),
    sa.Column("started_at", Moment, info=_ON_PAGE),
    sa.Column("ended_at", Moment, info=_ON_PAGE),
    # Why the operator has called it off, if so it ended.
    sa.Column("called_off_for", sa.String(280), info=left_out("among the operator's actions")),
    # The cup to which it belongs, if any: the number of its group, 0 for the final, and when what
    # is left of its games ends.
    sa.Column("cup", sa.ForeignKey("cups.month"), info=_ON_PAGE),
    sa.Column("cup_group", sa.Integer, info=_ON_PAGE),
    sa.Column("ends_at", Moment, info=_ON_PAGE),
    sa.Index("ix_tournaments_cup", "cup", "cup_group", unique=True),
    sa.Index("ix_tournaments_status", "status", "created_at", "id"),
    sa.Index("ix_tournaments_ended", "status", "ended_at", "id"),
    sa.Index("ix_tournaments_ended_variant", "variant", "status", "ended_at", "id"),
    sa.Index("ix_tournaments_announced", "created_at", "id"),
    sa.Index("ix_tournaments_variant", "variant", "created_at", "id"),
)

tournament_seats = table(
    "tournament_seats",
    reference("tournament_id", primary_key=True, info=detail("tournament")),
    # From 1 upwards.
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=False, info=detail("seat")),
    owner(
        "tournament_seats",
        "taken_at",
        stays="the crosstable stays, a former player's",
        index=True,
        nullable=True,
    ),
    sa.Column("bot", sa.String(16), info=left_out("then no player has the seat")),
    sa.Column("taken_at", Moment, nullable=False, info=detail("taken")),
    # When the player left the tournament, and whether the results until then count.
    sa.Column("left_at", Moment, info=detail("left")),
    flag("results_count", default=True, info=detail("results_count")),
    # Nobody plays against themselves.
    sa.Index("ix_tournament_seats_one_player", "tournament_id", "player_id", unique=True),
    sa.Index("ix_tournament_seats_one_bot", "tournament_id", "bot", unique=True),
)
"""The seats of a tournament that are taken."""


_PLAYED = "a cup that was played stays, with a former player"

cups = table(
    "cups",
    # As in addresses, like 2027-01. The key lets a month have one cup, however many processes.
    sa.Column("month", sa.String(7), primary_key=True),
    text("variant", 16),
    # One of capsule.cups.model.CupStatus.
    text("status", 16, index=True),
    # How many groups its entrants were drawn into; None before.
    sa.Column("group_count", sa.Integer),
    # The number of its entries, as capsule.cups.queries counts them.
    sa.Column("entrants", sa.Integer, nullable=False, default=0, server_default="0"),
    sa.Column("begun_at", Moment),
    sa.Column("final_at", Moment),
    sa.Column("ended_at", Moment),
)

cup_entries = table(
    "cup_entries",
    sa.Column("month", sa.ForeignKey("cups.month"), primary_key=True, info=detail("month")),
    owner("cup_entries", "month", stays=_PLAYED, primary_key=True, autoincrement=False),
    sa.Column("entered_at", Moment, nullable=False, info=detail("entered")),
    # Whether the capsule entered the player, after an earlier cup.
    flag("is_carried", info=detail("by_the_capsule")),
    # From 1 upwards, once the groups have been drawn.
    sa.Column("group_number", sa.Integer, info=detail("group")),
    # Whether the player stayed to the end; None until the group has ended.
    sa.Column("has_stayed", sa.Boolean, info=detail("stayed")),
    sa.Index("ix_cup_entries_player", "player_id", "month"),
    sa.Index("ix_cup_entries_group", "month", "group_number"),
    sa.Index("ix_cup_entries_entered", "month", "entered_at", "player_id"),
)

cup_winners = table(
    "cup_winners",
    sa.Column("month", sa.ForeignKey("cups.month"), primary_key=True, info=detail("month")),
    # The group that they won; 0 is the whole cup.
    sa.Column(
        "group_number",
        sa.Integer,
        primary_key=True,
        autoincrement=False,
        info=detail("group", lambda number: number or None),
    ),
    owner(
        "cups_won", "month", "group_number", stays=_PLAYED, primary_key=True, autoincrement=False
    ),
    sa.Index("ix_cup_winners_player", "player_id", "group_number", "month"),
)
