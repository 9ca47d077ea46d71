"""Tournaments in reports and the operator's reasons for calling them off; the looks of names."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0029"
down_revision = "0028"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add columns and indexes, and fill in what follows from the rest."""
    op.add_column("tournaments", sa.Column("called_off_for", sa.String(280)))
    # As SQL, since Alembic adds no reference to a table of SQLite.
    op.execute(
        "ALTER TABLE reports ADD COLUMN tournament_id VARCHAR(10)"
        " CONSTRAINT fk_reports_tournament_id_tournaments REFERENCES tournaments (id)"
    )
    op.add_column(
        "games", sa.Column("declined", sa.Boolean, nullable=False, server_default=sa.false())
    )
    op.create_index(
        "ix_games_declined",
        "games",
        ["challenged_player_id", "ended_at"],
        sqlite_where=sa.text("declined = 1"),
        postgresql_where=sa.text("declined"),
    )
    _look_at_names()


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
