"""Reading and writing players' notes on games.

Clearing notes leaves an empty one, so that the number of a player's newest note on a game only ever
rises: by it a page is known to be out of date. The one before is kept without its text: it tells
whose such a page was.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import delete, func, insert, select, update

from capsule.db.schema.social import notes
from capsule.social.model import NewNote, StoredNote

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from sqlalchemy import Connection, Select

    from capsule.db.schema.base import AnyRow


_NOTE = select(notes.c.id, notes.c.game_id, notes.c.text, notes.c.written_at, notes.c.published)


def notes_of(connection: Connection, game_id: str, player_id: int) -> Sequence[StoredNote]:
    """Return a player's notes on a game, the oldest first."""
    statement = _NOTE.where(notes.c.player_id == player_id, notes.c.game_id == game_id).order_by(
        notes.c.id
    )
    return [_note(row) for row in connection.execute(statement)]


def last_by(
    connection: Connection, player_id: int, game_id: str, limit: int
) -> Sequence[StoredNote]:
    """Return a player's last notes on a game, the newest first, as `Lines.last_by` does."""
    return notes_of(connection, game_id, player_id)[::-1][:limit]


def times_by(player_id: int) -> Select[datetime]:
    """Return the statement that selects when a player wrote notes."""
    return select(notes.c.written_at).where(notes.c.player_id == player_id)


def add_note(connection: Connection, game_id: str, player_id: int, note: NewNote) -> int:
    """Store a player's note on a game, and return its number."""
    note_id: int = connection.execute(
        insert(notes)
        .values(
            game_id=game_id,
            player_id=player_id,
            text=note.text,
            written_at=note.written_at,
            ply=note.ply,
        )
        .returning(notes.c.id)
    ).scalar_one()
    return note_id


def clear_notes(connection: Connection, game_id: str, player_id: int, now: datetime) -> None:
    """Empty a player's newest note on a game, delete those before, and add an empty one."""
    own = (notes.c.player_id == player_id, notes.c.game_id == game_id)
    newest = connection.execute(select(func.max(notes.c.id)).where(*own)).scalar_one()
    connection.execute(delete(notes).where(*own, notes.c.id < newest))
    connection.execute(update(notes).where(notes.c.id == newest).values(text=""))
    add_note(connection, game_id, player_id, NewNote("", now))


def notes_by(connection: Connection, player_id: int) -> Sequence[tuple[str, StoredNote]]:
    """Return every note of a player, each with the id of its game."""
    statement = _NOTE.where(notes.c.player_id == player_id, notes.c.text != "").order_by(
        notes.c.game_id, notes.c.id
    )
    return [(row.game_id, _note(row)) for row in connection.execute(statement)]


def erase_notes(connection: Connection, player_id: int) -> None:
    """Erase every note of a player."""
    connection.execute(delete(notes).where(notes.c.player_id == player_id))


def _note(row: AnyRow) -> StoredNote:
    return StoredNote(row.id, row.text, row.written_at, row.published)
