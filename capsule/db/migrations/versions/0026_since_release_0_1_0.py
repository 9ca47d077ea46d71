"""From the tables of release 0.1.0 to the first of 0.2.0."""

from __future__ import annotations

from typing import Any

from alembic import op
from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Date,
    DateTime,
    Float,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    false,
    insert,
    literal,
    select,
    text,
)

from capsule.db.migrations.notes import differs, note

revision = "0026"
down_revision = "0010"
branch_labels = None
depends_on = None

NEW_COLUMNS = {
    "players": (
        Column("disabled_news", String(120), nullable=False, server_default=""),
        Column("narrow", Boolean, nullable=False, server_default=false()),
        Column("program_since", DateTime),
        Column("declines", String(120), nullable=False, server_default=""),
    ),
    "games": (
        Column("draw_offered_at", DateTime),
        Column("takeback_asked_at", DateTime),
        Column("x_takeback_asked_at_turn", Integer),
        Column("o_takeback_asked_at_turn", Integer),
        Column("start_ply", Integer, nullable=False, server_default="0"),
        Column("explored", Boolean, nullable=False, server_default=false()),
    ),
}

NEW_INDEXES = (
    ("ix_tournaments_ended", "tournaments", "status ended_at id", None),
    ("ix_tournaments_ended_variant", "tournaments", "variant status ended_at id", None),
    ("ix_games_draw_offered", "games", "moved_at id", "draw_offered_by IS NOT NULL"),
    ("ix_games_explorer_due", "games", "id", "x_points IS NOT NULL AND listed <> explored"),
    ("ix_players_programs", "players", "id", "program_since IS NOT NULL"),
)
"""The new indexes of old tables: name, table, columns and the condition of their rows, if any."""

metadata = MetaData(
    naming_convention={
        "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
        "pk": "pk_%(table_name)s",
    }
)

OLD_TABLES = (
    Table("players", metadata, Column("id", Integer, primary_key=True)),
    Table("games", metadata, Column("id", String(10), primary_key=True)),
    ratings := Table("ratings", metadata, Column("variant", String(16)), Column("bot", String(16))),
)
"""The old tables that new ones refer to or are filled from, with the columns that matter there."""


def _rating_columns() -> tuple[Column[Any], ...]:
    return (
        Column("mu", Float, nullable=False),
        Column("sigma", Float, nullable=False),
        Column("answers", Integer, nullable=False),
        Column("changed_at", DateTime, nullable=False),
    )


NEW_TABLES = (
    Table(
        "changes",
        metadata,
        Column("number", BigInteger().with_variant(Integer, "sqlite"), primary_key=True),
        Column("transaction_id", BigInteger),
        Column("game_id", String(10)),
        Column("x_player_id", Integer),
        Column("o_player_id", Integer),
        Column("challenged_player_id", Integer),
        Column("player_id", Integer),
        Index(
            "ix_changes_transaction",
            "transaction_id",
            sqlite_where=text("transaction_id IS NOT NULL"),
        ),
        sqlite_autoincrement=True,
    ),
    Table(
        "clock",
        metadata,
        Column("id", Integer, primary_key=True, autoincrement=False),
        Column("noticed_at", DateTime),
        Column("expected_at", DateTime),
        Column("confirmed_at", DateTime),
    ),
    Table(
        "claims",
        metadata,
        Column("name", String(64), primary_key=True),
        Column("holder", String(32), nullable=False),
        Column("expires_at", DateTime, nullable=False),
    ),
    first_ratings := Table(
        "first_ratings",
        metadata,
        Column("variant", String(16), primary_key=True),
        Column("bot", String(16), primary_key=True),
        Column("mu", Float, nullable=False),
        Column("sigma", Float, nullable=False),
    ),
    Table(
        "puzzle_answers",
        metadata,
        Column("player_id", ForeignKey("players.id"), primary_key=True),
        Column("variant", String(16), primary_key=True),
        Column("number", Integer, primary_key=True, autoincrement=False),
        Column("had_hint", Boolean, nullable=False, server_default=false()),
        Column("move", String(64)),
        Column("is_right", Boolean),
        Column("answered_at", DateTime),
        Column("solved_at", DateTime),
        Column("mu_before", Float),
        Column("mu", Float),
        Column("sigma", Float),
        Column("puzzle_mu", Float),
    ),
    Table(
        "daily_solutions",
        metadata,
        Column("player_id", ForeignKey("players.id"), primary_key=True),
        Column("day", Date, primary_key=True),
        Column("solved_at", DateTime, nullable=False),
        Index("ix_daily_solutions_day", "day"),
    ),
    Table(
        "mistake_solutions",
        metadata,
        Column("player_id", ForeignKey("players.id"), primary_key=True),
        Column("game_id", ForeignKey("games.id"), primary_key=True),
        Column("ply", Integer, primary_key=True, autoincrement=False),
        Column("solved_at", DateTime, nullable=False),
    ),
    Table(
        "solver_ratings",
        metadata,
        Column("player_id", ForeignKey("players.id"), primary_key=True),
        *_rating_columns(),
    ),
    Table(
        "puzzle_ratings",
        metadata,
        Column("variant", String(16), primary_key=True),
        Column("number", Integer, primary_key=True, autoincrement=False),
        *_rating_columns(),
    ),
    Table(
        "explored_positions",
        metadata,
        Column("position", BigInteger, primary_key=True, autoincrement=False),
        Column("move", String(64), primary_key=True),
        Column("people", Integer, nullable=False),
        Column("people_points", Float, nullable=False),
        Column("bots", Integer, nullable=False),
        Column("bots_points", Float, nullable=False),
        Column("x_value", Float),
        sqlite_with_rowid=False,
    ),
)

NEW_PLAYER = (25.0, 25.0 / 3.0)
"""The mean and the deviation with which bots began in release 0.1.0, like everybody."""

EVENTS = {"INSERT": "NEW", "UPDATE": "NEW", "DELETE": "OLD"}
"""The changes that triggers note, with the row that each is about."""

CONCERNS_EVERYBODY = (
    "certificates",
    "clock",
    "counters",
    "device_codes",
    "first_ratings",
    "former_names",
    "operator_actions",
    "players",
    "private_feeds",
    "rating_changes",
    "ratings",
    "relations",
    "reports",
    "secrets",
    "tournament_seats",
    "tournaments",
    "vacations",
)
"""The tables on which any page may depend."""

CONCERNS_ONE_GAME = ("moves", "plans", "analyses", "messages", "notes")
"""The tables whose rows are about one game, besides the games themselves."""

CONCERNS_OTHERWISE = {
    # No page shows a claim.
    "claims": ("game_id", "''"),
    "puzzle_answers": ("game_id, player_id", "'', {row}.player_id"),
    "mistake_solutions": ("game_id, player_id", "'', {row}.player_id"),
    "solver_ratings": ("game_id, player_id", "'', {row}.player_id"),
    # Everybody's page of the day says how many have solved it.
    "daily_solutions": ("game_id, player_id", "'daily', {row}.player_id"),
    "puzzle_ratings": ("game_id", "''"),
}
"""The other tables, with the columns and the values that a change of a row is noted with."""

SEEN_BY_OTHERS = {
    "players": (
        "name",
        "likeness",
        "takes_messages",
        "silenced_until",
        "banned_for",
        "banned_until",
        "program_since",
        "declines",
    ),
    "certificates": ("fingerprint", "player_id"),
}
"""The columns on which other players' pages may depend."""

PLAYERS = ("x_player_id", "o_player_id", "challenged_player_id")
"""The columns of the players whom a game concerns, in the games and in the changes."""


def upgrade() -> None:
    """Add columns, indexes and tables, fill them in, and note changes from then on."""
    for table, columns in NEW_COLUMNS.items():
        for column in columns:
            op.add_column(table, column)
    for name, table, names, condition in NEW_INDEXES:
        where = None if condition is None else text(condition)
        op.create_index(name, table, names.split(), sqlite_where=where, postgresql_where=where)
    metadata.create_all(op.get_bind(), tables=NEW_TABLES, checkfirst=False)
    _tell_takebacks_from_draws()
    _keep_first_ratings()
    _note_changes()


def _tell_takebacks_from_draws() -> None:
    """Note both kinds of offers by themselves, so that one does not cost the other.

    What was noted of a turn that still goes on may have been a takeback, or a challenge: then it
    must not pass for a draw that was declined.
    """
    for side in "xo":
        op.execute(
            f"UPDATE games SET {side}_takeback_asked_at_turn = {side}_offered_at_turn "  # noqa: S608 - constants
            f"WHERE takeback_asked_by = '{side.upper()}'"
        )
        op.execute(
            f"UPDATE games SET {side}_offered_at_turn = turn_counter - 1 "  # noqa: S608 - constants
            f"WHERE {side}_offered_at_turn = turn_counter "
            f"AND coalesce(draw_offered_by, '') <> '{side.upper()}' AND ended_at IS NULL"
        )


def _keep_first_ratings() -> None:
    """Store with what the bots began that have been rated; others begin as they are measured."""
    begun = select(ratings.c.variant, ratings.c.bot, *map(literal, NEW_PLAYER))
    op.execute(
        insert(first_ratings).from_select(
            ["variant", "bot", "mu", "sigma"], begun.where(ratings.c.bot.is_not(None))
        )
    )


def _note_changes() -> None:
    """Have triggers note each change; with `explored_positions`, a game is always noted."""
    for event, row in EVENTS.items():
        for table in CONCERNS_EVERYBODY:
            if event == "UPDATE" and table in SEEN_BY_OTHERS:
                is_seen = " OR ".join(
                    f"OLD.{column} {differs()} NEW.{column}" for column in SEEN_BY_OTHERS[table]
                )
                player = "NEW.id" if table == "players" else "NEW.player_id"
                values = f"CASE WHEN {is_seen} THEN NULL ELSE '' END, {player}"
                note(table, event, "game_id, player_id", f"VALUES ({values})")
            else:
                note(table, event, "game_id", "VALUES (NULL)")
        for table, (columns, values) in CONCERNS_OTHERWISE.items():
            note(table, event, columns, f"VALUES ({values.format(row=row)})")
        columns = ", ".join(["game_id", *PLAYERS])
        for table in CONCERNS_ONE_GAME:
            players = ", ".join(
                f"(SELECT {column} FROM games WHERE id = {row}.game_id)"  # noqa: S608 - constants
                for column in PLAYERS
            )
            note(table, event, columns, f"VALUES ({row}.game_id, {players})")
        notes = [f"VALUES ({_game(row)})"]
        if event == "UPDATE":
            # It concerns the players who have left the game, too.
            has_left = " OR ".join(f"OLD.{column} {differs()} NEW.{column}" for column in PLAYERS)
            notes.append(f"SELECT {_game('OLD')} WHERE {has_left}")
        note("games", event, columns, *notes)


def _game(row: str) -> str:
    return ", ".join([f"{row}.id", *(f"{row}.{column}" for column in PLAYERS)])
