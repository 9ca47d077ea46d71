"""The tables of release 0.1.0.

A migration is history: it names its columns itself and imports nothing that may change later.
"""

from __future__ import annotations

from alembic import op
from sqlalchemy import (
    Boolean,
    CheckConstraint,
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
    false,
    insert,
    text,
    true,
)

revision = "0010"
down_revision = None
branch_labels = None
depends_on = None

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(column_0_label)s",
        "uq": "uq_%(table_name)s_%(column_0_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
        "pk": "pk_%(table_name)s",
    }
)


def _partial(name: str, columns: str, condition: str) -> Index:
    """Return an index of the rows that meet a condition, in which SQLite compares with 1."""
    return Index(
        name,
        *columns.split(),
        sqlite_where=text(condition),
        postgresql_where=text(condition.replace(" = 1", "")),
    )


Table(
    "secrets",
    metadata,
    Column("name", String(32), primary_key=True),
    Column("value", LargeBinary, nullable=False),
)
Table(
    "players",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("name", String(24), nullable=False),
    Column("likeness", String(24), nullable=False, unique=True),
    Column("actions", Integer, nullable=False),
    Column("created_at", DateTime, nullable=False),
    Column("unicode_boards", Boolean, nullable=False, server_default=false()),
    Column("rulers", Boolean, nullable=False, server_default=true()),
    Column("words_first", Boolean, nullable=False, server_default=false()),
    Column("time_zone", String(64), nullable=False, server_default="UTC"),
    Column("takes_messages", Boolean, nullable=False, server_default=true()),
    Column("warning", Text),
    Column("silenced_until", DateTime),
    Column("banned_for", String(280)),
    Column("banned_until", DateTime),
)
Table(
    "certificates",
    metadata,
    Column("fingerprint", String(64), primary_key=True),
    Column("player_id", ForeignKey("players.id"), nullable=False, index=True),
    Column("first_used_at", DateTime, nullable=False),
    Column("label", String(40), nullable=False, server_default=""),
    Column("last_used_at", DateTime),
    Column("valid_until", DateTime),
)
Table(
    "device_codes",
    metadata,
    Column("selector", String(8), primary_key=True),
    Column("player_id", ForeignKey("players.id"), nullable=False, unique=True),
    Column("made_at", DateTime, nullable=False),
    Column("tries_left", Integer, nullable=False),
)
Table(
    "former_names",
    metadata,
    Column("likeness", String(24), primary_key=True),
    Column("name", String(24), nullable=False),
    Column("player_id", ForeignKey("players.id"), nullable=False, index=True),
    Column("kept_until", DateTime, nullable=False, index=True),
    Column("taken_away", Boolean, nullable=False, server_default=false()),
    Column("leads_on", Boolean, nullable=False, server_default=true()),
)
Table(
    "relations",
    metadata,
    Column("player_id", ForeignKey("players.id"), primary_key=True),
    Column("other_id", ForeignKey("players.id"), primary_key=True, index=True),
    Column("kind", String(8), nullable=False),
    Column("since", DateTime, nullable=False),
)
Table(
    "private_feeds",
    metadata,
    Column("player_id", ForeignKey("players.id"), primary_key=True),
    Column("address", String(32), nullable=False, unique=True),
)
Table(
    "vacations",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("player_id", ForeignKey("players.id"), nullable=False),
    Column("begins_at", DateTime, nullable=False),
    Column("ends_at", DateTime, nullable=False),
    Index("ix_vacations_player", "player_id", "ends_at"),
)
Table(
    "tournaments",
    metadata,
    Column("id", String(10), primary_key=True),
    Column("variant", String(16), nullable=False),
    Column("title", String(60), nullable=False),
    Column("announced_by", ForeignKey("players.id"), nullable=False, index=True),
    Column("days_a_move", Integer, nullable=False),
    Column("rated", Boolean, nullable=False),
    Column("seats", Integer, nullable=False),
    Column("fill_level", String(16)),
    Column("starts_at", DateTime),
    Column("status", String(16), nullable=False),
    Column("changes", Integer, nullable=False, server_default="0"),
    Column("created_at", DateTime, nullable=False),
    Column("started_at", DateTime),
    Column("ended_at", DateTime),
    Index("ix_tournaments_status", "status", "created_at", "id"),
    Index("ix_tournaments_announced", "created_at", "id"),
    Index("ix_tournaments_variant", "variant", "created_at", "id"),
)
Table(
    "tournament_seats",
    metadata,
    Column("tournament_id", ForeignKey("tournaments.id"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("player_id", ForeignKey("players.id"), index=True),
    Column("bot", String(16)),
    Column("taken_at", DateTime, nullable=False),
    Column("left_at", DateTime),
    Column("results_count", Boolean, nullable=False, server_default=true()),
    Index("ix_tournament_seats_one_player", "tournament_id", "player_id", unique=True),
    Index("ix_tournament_seats_one_bot", "tournament_id", "bot", unique=True),
)
Table(
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
    Column("ply", Integer, nullable=False),
    Column("turn", String(1), nullable=False),
    Column("turn_counter", Integer, nullable=False),
    Column("draw_offered_by", String(1)),
    Column("x_offered_at_turn", Integer),
    Column("o_offered_at_turn", Integer),
    Column("created_at", DateTime, nullable=False),
    Column("moved_at", DateTime, nullable=False),
    Column("ended_at", DateTime),
    Column("x_bot", String(16)),
    Column("o_bot", String(16)),
    Column("bot_to_move", Boolean, nullable=False, server_default=false()),
    Column("hints", Integer, nullable=False, server_default="0"),
    Column("analysis_due", Boolean, nullable=False, server_default=false()),
    Column("days_a_move", Integer),
    Column("lists_when_joined", Boolean, nullable=False, server_default=false()),
    Column("takeback_asked_by", String(1)),
    Column("challenged_player_id", ForeignKey("players.id")),
    Column("previous_id", ForeignKey("games.id")),
    Column("next_id", ForeignKey("games.id")),
    Column("started_at", DateTime),
    Column("rated", Boolean, nullable=False, server_default=false()),
    Column("takebacks", Integer, nullable=False, server_default="0"),
    Column("rating_number", Integer),
    Column("x_shows_messages", Boolean, nullable=False, server_default=false()),
    Column("o_shows_messages", Boolean, nullable=False, server_default=false()),
    Column("tournament_id", ForeignKey("tournaments.id")),
    Index("ix_games_x_player", "x_player_id", "status", "moved_at", "id"),
    Index("ix_games_o_player", "o_player_id", "status", "moved_at", "id"),
    Index("ix_games_listed", "listed", "status", "moved_at", "id"),
    Index("ix_games_listed_variant", "listed", "variant", "status", "moved_at", "id"),
    Index("ix_games_challenged", "challenged_player_id", "status", "moved_at", "id"),
    Index("ix_games_rating_number", "rating_number", unique=True),
    Index("ix_games_tournament", "tournament_id", "status"),
    _partial("ix_games_analysis_due", "ended_at id", "analysis_due = 1"),
    _partial("ix_games_bot_to_move", "moved_at id", "bot_to_move = 1"),
    _partial("ix_games_clock", "status days_a_move moved_at id", "ended_at IS NULL"),
    _partial("ix_games_lapse", "status listed created_at id", "ended_at IS NULL"),
    _partial("ix_games_begun", "listed created_at id", "listed = 1"),
    _partial("ix_games_begun_variant", "listed variant created_at id", "listed = 1"),
    _partial("ix_games_x_player_listed", "x_player_id status moved_at id", "listed = 1"),
    _partial("ix_games_o_player_listed", "o_player_id status moved_at id", "listed = 1"),
    *(
        _partial(
            f"ix_games_{side}_player_results",
            f"{side}_player_id moved_at id variant {other}_player_id {other}_bot"
            " x_points o_points listed rated",
            "x_points IS NOT NULL AND (listed = 1 OR rated = 1)",
        )
        for side, other in ("xo", "ox")
    ),
)
Table(
    "moves",
    metadata,
    Column("game_id", ForeignKey("games.id"), primary_key=True),
    Column("ply", Integer, primary_key=True, autoincrement=False),
    Column("move", String(64), nullable=False),
    Column("side", String(1), nullable=False),
    Column("played_at", DateTime, nullable=False),
    Column("takebacks", Integer, nullable=False, server_default="0"),
    Column("planned", Boolean, nullable=False, server_default=false()),
    sqlite_with_rowid=False,
)
Table(
    "analyses",
    metadata,
    Column("game_id", ForeignKey("games.id"), primary_key=True),
    Column("content", Text, nullable=False),
)
Table(
    "plans",
    metadata,
    Column("game_id", ForeignKey("games.id"), primary_key=True),
    Column("side", String(1), primary_key=True),
    Column("content", Text, nullable=False),
)
Table(
    "ratings",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("variant", String(16), nullable=False),
    Column("player_id", ForeignKey("players.id")),
    Column("bot", String(16)),
    Column("mu", Float, nullable=False),
    Column("sigma", Float, nullable=False),
    Column("games", Integer, nullable=False),
    Column("changed_at", DateTime, nullable=False),
    CheckConstraint("(player_id IS NULL) <> (bot IS NULL)", name="ck_ratings_one_holder"),
    Index("ix_ratings_player", "player_id", "variant", unique=True),
    Index("ix_ratings_bot", "bot", "variant", unique=True),
    Index("ix_ratings_ladder", "variant", "mu", "id", "sigma", "games", "changed_at", "player_id"),
)
Table(
    "rating_changes",
    metadata,
    Column("game_id", ForeignKey("games.id"), primary_key=True),
    Column("side", String(1), primary_key=True),
    Column("variant", String(16), nullable=False),
    Column("player_id", ForeignKey("players.id")),
    Column("bot", String(16)),
    Column("number", Integer, nullable=False),
    Column("mu", Float, nullable=False),
    Column("sigma", Float, nullable=False),
    Index("ix_rating_changes_player", "player_id", "variant", "number", "mu", "sigma"),
    Index("ix_rating_changes_bot", "bot", "variant", "number", "mu", "sigma"),
)
counters = Table(
    "counters",
    metadata,
    Column("name", String(16), primary_key=True),
    Column("value", Integer, nullable=False),
)
Table(
    "messages",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("game_id", ForeignKey("games.id"), nullable=False),
    Column("player_id", ForeignKey("players.id"), nullable=False),
    Column("recipient_id", ForeignKey("players.id"), nullable=False),
    Column("text", String(280), nullable=False),
    Column("sent_at", DateTime, nullable=False),
    Column("removed", Boolean, nullable=False, server_default=false()),
    Index("ix_messages_game", "game_id", "id"),
    Index("ix_messages_game_player", "game_id", "player_id"),
    Index("ix_messages_player", "player_id", "sent_at"),
    Index("ix_messages_recipient", "recipient_id", "sent_at"),
    sqlite_autoincrement=True,
)
Table(
    "notes",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("game_id", ForeignKey("games.id"), nullable=False),
    Column("player_id", ForeignKey("players.id"), nullable=False),
    Column("text", String(280), nullable=False),
    Column("written_at", DateTime, nullable=False),
    Index("ix_notes_player", "player_id", "game_id", "id"),
    Index("ix_notes_written_at", "player_id", "written_at"),
)
Table(
    "reports",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("reporter_id", ForeignKey("players.id"), nullable=False, index=True),
    Column("reported_id", ForeignKey("players.id"), nullable=False, index=True),
    Column("game_id", ForeignKey("games.id")),
    Column("text", String(280), nullable=False),
    Column("made_at", DateTime, nullable=False),
    Column("closed_at", DateTime),
    Index("ix_reports_open", "closed_at", "id"),
    sqlite_autoincrement=True,
)
Table(
    "operator_actions",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("taken_at", DateTime, nullable=False),
    Column("action", String(24), nullable=False),
    Column("player_id", ForeignKey("players.id"), index=True),
    Column("player_name", String(24)),
    Column("detail", Text, nullable=False),
)


def upgrade() -> None:
    """Make the tables, and the counter of rated games."""
    metadata.create_all(op.get_bind(), checkfirst=False)
    op.execute(insert(counters).values(name="rated games", value=0))
