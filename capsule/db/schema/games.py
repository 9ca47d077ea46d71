"""The tables, as they are after the newest migration.

Times are aware and in UTC; a side is "X" or "O". A game's moves are its truth: what is kept beside
them (`ply`, `turn` and `moved_at` of a game, `side` of a move) spares a list of them the replay.
"""

from __future__ import annotations

from sqlalchemy import (
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    String,
    Table,
    Text,
    false,
    text,
)

from capsule.db.schema.base import Moment, metadata

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
        # written once a game, at its end: see `capsule.lobby.profile_queries`.
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
