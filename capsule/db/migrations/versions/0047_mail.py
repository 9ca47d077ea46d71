"""E-mail: subscriptions, codes, letters, and what they tell.

A trigger notes in `mail_due` each change that may concern a subscriber, in the transaction that
makes it: it follows the notes in `changes`, which already name the players.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0047"
down_revision = "0046"
branch_labels = None
depends_on = None

IS_WAITING = "state <> 'done' AND kind <> 'code'"
PLAYERS = "NEW.player_id, NEW.x_player_id, NEW.o_player_id, NEW.challenged_player_id"


def upgrade() -> None:
    """Add the tables and their triggers."""
    _add_subscriptions()
    _add_letters()
    due = (
        "INSERT INTO mail_due (player_id) SELECT player_id FROM mail_subscriptions"  # noqa: S608 - a constant
        f" WHERE player_id IN ({PLAYERS});"
    )
    if op.get_bind().dialect.name == "sqlite":
        op.execute(f"CREATE TRIGGER changes_insert_due AFTER INSERT ON changes BEGIN {due} END")
        return
    op.execute(
        "CREATE FUNCTION changes_insert_due() RETURNS trigger LANGUAGE plpgsql"
        f" AS $$ BEGIN {due} RETURN NULL; END $$"
    )
    op.execute(
        "CREATE TRIGGER changes_insert_due AFTER INSERT ON changes"
        " FOR EACH ROW EXECUTE FUNCTION changes_insert_due()"
    )


def _player(table: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(["player_id"], ["players.id"], f"fk_{table}_player_id_players")


def _add_subscriptions() -> None:
    op.create_table(
        "mail_subscriptions",
        sa.Column("player_id", sa.Integer, nullable=False),
        sa.Column("address", sa.String(254), nullable=False),
        sa.Column("confirmed_at", sa.DateTime, nullable=False),
        sa.Column("stop_key", sa.String(32), nullable=False),
        sa.Column("turns", sa.String(8), nullable=False),
        sa.Column("hour", sa.Integer, nullable=False),
        sa.Column("kinds", sa.String(80), nullable=False),
        sa.Column("refusal", sa.String(200), nullable=False, server_default=""),
        sa.PrimaryKeyConstraint("player_id", name="pk_mail_subscriptions"),
        sa.UniqueConstraint("stop_key", name="uq_mail_subscriptions_stop_key"),
        _player("mail_subscriptions"),
    )
    op.create_index("ix_mail_subscriptions_address", "mail_subscriptions", ["address"])
    op.create_table(
        "mail_codes",
        sa.Column("player_id", sa.Integer, nullable=False),
        sa.Column("address", sa.String(254), nullable=False),
        sa.Column("made_at", sa.DateTime, nullable=False),
        sa.Column("tries_left", sa.Integer, nullable=False),
        sa.Column("stop_key", sa.String(32), nullable=False),
        sa.Column("refusal", sa.String(200), nullable=False, server_default=""),
        sa.PrimaryKeyConstraint("player_id", name="pk_mail_codes"),
        sa.UniqueConstraint("stop_key", name="uq_mail_codes_stop_key"),
        _player("mail_codes"),
    )
    op.create_index("ix_mail_codes_address", "mail_codes", ["address"])
    op.create_index("ix_mail_codes_made_at", "mail_codes", ["made_at"])
    op.create_table(
        "mail_code_requests",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("player_id", sa.Integer, nullable=False),
        sa.Column("address_key", sa.String(64), nullable=False),
        sa.Column("made_at", sa.DateTime, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_mail_code_requests"),
        _player("mail_code_requests"),
    )
    for name, *columns in (
        ("player", "player_id", "made_at"),
        ("address", "address_key", "made_at"),
        ("made_at", "made_at"),
    ):
        op.create_index(f"ix_mail_code_requests_{name}", "mail_code_requests", columns)
    op.create_table(
        "mail_stops",
        sa.Column("address_key", sa.String(64), nullable=False),
        sa.Column("until", sa.DateTime, nullable=False),
        sa.PrimaryKeyConstraint("address_key", name="pk_mail_stops"),
    )


def _add_letters() -> None:
    op.create_table(
        "mail_due",
        sa.Column("number", sa.BigInteger().with_variant(sa.Integer, "sqlite"), nullable=False),
        sa.Column("player_id", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("number", name="pk_mail_due"),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "mail_schedule",
        sa.Column("player_id", sa.Integer, nullable=False),
        sa.Column("look_at", sa.DateTime, nullable=False),
        sa.Column("summary_on", sa.Date, nullable=False),
        sa.PrimaryKeyConstraint("player_id", name="pk_mail_schedule"),
        _player("mail_schedule"),
    )
    op.create_index("ix_mail_schedule_look_at", "mail_schedule", ["look_at"])
    op.create_table(
        "mail_looks",
        sa.Column("player_id", sa.Integer, nullable=False),
        sa.Column("game_id", sa.String(10), nullable=False),
        sa.Column("looked_at", sa.DateTime, nullable=False),
        sa.PrimaryKeyConstraint("player_id", "game_id", name="pk_mail_looks"),
        _player("mail_looks"),
    )
    op.create_index("ix_mail_looks_looked_at", "mail_looks", ["looked_at"])
    op.create_table(
        "mail_letters",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("player_id", sa.Integer, nullable=False),
        sa.Column("kind", sa.String(8), nullable=False),
        sa.Column("state", sa.String(8), nullable=False),
        sa.Column("message_key", sa.String(32), nullable=False),
        sa.Column("day", sa.Date, nullable=False),
        sa.Column("made_at", sa.DateTime, nullable=False),
        sa.Column("try_at", sa.DateTime, nullable=False),
        sa.Column("tries", sa.Integer, nullable=False),
        sa.Column("holder", sa.String(32)),
        sa.Column("held_until", sa.DateTime),
        sa.Column("crashes", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_mail_letters"),
        sa.UniqueConstraint("message_key", name="uq_mail_letters_message_key"),
        _player("mail_letters"),
        sqlite_autoincrement=True,
    )
    for name, columns, condition in (
        ("waiting", ["player_id"], IS_WAITING),
        ("summaries", ["player_id", "day"], "kind = 'summary'"),
    ):
        op.create_index(
            f"ix_mail_letters_{name}",
            "mail_letters",
            columns,
            unique=True,
            sqlite_where=sa.text(condition),
            postgresql_where=sa.text(condition),
        )
    op.create_index("ix_mail_letters_state", "mail_letters", ["state", "try_at"])
    op.create_index("ix_mail_letters_player", "mail_letters", ["player_id", "made_at"])
    op.create_table(
        "mail_told",
        sa.Column("player_id", sa.Integer, nullable=False),
        sa.Column("occasion", sa.String(80), nullable=False),
        sa.Column("letter_id", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("player_id", "occasion", name="pk_mail_told"),
        _player("mail_told"),
        sa.ForeignKeyConstraint(
            ["letter_id"], ["mail_letters.id"], "fk_mail_told_letter_id_mail_letters"
        ),
    )
    op.create_index("ix_mail_told_letter_id", "mail_told", ["letter_id"])
