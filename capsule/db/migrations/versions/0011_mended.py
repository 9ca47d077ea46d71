"""What some databases lack because earlier migrations were changed after these had run.

Since then a migration is never changed. Nothing happens to a database that lacks nothing.
"""

from __future__ import annotations

from typing import NamedTuple

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


class _Index(NamedTuple):
    """An index, with its condition in SQLite and in PostgreSQL."""

    name: str
    table: str
    columns: list[str]
    where: tuple[str, str] | None = None
    unique: bool = False


_RESULT = (
    "x_points IS NOT NULL AND (listed = 1 OR rated = 1)",
    "x_points IS NOT NULL AND (listed OR rated)",
)
_LISTED = ("listed = 1", "listed")
_ANALYSIS_DUE = ("analysis_due = 1", "analysis_due")
_BOT_TO_MOVE = ("bot_to_move = 1", "bot_to_move")

_INDEXES = (
    _Index("ix_games_analysis_due", "games", ["ended_at", "id"], _ANALYSIS_DUE),
    _Index("ix_games_bot_to_move", "games", ["moved_at", "id"], _BOT_TO_MOVE),
    _Index("ix_games_begun", "games", ["listed", "created_at", "id"], _LISTED),
    _Index("ix_games_begun_variant", "games", ["listed", "variant", "created_at", "id"], _LISTED),
    *(
        _Index(
            f"ix_games_{side}_player_results",
            "games",
            [
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
            ],
            _RESULT,
        )
        for side, other in (("x", "o"), ("o", "x"))
    ),
    _Index(
        "ix_ratings_ladder",
        "ratings",
        ["variant", "mu", "id", "sigma", "games", "changed_at", "player_id"],
    ),
    _Index(
        "ix_rating_changes_player",
        "rating_changes",
        ["player_id", "variant", "number", "mu", "sigma"],
    ),
    _Index("ix_rating_changes_bot", "rating_changes", ["bot", "variant", "number", "mu", "sigma"]),
    _Index("ix_messages_game", "messages", ["game_id", "id"]),
    _Index("ix_messages_game_player", "messages", ["game_id", "player_id"]),
    _Index("ix_messages_player", "messages", ["player_id", "sent_at"]),
    _Index("ix_messages_recipient", "messages", ["recipient_id", "sent_at"]),
    _Index("ix_notes_written_at", "notes", ["player_id", "written_at"]),
    _Index("ix_reports_reporter_id", "reports", ["reporter_id"]),
    _Index("ix_reports_reported_id", "reports", ["reported_id"]),
    _Index("ix_reports_open", "reports", ["closed_at", "id"]),
    _Index("ix_former_names_kept_until", "former_names", ["kept_until"]),
    _Index("ix_tournaments_announced", "tournaments", ["created_at", "id"]),
    _Index("ix_tournaments_variant", "tournaments", ["variant", "created_at", "id"]),
    *(
        _Index(
            f"ix_tournament_seats_one_{holder}",
            "tournament_seats",
            ["tournament_id", column],
            unique=True,
        )
        for holder, column in (("player", "player_id"), ("bot", "bot"))
    ),
)
"""The indexes that were added or changed."""


def upgrade() -> None:
    """Add what is missing, and make again what is different."""
    _add_missing(
        "games", sa.Column("analysis_due", sa.Boolean, nullable=False, server_default=sa.false())
    )
    _add_missing("operator_actions", sa.Column("player_name", sa.String(24)))
    for name, default in (("taken_away", sa.false()), ("leads_on", sa.true())):
        _add_missing(
            "former_names", sa.Column(name, sa.Boolean, nullable=False, server_default=default)
        )
    _make_analyses()
    _make_counters()
    _let_warnings_be_long()
    _mend_messages()
    _mend_reports()
    for index in _INDEXES:
        _make_index(index)


def _inspector() -> sa.Inspector:
    return sa.inspect(op.get_bind())


def _is_sqlite() -> bool:
    return op.get_bind().dialect.name == "sqlite"


def _column_names(table: str) -> set[str]:
    return {column["name"] for column in _inspector().get_columns(table)}


def _definition(name: str) -> str:
    """Return the SQL with which SQLite made a table or an index, "" where it is missing."""
    statement = sa.text("SELECT sql FROM sqlite_master WHERE name = :name")
    return str(op.get_bind().execute(statement, {"name": name}).scalar() or "")


def _add_missing(table: str, column: sa.Column[object]) -> None:
    if column.name not in _column_names(table):
        op.add_column(table, column)


def _make_analyses() -> None:
    if _inspector().has_table("analyses"):
        return
    op.create_table(
        "analyses",
        sa.Column("game_id", sa.String(10), nullable=False),
        sa.Column("content", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("game_id", name="pk_analyses"),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_analyses_game_id_games"),
    )


def _make_counters() -> None:
    if _inspector().has_table("counters"):
        return
    counters = op.create_table(
        "counters",
        sa.Column("name", sa.String(16), nullable=False),
        sa.Column("value", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_counters"),
    )
    op.bulk_insert(counters, [{"name": "rated games", "value": 0}])


def _let_warnings_be_long() -> None:
    columns = {column["name"]: column["type"] for column in _inspector().get_columns("players")}
    if isinstance(columns["warning"], sa.Text):
        return
    if not _is_sqlite():
        op.alter_column("players", "warning", type_=sa.Text)
        return
    op.add_column("players", sa.Column("long_warning", sa.Text))
    op.execute("UPDATE players SET long_warning = warning WHERE warning IS NOT NULL")
    op.execute("ALTER TABLE players DROP COLUMN warning")
    op.execute("ALTER TABLE players RENAME COLUMN long_warning TO warning")


def _mend_messages() -> None:
    if "recipient_id" not in _column_names("messages"):
        # No version wrote messages into such a table, so there is none to find the recipient of.
        op.drop_table("messages")
        _make_messages("messages")
    elif _repeats_numbers("messages"):
        columns = "id, game_id, player_id, recipient_id, text, sent_at, removed"
        _make_messages("numbered_messages")
        _replace("messages", "numbered_messages", columns)


def _mend_reports() -> None:
    if _repeats_numbers("reports"):
        columns = "id, reporter_id, reported_id, game_id, text, made_at, closed_at"
        _make_reports("numbered_reports")
        _replace("reports", "numbered_reports", columns)


def _repeats_numbers(table: str) -> bool:
    """Return whether the number of a row that was deleted may be given out again, as in SQLite."""
    return _is_sqlite() and "AUTOINCREMENT" not in _definition(table)


def _replace(table: str, other: str, columns: str) -> None:
    op.execute(f"INSERT INTO {other} ({columns}) SELECT {columns} FROM {table}")  # noqa: S608 - constants
    op.drop_table(table)
    op.rename_table(other, table)


def _make_messages(name: str) -> None:
    op.create_table(
        name,
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("game_id", sa.String(10), nullable=False),
        sa.Column("player_id", sa.Integer, nullable=False),
        sa.Column("recipient_id", sa.Integer, nullable=False),
        sa.Column("text", sa.String(280), nullable=False),
        sa.Column("sent_at", sa.DateTime, nullable=False),
        sa.Column("removed", sa.Boolean, nullable=False, server_default=sa.false()),
        sa.PrimaryKeyConstraint("id", name="pk_messages"),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_messages_game_id_games"),
        sa.ForeignKeyConstraint(
            ["player_id"], ["players.id"], name="fk_messages_player_id_players"
        ),
        sa.ForeignKeyConstraint(
            ["recipient_id"], ["players.id"], name="fk_messages_recipient_id_players"
        ),
        sqlite_autoincrement=True,
    )


def _make_reports(name: str) -> None:
    op.create_table(
        name,
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("reporter_id", sa.Integer, nullable=False),
        sa.Column("reported_id", sa.Integer, nullable=False),
        sa.Column("game_id", sa.String(10)),
        sa.Column("text", sa.String(280), nullable=False),
        sa.Column("made_at", sa.DateTime, nullable=False),
        sa.Column("closed_at", sa.DateTime),
        sa.PrimaryKeyConstraint("id", name="pk_reports"),
        sa.ForeignKeyConstraint(
            ["reporter_id"], ["players.id"], name="fk_reports_reporter_id_players"
        ),
        sa.ForeignKeyConstraint(
            ["reported_id"], ["players.id"], name="fk_reports_reported_id_players"
        ),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_reports_game_id_games"),
        sqlite_autoincrement=True,
    )


def _make_index(index: _Index) -> None:
    in_sqlite, in_postgresql = index.where or (None, None)
    known = {each["name"]: each for each in _inspector().get_indexes(index.table)}.get(index.name)
    if known is not None:
        is_alike = (known["column_names"], bool(known["unique"])) == (index.columns, index.unique)
        # Conditions were changed in SQLite alone.
        if is_alike and (not _is_sqlite() or _definition(index.name).endswith(in_sqlite or ")")):
            return
        op.drop_index(index.name, index.table)
    op.create_index(
        index.name,
        index.table,
        index.columns,
        unique=index.unique,
        sqlite_where=None if in_sqlite is None else sa.text(in_sqlite),
        postgresql_where=None if in_postgresql is None else sa.text(in_postgresql),
    )
