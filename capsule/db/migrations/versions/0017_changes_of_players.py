"""Note in the table of changes whose games they are about, so that players' lists can be kept."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None

ABOUT_A_GAME = ("moves", "plans", "analyses", "messages", "notes")
"""The tables whose rows are about one game, besides the games themselves."""

PLAYERS = ("x_player_id", "o_player_id", "challenged_player_id")
"""The columns of the players whom a game concerns, in both tables."""


def upgrade() -> None:
    """Add the players' columns and, in SQLite, have the triggers fill them in."""
    for column in PLAYERS:
        op.add_column("changes", sa.Column(column, sa.Integer))
    if op.get_bind().dialect.name != "sqlite":
        return
    for event, row in (("INSERT", "NEW"), ("UPDATE", "NEW"), ("DELETE", "OLD")):
        for table in ABOUT_A_GAME:
            game = f"{row}.game_id"
            players = ", ".join(
                f"(SELECT {column} FROM games WHERE id = {game})"  # noqa: S608 - constants
                for column in PLAYERS
            )
            _note(table, event, f"VALUES ({game}, {players})")
        notes = [f"VALUES ({_players(row)})"]
        if event == "UPDATE":
            # It concerns whoever has left the game, too.
            changed = " OR ".join(f"OLD.{column} IS NOT NEW.{column}" for column in PLAYERS)
            notes.append(f"SELECT {_players('OLD')} WHERE {changed}")
        _note("games", event, *notes)


def _players(row: str) -> str:
    return ", ".join([f"{row}.id", *(f"{row}.{column}" for column in PLAYERS)])


def _note(table: str, event: str, *notes: str) -> None:
    columns = ", ".join(["game_id", *PLAYERS])
    name = f"{table}_{event.lower()}_noted"
    op.execute(f"DROP TRIGGER {name}")
    body = " ".join(f"INSERT INTO changes ({columns}) {note};" for note in notes)
    op.execute(f"CREATE TRIGGER {name} AFTER {event} ON {table} BEGIN {body} END")
