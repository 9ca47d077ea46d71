"""Reading and writing what players note on games, for their own eyes alone.

Who clears their notes leaves an empty one, so that the number of the newest note of a player on a
game only ever rises: by it a page knows whether it is out of date.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlalchemy import delete, insert, select

from capsule.db.schema.social import notes

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from sqlalchemy import Connection


@dataclass(frozen=True)
class StoredNote:
    """A note of a player on a game; the text of one that stands for cleared notes is ""."""

    id: int
    text: str
    written_at: datetime


def notes_of(connection: Connection, game_id: str, player_id: int) -> Sequence[StoredNote]:
    """Return a player's notes on a game, the oldest first."""
    statement = (
        select(notes.c.id, notes.c.text, notes.c.written_at)
        .where(notes.c.player_id == player_id, notes.c.game_id == game_id)
        .order_by(notes.c.id)
    )
    rows: Sequence[Sequence[Any]] = connection.execute(statement).all()
    return [StoredNote(*row) for row in rows]


def written_since(
    connection: Connection, player_id: int, since: datetime, most: int
) -> Sequence[datetime]:
    """Return when a player wrote the last notes after a time, newest first, `most` at the most."""
    statement = (
        select(notes.c.written_at)
        .where(notes.c.player_id == player_id, notes.c.written_at > since)
        .order_by(notes.c.written_at.desc())
        .limit(most)
    )
    return connection.execute(statement).scalars().all()


def add_note(connection: Connection, game_id: str, player_id: int, text: str, now: datetime) -> int:
    """Store a note of a player on a game, and return its number."""
    note_id: int = connection.execute(
        insert(notes)
        .values(game_id=game_id, player_id=player_id, text=text, written_at=now)
        .returning(notes.c.id)
    ).scalar_one()
    return note_id


def clear_notes(connection: Connection, game_id: str, player_id: int, now: datetime) -> None:
    """Clear a player's notes on a game."""
    mark = add_note(connection, game_id, player_id, "", now)
    connection.execute(
        delete(notes).where(
            notes.c.player_id == player_id, notes.c.game_id == game_id, notes.c.id < mark
        )
    )


def notes_by(connection: Connection, player_id: int) -> list[dict[str, str]]:
    """Return every note of a player, fit for JSON."""
    statement = (
        select(notes.c.game_id, notes.c.written_at, notes.c.text)
        .where(notes.c.player_id == player_id, notes.c.text != "")
        .order_by(notes.c.game_id, notes.c.id)
    )
    return [
        {"game": game_id, "written": written_at.isoformat(), "text": text}
        for game_id, written_at, text in connection.execute(statement)
    ]


def erase_notes(connection: Connection, player_id: int) -> None:
    """Erase every note of a player."""
    connection.execute(delete(notes).where(notes.c.player_id == player_id))
