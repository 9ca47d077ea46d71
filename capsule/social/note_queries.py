"""Reading and writing players' notes on games.

Clearing notes leaves an empty one, so that the number of a player's newest note on a game only ever
rises: by it a page is known to be out of date. The one before is kept without its text: it tells
whose such a page was.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import delete, func, insert, select, update

from capsule.db.mapper import Mapper
from capsule.db.schema.social import notes
from capsule.social.model import NewNote, StoredNote

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from sqlalchemy import Connection, Select


_NOTE = Mapper(StoredNote, notes, is_published=notes.c.published)
_NEW_NOTE = Mapper(NewNote, notes)


def notes_of(connection: Connection, game_id: str, player_id: int) -> Sequence[StoredNote]:
    """Return a player's notes on a game, the oldest first."""
    is_own = (notes.c.player_id == player_id, notes.c.game_id == game_id)
    return _NOTE.fetch_all(connection, _NOTE.select.where(*is_own).order_by(notes.c.id))


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
    values = {"game_id": game_id, "player_id": player_id, **_NEW_NOTE.values(note)}
    added = insert(notes).values(values).returning(notes.c.id)
    note_id: int = connection.execute(added).scalar_one()
    return note_id


def clear_notes(connection: Connection, game_id: str, player_id: int, now: datetime) -> None:
    """Empty a player's newest note on a game, delete those before, and add an empty one."""
    own = (notes.c.player_id == player_id, notes.c.game_id == game_id)
    newest = connection.execute(select(func.max(notes.c.id)).where(*own)).scalar_one()
    connection.execute(delete(notes).where(*own, notes.c.id < newest))
    connection.execute(update(notes).where(notes.c.id == newest).values(text=""))
    add_note(connection, game_id, player_id, NewNote("", now))
