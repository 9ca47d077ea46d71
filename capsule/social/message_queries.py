"""Reading and writing the messages that players send each other under a game."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy import ColumnElement, Integer, bindparam, case, delete, exists, func, insert, select

from capsule.db.schema.absences import is_present
from capsule.db.schema.base import Moment
from capsule.db.schema.games import games
from capsule.db.schema.players import players, relations
from capsule.db.schema.social import messages
from capsule.games.absent_variant import variant_called
from capsule.social.model import IncomingMessage, StoredMessage

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from datetime import datetime

    from sqlalchemy import Connection, Select

    from capsule.db.schema.base import AnyRow
    from capsule.social.model import NewMessage


READER = bindparam("player_id", type_=Integer)
"""The number of the reader, 0 for a stranger."""

TEXT: ColumnElement[str] = case((messages.c.removed, ""), else_=messages.c.text)
"""A message's text, "" if it was removed."""

IS_SHOWN = ~exists().where(
    relations.c.player_id == READER, relations.c.other_id == messages.c.player_id
)
"""The condition that the reader has neither muted nor blocked the author."""

_MESSAGE = select(
    messages.c.id, messages.c.player_id, TEXT.label("text"), messages.c.sent_at, messages.c.game_id
)
_OF_GAME = _MESSAGE.where(messages.c.game_id == bindparam("game_id"), IS_SHOWN)
_INCOMING = (
    select(
        messages.c.id,
        messages.c.game_id,
        games.c.variant,
        players.c.name,
        messages.c.sent_at,
    )
    .join(games, games.c.id == messages.c.game_id)
    .join(players, players.c.id == messages.c.player_id)
    .where(
        messages.c.recipient_id == READER,
        messages.c.sent_at > bindparam("since", type_=Moment),
        ~messages.c.removed,
        IS_SHOWN,
        is_present(games.c.variant),
    )
    .order_by(messages.c.sent_at.desc(), messages.c.id.desc())
    .limit(bindparam("limit", type_=Integer))
)


def messages_from(
    connection: Connection, game_id: str, reader_id: int, first: int, limit: int
) -> Sequence[StoredMessage]:
    """Return the messages under a game that a reader is shown, in order, from the id `first` on.

    At most `limit` of them; `reader_id` is 0 for a stranger.
    """
    statement = _OF_GAME.where(messages.c.id >= first).order_by(messages.c.id).limit(limit)
    return _read(connection, statement, game_id, reader_id)


def messages_before(
    connection: Connection, game_id: str, reader_id: int, before: int | None, limit: int
) -> Sequence[StoredMessage]:
    """Return the last messages that a reader is shown, in order: before an id, or of all."""
    statement = _OF_GAME.order_by(messages.c.id.desc()).limit(limit)
    if before is not None:
        statement = statement.where(messages.c.id < before)
    return _read(connection, statement, game_id, reader_id)[::-1]


def newest_messages(connection: Connection, game_ids: Collection[str]) -> Mapping[str, int]:
    """Return the id of the newest message under each of these games that has one."""
    statement = (
        select(messages.c.game_id, func.max(messages.c.id).label("newest"))
        .where(messages.c.game_id.in_(game_ids))
        .group_by(messages.c.game_id)
    )
    return {row.game_id: row.newest for row in connection.execute(statement)}


def times_by(player_id: int) -> Select[datetime]:
    """Return the statement that selects when a player sent messages."""
    return select(messages.c.sent_at).where(messages.c.player_id == player_id)


def times_in_game(player_id: int, game_id: str) -> Select[datetime]:
    """Return the statement that selects when a player sent messages under a game."""
    return times_by(player_id).where(messages.c.game_id == game_id)


def add_message(connection: Connection, new: NewMessage) -> None:
    """Store a message."""
    connection.execute(
        insert(messages).values(
            game_id=new.game_id,
            player_id=new.author_id,
            recipient_id=new.recipient_id,
            text=new.text,
            sent_at=new.sent_at,
        )
    )


def incoming_messages(
    connection: Connection, player_id: int, since: datetime, limit: int
) -> Sequence[IncomingMessage]:
    """Return the last messages to a player that were sent after `since`, newest first."""
    which = {"player_id": player_id, "since": since, "limit": limit}
    return [
        IncomingMessage(
            id=row.id,
            game_id=row.game_id,
            variant=variant_called(row.variant),
            author=row.name,
            sent_at=row.sent_at,
        )
        for row in connection.execute(_INCOMING, which)
    ]


def last_messages_by(
    connection: Connection, player_id: int, game_id: str, limit: int
) -> Sequence[StoredMessage]:
    """Return the last messages that a player has written under a game, newest first."""
    statement = _MESSAGE.where(messages.c.game_id == game_id, messages.c.player_id == player_id)
    newest = statement.order_by(messages.c.id.desc()).limit(limit)
    return [_message(row) for row in connection.execute(newest)]


def messages_by(connection: Connection, player_id: int) -> Sequence[tuple[str, StoredMessage]]:
    """Return every message that a player has written, in order, each with the id of its game."""
    statement = _MESSAGE.where(messages.c.player_id == player_id).order_by(
        messages.c.sent_at, messages.c.id
    )
    return [(row.game_id, _message(row)) for row in connection.execute(statement)]


def erase_messages(connection: Connection, player_id: int) -> None:
    """Erase every message that a player has written."""
    connection.execute(delete(messages).where(messages.c.player_id == player_id))


def _read(
    connection: Connection, statement: Select[Any], game_id: str, reader_id: int
) -> Sequence[StoredMessage]:
    which = {"game_id": game_id, "player_id": reader_id}
    return [_message(row) for row in connection.execute(statement, which)]


def _message(row: AnyRow) -> StoredMessage:
    return StoredMessage(id=row.id, author_id=row.player_id, text=row.text, sent_at=row.sent_at)
