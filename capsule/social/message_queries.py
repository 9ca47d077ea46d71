"""Reading and writing the messages that players send each other under a game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import func, insert, select, update

from capsule.db.mapper import Mapper
from capsule.db.schema.social import messages
from capsule.social.line_queries import READER, Lines, incoming, incoming_lines
from capsule.social.model import NewMessage

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from datetime import datetime

    from sqlalchemy import Connection

    from capsule.social.model import IncomingLine


MESSAGES = Lines(messages)
"""The messages under games."""

_NEW_MESSAGE = Mapper(NewMessage, messages, author_id=messages.c.player_id)
_INCOMING = incoming(messages, messages.c.recipient_id == READER)


def newest_messages(connection: Connection, game_ids: Collection[str]) -> Mapping[str, int]:
    """Return the id of the newest message under each of these games that has one."""
    statement = (
        select(messages.c.game_id, func.max(messages.c.id).label("newest"))
        .where(messages.c.game_id.in_(game_ids))
        .group_by(messages.c.game_id)
    )
    return {row.game_id: row.newest for row in connection.execute(statement)}


def add_message(connection: Connection, new: NewMessage) -> None:
    """Store a message."""
    connection.execute(insert(messages), _NEW_MESSAGE.values(new))


def incoming_messages(
    connection: Connection, player_id: int, since: datetime, limit: int
) -> Sequence[IncomingLine]:
    """Return the last messages to a player that were sent after `since`, newest first."""
    return incoming_lines(connection, _INCOMING, player_id, since, limit)


def remove_message(connection: Connection, message_id: int) -> None:
    """Delete the text of a message, for the operator; its place under the game stays."""
    connection.execute(
        update(messages).where(messages.c.id == message_id).values(text="", removed=True)
    )
