"""The season: the points that players earn in a month."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from capsule.db.migrations.notes import note

revision = "0038"
down_revision = "0037"
branch_labels = None
depends_on = None

EVENTS = ("INSERT", "UPDATE", "DELETE")


def upgrade() -> None:
    """Add the tables and what is due, and let the last month's games and positions count."""
    for table, index, columns in (
        ("games", "ix_games_season_due", ["ended_at", "id"]),
        ("daily_solutions", "ix_daily_solutions_season_due", ["player_id", "day"]),
    ):
        due = sa.Column("season_due", sa.Boolean, nullable=False, server_default=sa.false())
        op.add_column(table, due)
        op.create_index(
            index,
            table,
            columns,
            sqlite_where=sa.text("season_due = 1"),
            postgresql_where=sa.text("season_due"),
        )
    _add_tables()
    op.execute("INSERT INTO counters (name, value) VALUES ('seasons', 0)")
    _count_the_last_month()


def _add_tables() -> None:
    op.create_table(
        "season_events",
        sa.Column("month", sa.Date, nullable=False),
        sa.Column("player_id", sa.Integer, nullable=False),
        sa.Column("kind", sa.String(8), nullable=False),
        sa.Column("source", sa.String(10), nullable=False),
        sa.Column("happened_at", sa.DateTime, nullable=False),
        sa.Column("points", sa.Integer, nullable=False),
        sa.Column("opponent_id", sa.Integer),
        sa.PrimaryKeyConstraint("month", "player_id", "kind", "source", name="pk_season_events"),
        *(
            sa.ForeignKeyConstraint([name], ["players.id"], f"fk_season_events_{name}_players")
            for name in ("player_id", "opponent_id")
        ),
    )
    op.create_index("ix_season_events_opponent", "season_events", ["opponent_id", "month"])
    op.create_table(
        "season_bans",
        sa.Column("month", sa.Date, nullable=False),
        sa.Column("player_id", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("month", "player_id", name="pk_season_bans"),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], "fk_season_bans_player_id_players"),
    )
    op.create_table(
        "season_standings",
        sa.Column("month", sa.Date, nullable=False),
        sa.Column("player_id", sa.Integer, nullable=False),
        sa.Column("points", sa.Integer, nullable=False),
        sa.Column("games", sa.Integer, nullable=False),
        sa.Column("reached_at", sa.DateTime, nullable=False),
        sa.Column("sort_key", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("month", "player_id", name="pk_season_standings"),
        sa.ForeignKeyConstraint(
            ["player_id"], ["players.id"], "fk_season_standings_player_id_players"
        ),
    )
    columns = ["month", "sort_key", "player_id"]
    op.create_index("ix_season_standings_table", "season_standings", columns)
    for event in EVENTS:
        for table in ("season_events", "season_bans"):
            note(table, event, "game_id", "VALUES ('')")
        note("season_standings", event, "game_id", "VALUES ('season')")


def _count_the_last_month() -> None:
    """Let the games and positions count of the month in which something last happened."""
    bind = op.get_bind()
    due = sa.column("season_due", sa.Boolean)
    ended_at, day = sa.column("ended_at", sa.DateTime), sa.column("day", sa.Date)
    games = sa.table("games", ended_at, sa.column("x_points", sa.Float), due)
    days = sa.table("daily_solutions", day, sa.column("season_due", sa.Boolean))
    last = bind.execute(sa.select(sa.func.max(games.c.ended_at))).scalar()
    if last is not None:
        since = last.replace(day=1, hour=0, minute=0, second=0, microsecond=0)
        is_due = games.c.x_points.is_not(None) & (games.c.ended_at >= since)
        bind.execute(sa.update(games).where(is_due).values(season_due=True))
        bind.execute(sa.update(days).where(days.c.day >= since.date()).values(season_due=True))
