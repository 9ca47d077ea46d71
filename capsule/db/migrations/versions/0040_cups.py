"""The monthly cups."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from capsule.db.migrations.notes import note

revision = "0040"
down_revision = "0039"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the tables of cups, and the columns by which tournaments and games belong to one."""
    _add_tables()
    # As SQL, since Alembic adds no reference to a table of SQLite.
    op.execute(
        "ALTER TABLE tournaments ADD COLUMN cup VARCHAR(7)"
        " CONSTRAINT fk_tournaments_cup_cups REFERENCES cups (month)"
    )
    op.add_column("tournaments", sa.Column("cup_group", sa.Integer))
    op.add_column("tournaments", sa.Column("ends_at", sa.DateTime))
    op.create_index("ix_tournaments_cup", "tournaments", ["cup", "cup_group"], unique=True)
    op.add_column("games", sa.Column("ends_by", sa.DateTime))
    runs = sa.text("ends_by IS NOT NULL AND ended_at IS NULL")
    op.create_index(
        "ix_games_ends_by", "games", ["ends_by", "id"], sqlite_where=runs, postgresql_where=runs
    )


def _add_tables() -> None:
    op.create_table(
        "cups",
        sa.Column("month", sa.String(7), nullable=False),
        sa.Column("variant", sa.String(16), nullable=False),
        sa.Column("status", sa.String(16), nullable=False),
        sa.Column("group_count", sa.Integer),
        sa.Column("begun_at", sa.DateTime),
        sa.Column("final_at", sa.DateTime),
        sa.Column("ended_at", sa.DateTime),
        sa.PrimaryKeyConstraint("month", name="pk_cups"),
    )
    op.create_index("ix_cups_status", "cups", ["status"])
    op.create_table(
        "cup_entries",
        sa.Column("month", sa.String(7), nullable=False),
        sa.Column("player_id", sa.Integer, nullable=False, autoincrement=False),
        sa.Column("entered_at", sa.DateTime, nullable=False),
        sa.Column("is_carried", sa.Boolean, nullable=False, server_default=sa.false()),
        sa.Column("group_number", sa.Integer),
        sa.Column("has_stayed", sa.Boolean),
        sa.PrimaryKeyConstraint("month", "player_id", name="pk_cup_entries"),
        sa.ForeignKeyConstraint(["month"], ["cups.month"], name="fk_cup_entries_month_cups"),
        sa.ForeignKeyConstraint(
            ["player_id"], ["players.id"], name="fk_cup_entries_player_id_players"
        ),
    )
    op.create_index("ix_cup_entries_player", "cup_entries", ["player_id", "month"])
    op.create_index("ix_cup_entries_group", "cup_entries", ["month", "group_number"])
    op.create_table(
        "cup_winners",
        sa.Column("month", sa.String(7), nullable=False),
        sa.Column("group_number", sa.Integer, nullable=False, autoincrement=False),
        sa.Column("player_id", sa.Integer, nullable=False, autoincrement=False),
        sa.PrimaryKeyConstraint("month", "group_number", "player_id", name="pk_cup_winners"),
        sa.ForeignKeyConstraint(["month"], ["cups.month"], name="fk_cup_winners_month_cups"),
        sa.ForeignKeyConstraint(
            ["player_id"], ["players.id"], name="fk_cup_winners_player_id_players"
        ),
    )
    op.create_index("ix_cup_winners_player", "cup_winners", ["player_id", "group_number", "month"])
    for table in ("cups", "cup_entries", "cup_winners"):
        for event in ("INSERT", "UPDATE", "DELETE"):
            note(table, event, "game_id", "VALUES (NULL)")
