"""The tables, as they are after the newest migration.

Times are aware and in UTC; a side is "X" or "O". A game's moves are its truth: what is kept beside
them (`ply`, `turn` and `moved_at` of a game, `side` of a move) spares a list of them the replay.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from sqlalchemy import (
    Boolean,
    Column,
    DateTime,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    TypeDecorator,
    false,
    text,
    true,
)

if TYPE_CHECKING:
    from sqlalchemy.engine import Dialect


class Moment(TypeDecorator[datetime]):
    """An aware time, kept as UTC without a zone, since SQLite knows no zones."""

    impl = DateTime
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Return the time as the database keeps it."""
        del dialect
        return value and value.astimezone(UTC).replace(tzinfo=None)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Return the time as the capsule uses it."""
        del dialect
        return value and value.replace(tzinfo=UTC)


metadata = MetaData(
    naming_convention={
        "ix": "ix_%(column_0_label)s",
        "uq": "uq_%(table_name)s_%(column_0_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
        "pk": "pk_%(table_name)s",
    }
)

secrets = Table(
    "secrets",
    metadata,
    Column("name", String(32), primary_key=True),
    Column("value", LargeBinary, nullable=False),
)
"""What only the capsule knows, shared by every process that serves it."""

players = Table(
    "players",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("name", String(24), nullable=False),
    # The name without case and look-alike letters: what makes two names the same.
    Column("likeness", String(24), nullable=False, unique=True),
    # Raised by every action outside a game, so that the page it was taken from cannot act twice.
    Column("actions", Integer, nullable=False, default=0),
    Column("created_at", Moment, nullable=False),
    # How the player wants pages: see `capsule.reader`.
    Column("unicode_boards", Boolean, nullable=False, default=False, server_default=false()),
    Column("rulers", Boolean, nullable=False, default=True, server_default=true()),
    Column("words_first", Boolean, nullable=False, default=False, server_default=false()),
    Column("time_zone", String(64), nullable=False, default="UTC", server_default="UTC"),
    # Whether others may send the player messages.
    Column("takes_messages", Boolean, nullable=False, default=True, server_default=true()),
    # What the operator has to say to the player, until it is acknowledged: see `capsule.notices`.
    Column("warning", Text),
    # Until when the operator lets the player send no messages.
    Column("silenced_until", Moment),
    # Why the operator has shut the player out, and until when: None is for good.
    Column("banned_for", String(280)),
    Column("banned_until", Moment),
)

certificates = Table(
    "certificates",
    metadata,
    Column("fingerprint", String(64), primary_key=True),
    Column("player_id", ForeignKey("players.id"), nullable=False, index=True),
    Column("first_used_at", Moment, nullable=False),
    # What the player calls it, such as the device it is on; "" until it has a name.
    Column("label", String(40), nullable=False, default="", server_default=""),
    # When it was last used to sign in or to act, written once a day at the most.
    Column("last_used_at", Moment),
    # When it ends, as it said when it was last used.
    Column("valid_until", Moment),
)

device_codes = Table(
    "device_codes",
    metadata,
    # The first part of the code, which tells whose it is; the rest is kept nowhere.
    Column("selector", String(8), primary_key=True),
    Column("player_id", ForeignKey("players.id"), nullable=False, unique=True),
    Column("made_at", Moment, nullable=False),
    Column("tries_left", Integer, nullable=False),
)
"""One-time codes that add a certificate to a player."""

former_names = Table(
    "former_names",
    metadata,
    Column("likeness", String(24), primary_key=True),
    Column("name", String(24), nullable=False),
    Column("player_id", ForeignKey("players.id"), nullable=False, index=True),
    # Until then the old name leads to the player, and is nobody else's.
    Column("kept_until", Moment, nullable=False, index=True),
    # Set where the operator took it away, so that the player may not have it again either, and
    # whether it leads to the player all the same.
    Column("taken_away", Boolean, nullable=False, default=False, server_default=false()),
    Column("leads_on", Boolean, nullable=False, default=True, server_default=true()),
)
"""Names that players had."""

relations = Table(
    "relations",
    metadata,
    Column("player_id", ForeignKey("players.id"), primary_key=True),
    Column("other_id", ForeignKey("players.id"), primary_key=True, index=True),
    # "mute": the other's messages are not shown; "block": nothing is shared with the other.
    Column("kind", String(8), nullable=False),
    Column("since", Moment, nullable=False),
)
"""Whom players want to hear less of."""

private_feeds = Table(
    "private_feeds",
    metadata,
    Column("player_id", ForeignKey("players.id"), primary_key=True),
    # Whoever knows it can read the feed.
    Column("address", String(32), nullable=False, unique=True),
)

games = Table(
    "games",
    metadata,
    Column("id", String(10), primary_key=True),
    Column("variant", String(16), nullable=False),
    Column("listed", Boolean, nullable=False),
    Column("x_player_id", ForeignKey("players.id")),
    Column("o_player_id", ForeignKey("players.id")),
    Column("status", String(16), nullable=False),
    Column("winner", String(1)),
    Column("x_points", Float),
    Column("o_points", Float),
    Column("ply", Integer, nullable=False, default=0),
    Column("turn", String(1), nullable=False),
    # Raised by every move and takeback, never lowered: a link made at one count ends with it.
    Column("turn_counter", Integer, nullable=False, default=0),
    Column("draw_offered_by", String(1)),
    # The turn counter at which each side last offered a draw: one offer a turn.
    Column("x_offered_at_turn", Integer),
    Column("o_offered_at_turn", Integer),
    Column("created_at", Moment, nullable=False),
    Column("moved_at", Moment, nullable=False),
    Column("ended_at", Moment),
    # The level of the bot that has the seat, where a bot has it.
    Column("x_bot", String(16)),
    Column("o_bot", String(16)),
    Column("bot_to_move", Boolean, nullable=False, default=False, server_default=false()),
    Column("hints", Integer, nullable=False, default=0, server_default="0"),
    # Set when the game ends, until its analysis is there.
    Column("analysis_due", Boolean, nullable=False, default=False, server_default=false()),
    # When both seats were taken; None for a game that a player plays alone or with a bot.
    Column("started_at", Moment),
    # The terms: days a move, None for no limit, and whether taking the open seat lists the game.
    Column("days_a_move", Integer),
    Column("lists_when_joined", Boolean, nullable=False, default=False, server_default=false()),
    Column("takeback_asked_by", String(1)),
    # Who alone may take the open seat, where it is kept for somebody.
    Column("challenged_player_id", ForeignKey("players.id")),
    # The game whose rematch this one is, and the rematch that was offered last.
    Column("previous_id", ForeignKey("games.id")),
    Column("next_id", ForeignKey("games.id")),
    # Whether the terms say that it counts for ratings.
    Column("rated", Boolean, nullable=False, default=False, server_default=false()),
    # How often moves were taken back: such a game never counts.
    Column("takebacks", Integer, nullable=False, default=0, server_default="0"),
    # The how many-th game it was that changed ratings; None where it changed none.
    Column("rating_number", Integer),
    # The tournament that it belongs to.
    Column("tournament_id", ForeignKey("tournaments.id")),
    # Whether each player lets visitors read the messages under it.
    Column("x_shows_messages", Boolean, nullable=False, default=False, server_default=false()),
    Column("o_shows_messages", Boolean, nullable=False, default=False, server_default=false()),
    Index("ix_games_tournament", "tournament_id", "status"),
    Index("ix_games_rating_number", "rating_number", unique=True),
    Index("ix_games_challenged", "challenged_player_id", "status", "moved_at", "id"),
    Index(
        "ix_games_clock",
        "status",
        "days_a_move",
        "moved_at",
        "id",
        sqlite_where=text("ended_at IS NULL"),
        postgresql_where=text("ended_at IS NULL"),
    ),
    Index(
        "ix_games_lapse",
        "status",
        "listed",
        "created_at",
        "id",
        sqlite_where=text("ended_at IS NULL"),
        postgresql_where=text("ended_at IS NULL"),
    ),
    Index(
        "ix_games_analysis_due",
        "ended_at",
        "id",
        sqlite_where=text("analysis_due = 1"),
        postgresql_where=text("analysis_due"),
    ),
    Index(
        "ix_games_bot_to_move",
        "moved_at",
        "id",
        sqlite_where=text("bot_to_move = 1"),
        postgresql_where=text("bot_to_move"),
    ),
    Index("ix_games_x_player", "x_player_id", "status", "moved_at", "id"),
    Index("ix_games_o_player", "o_player_id", "status", "moved_at", "id"),
    Index("ix_games_listed", "listed", "status", "moved_at", "id"),
    Index("ix_games_listed_variant", "listed", "variant", "status", "moved_at", "id"),
    *(
        # All that a player's results are made of, so that nothing but the index is read. It is
        # written once a game, at its end: see `capsule.store.profiles`.
        Index(
            f"ix_games_{side}_player_results",
            f"{side}_player_id",
            "moved_at",
            "id",
            "variant",
            f"{other}_player_id",
            f"{other}_bot",
            "x_points",
            "o_points",
            "listed",
            "rated",
            sqlite_where=text("x_points IS NOT NULL AND (listed = 1 OR rated = 1)"),
            postgresql_where=text("x_points IS NOT NULL AND (listed OR rated)"),
        )
        for side, other in (("x", "o"), ("o", "x"))
    ),
    *(
        # SQLite takes such an index only where a query says the condition in these very words.
        Index(name, *columns, sqlite_where=text("listed = 1"), postgresql_where=text("listed"))
        for name, *columns in (
            ("ix_games_begun", "listed", "created_at", "id"),
            ("ix_games_begun_variant", "listed", "variant", "created_at", "id"),
            ("ix_games_x_player_listed", "x_player_id", "status", "moved_at", "id"),
            ("ix_games_o_player_listed", "o_player_id", "status", "moved_at", "id"),
        )
    ),
)

moves = Table(
    "moves",
    metadata,
    # The key lets one move alone be the nth, whichever process or device it comes from.
    Column("game_id", ForeignKey("games.id"), primary_key=True),
    Column("ply", Integer, primary_key=True, autoincrement=False),
    # A tinc move names cells, whose names grow with the grid; no other variant comes near this.
    Column("move", String(64), nullable=False),
    Column("side", String(1), nullable=False),
    Column("played_at", Moment, nullable=False),
    # 0 until moves of the game are taken back, and higher after each time: by it a move differs
    # from those that were the nth before it.
    Column("takebacks", Integer, nullable=False, default=0, server_default="0"),
    # Whether it was typed in advance, so that its player was never to move.
    Column("planned", Boolean, nullable=False, default=False, server_default=false()),
    # Sorted by the key in the file, so that the moves of a game stand together.
    sqlite_with_rowid=False,
)

analyses = Table(
    "analyses",
    metadata,
    Column("game_id", ForeignKey("games.id"), primary_key=True),
    # As `engine.bots.analysis` writes it.
    Column("content", Text, nullable=False),
)

vacations = Table(
    "vacations",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("player_id", ForeignKey("players.id"), nullable=False),
    Column("begins_at", Moment, nullable=False),
    Column("ends_at", Moment, nullable=False),
    Index("ix_vacations_player", "player_id", "ends_at"),
)
"""When players' clocks stand still."""

plans = Table(
    "plans",
    metadata,
    Column("game_id", ForeignKey("games.id"), primary_key=True),
    Column("side", String(1), primary_key=True),
    # Lines of moves from the position as it stands, each line's moves with spaces between them.
    Column("content", Text, nullable=False),
)
"""What players will answer, for their own eyes alone."""
