"""Looks of names, reports of tournaments, declined challenges, opponents of ratings, and bots."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0029"
down_revision = "0028"
branch_labels = None
depends_on = None

PARTIAL_INDEXES_OF_GAMES = (
    ("ix_games_open_seats", "precedence moved_at id variant", *["precedence IS NOT NULL"] * 2),
    (
        "ix_games_open_seats_variant",
        "variant precedence moved_at id",
        *["precedence IS NOT NULL"] * 2,
    ),
    ("ix_games_seats_taken", "seat_taken_by started_at", *["seat_taken_by IS NOT NULL"] * 2),
    ("ix_games_declined", "challenged_player_id ended_at", "declined = 1", "declined"),
    (
        "ix_games_rated_together",
        "x_player_id o_player_id variant started_at",
        "rated = 1",
        "rated",
    ),
    (
        "ix_games_met",
        "x_player_id x_bot o_player_id o_bot variant",
        *["rating_number IS NOT NULL"] * 2,
    ),
    *(
        (
            f"ix_games_{side}_player_bots",
            f"{side}_player_id variant {other}_bot moved_at winner",
            *[f"x_points IS NOT NULL AND start_ply = 0 AND {other}_bot IS NOT NULL"] * 2,
        )
        for side, other in ("xo", "ox")
    ),
)
"""Name, columns and, of SQLite and PostgreSQL, the condition of the new indexes of games."""


def upgrade() -> None:
    """Add columns and indexes, and fill in what follows from the rest."""
    op.add_column("tournaments", sa.Column("called_off_for", sa.String(280)))
    # As SQL, since Alembic adds no reference to a table of SQLite.
    op.execute(
        "ALTER TABLE reports ADD COLUMN tournament_id VARCHAR(10)"
        " CONSTRAINT fk_reports_tournament_id_tournaments REFERENCES tournaments (id)"
    )
    for name in ("declined", "surplus"):
        column = sa.Column(name, sa.Boolean, nullable=False, server_default=sa.false())
        op.add_column("games", column)
    op.add_column(
        "players", sa.Column("width_chosen", sa.Boolean, nullable=False, server_default=sa.false())
    )
    op.add_column("games", sa.Column("precedence", sa.Integer))
    rated = sa.Column("rated_against_bots", sa.Boolean, nullable=False, server_default=sa.false())
    op.add_column("players", rated)
    # As SQL, since Alembic adds no reference to a table of SQLite.
    op.execute(
        "ALTER TABLE games ADD COLUMN seat_taken_by INTEGER"
        " CONSTRAINT fk_games_seat_taken_by_players REFERENCES players (id)"
    )
    op.execute(
        "UPDATE games SET precedence = 1 - seats.number FROM ("
        "SELECT id, row_number() OVER"
        " (PARTITION BY coalesce(x_player_id, o_player_id) ORDER BY created_at, id) AS number"
        " FROM games WHERE listed AND status = 'waiting') AS seats WHERE seats.id = games.id"
    )
    for name, columns, sqlite_where, postgresql_where in PARTIAL_INDEXES_OF_GAMES:
        op.create_index(
            name,
            "games",
            columns.split(),
            sqlite_where=sa.text(sqlite_where),
            postgresql_where=sa.text(postgresql_where),
        )
    # Readers of feeds know what happened so far by the addresses that it had.
    op.add_column("clock", sa.Column("upgraded_at", sa.DateTime))
    op.execute("UPDATE clock SET upgraded_at = (SELECT max(moved_at) FROM games)")
    _count_opponents()
    _look_at_names()


def _count_opponents() -> None:
    """Count the opponents of each player's rating so far; what was shown after a game stays."""
    for table in ("ratings", "rating_changes"):
        op.add_column(table, sa.Column("opponents", sa.Integer))
    met = " UNION ".join(
        f"SELECT {other}_player_id, {other}_bot FROM games"  # noqa: S608 - constants
        f" WHERE {side}_player_id = ratings.player_id AND variant = ratings.variant"
        " AND rating_number IS NOT NULL"
        for side, other in ("xo", "ox")
    )
    op.execute(
        f"UPDATE ratings SET opponents = (SELECT count(*) FROM ({met}) AS met)"  # noqa: S608
        " WHERE player_id IS NOT NULL"
    )
    op.execute("UPDATE ratings SET opponents = 3 WHERE opponents > 3")
    op.drop_index("ix_ratings_ladder", "ratings")
    columns = "variant mu id sigma games opponents changed_at player_id"
    op.create_index("ix_ratings_ladder", "ratings", columns.split())


def _look_at_names() -> None:
    """Store the looks of all names; of those that look alike, the later ones get numbers."""
    op.add_column("players", sa.Column("look", sa.String(24)))
    op.add_column(
        "players", sa.Column("look_number", sa.Integer, nullable=False, server_default="0")
    )
    op.add_column("former_names", sa.Column("look", sa.String(24)))
    look = "look = replace(replace(likeness, 'nn', 'm'), 'cl', 'd')"
    op.execute(f"UPDATE players SET {look} WHERE name <> ''")  # noqa: S608 - constants
    op.execute(f"UPDATE former_names SET {look}")  # noqa: S608 - constants
    op.execute(
        "UPDATE players SET look_number = id FROM"
        " (SELECT look, min(id) AS first_id FROM players GROUP BY look) AS looks"
        " WHERE looks.look = players.look AND players.id > looks.first_id"
    )
    op.create_index("ix_players_look", "players", ["look", "look_number"], unique=True)
    op.create_index("ix_former_names_look", "former_names", ["look"])
