"""Messages, notes, whom players want to hear less of, and reports."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Let players talk, and not listen."""
    op.add_column(
        "games",
        sa.Column("x_shows_messages", sa.Boolean, nullable=False, server_default=sa.false()),
    )
    op.add_column(
        "games",
        sa.Column("o_shows_messages", sa.Boolean, nullable=False, server_default=sa.false()),
    )
    op.create_table(
        "messages",
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
    op.create_index("ix_messages_game", "messages", ["game_id", "id"])
    op.create_index("ix_messages_game_player", "messages", ["game_id", "player_id"])
    op.create_index("ix_messages_player", "messages", ["player_id", "sent_at"])
    op.create_index("ix_messages_recipient", "messages", ["recipient_id", "sent_at"])
    op.create_table(
        "notes",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("game_id", sa.String(10), nullable=False),
        sa.Column("player_id", sa.Integer, nullable=False),
        sa.Column("text", sa.String(280), nullable=False),
        sa.Column("written_at", sa.DateTime, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_notes"),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_notes_game_id_games"),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="fk_notes_player_id_players"),
    )
    op.create_index("ix_notes_player", "notes", ["player_id", "game_id", "id"])
    op.create_index("ix_notes_written_at", "notes", ["player_id", "written_at"])
    op.create_table(
        "relations",
        sa.Column("player_id", sa.Integer, nullable=False),
        sa.Column("other_id", sa.Integer, nullable=False),
        sa.Column("kind", sa.String(8), nullable=False),
        sa.Column("since", sa.DateTime, nullable=False),
        sa.PrimaryKeyConstraint("player_id", "other_id", name="pk_relations"),
        sa.ForeignKeyConstraint(
            ["player_id"], ["players.id"], name="fk_relations_player_id_players"
        ),
        sa.ForeignKeyConstraint(["other_id"], ["players.id"], name="fk_relations_other_id_players"),
    )
    op.create_index("ix_relations_other_id", "relations", ["other_id"])
    op.create_table(
        "reports",
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
    op.create_index("ix_reports_reporter_id", "reports", ["reporter_id"])
    op.create_index("ix_reports_reported_id", "reports", ["reported_id"])
    op.create_index("ix_reports_open", "reports", ["closed_at", "id"])
