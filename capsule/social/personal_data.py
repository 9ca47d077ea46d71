"""Export and erasure of favourites and of what a player has written."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capsule.context import PersonalData
from capsule.social import (
    annotation_queries,
    comment_queries,
    favourite_queries,
    introduction_queries,
    message_queries,
    note_queries,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sqlalchemy import Connection

    from capsule.accounts.model import Player
    from capsule.context import AppContext


def export(_context: AppContext, connection: Connection, player: Player) -> Mapping[str, object]:
    """Return the player's introduction and favourites, and their messages, comments and notes."""
    said = introduction_queries.introduction_of(connection, player.id)
    return {
        "line": said.line,
        "website": said.website,
        "favourites": [
            {"name": name, "since": since.isoformat()}
            for name, since in favourite_queries.names_of_favourites(connection, player.id)
        ],
        "messages": [
            {"game": game_id, "sent": each.sent_at.isoformat(), "text": each.text}
            for game_id, each in message_queries.MESSAGES.all_by(connection, player.id)
        ],
        "comments": [
            {"game": game_id, "written": each.sent_at.isoformat(), "text": each.text}
            for game_id, each in comment_queries.COMMENTS.all_by(connection, player.id)
        ],
        "notes": [
            {
                "game": game_id,
                "written": each.written_at.isoformat(),
                "text": each.text,
                "published": each.is_published,
            }
            for game_id, each in note_queries.notes_by(connection, player.id)
        ],
        "annotated_games": [
            {"game": each.game_id, "published": each.published_at.isoformat()}
            for each in annotation_queries.annotated_by(connection, player.id)
        ],
    }


def erase(_context: AppContext, connection: Connection, player: Player) -> None:
    """Erase what the player has written, and their favourites; nobody has them as one any more.

    Messages to them belong to those who wrote them.
    """
    favourite_queries.erase_favourites(connection, player.id)
    comment_queries.erase_comments(connection, player.id)
    message_queries.erase_messages(connection, player.id)
    annotation_queries.erase(connection, player.id)
    note_queries.erase_notes(connection, player.id)
    introduction_queries.erase_introduction(connection, player.id)


PERSONAL_DATA = PersonalData(export, erase)
