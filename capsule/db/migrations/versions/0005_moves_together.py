"""In SQLite, the moves of a game side by side in the file.

They were in the order in which all moves of all games were made, so that a page of a game had to
read as many places of the file as the game has moves.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

_COLUMNS = "game_id, ply, move, side, played_at, takebacks, planned"


def upgrade() -> None:
    """Copy the moves into a table that is sorted by its key."""
    if op.get_bind().dialect.name != "sqlite":
        return
    op.create_table(
        "sorted_moves",
        sa.Column("game_id", sa.String(10), nullable=False),
        sa.Column("ply", sa.Integer, nullable=False),
        sa.Column("move", sa.String(64), nullable=False),
        sa.Column("side", sa.String(1), nullable=False),
        sa.Column("played_at", sa.DateTime, nullable=False),
        sa.Column("takebacks", sa.Integer, nullable=False, server_default="0"),
        sa.Column("planned", sa.Boolean, nullable=False, server_default=sa.false()),
        sa.PrimaryKeyConstraint("game_id", "ply", name="pk_moves"),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_moves_game_id_games"),
        sqlite_with_rowid=False,
    )
    op.execute(
        f"INSERT INTO sorted_moves ({_COLUMNS}) SELECT {_COLUMNS} FROM moves ORDER BY game_id, ply"  # noqa: S608 - a constant
    )
    op.drop_table("moves")
    op.rename_table("sorted_moves", "moves")
