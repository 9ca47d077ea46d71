"""Reading and writing what players say to each other under a game."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlalchemy import Integer, bindparam, case, delete, exists, insert, select

from capsule.db.schema.base import Moment
from capsule.db.schema.games import games
from capsule.db.schema.players import players, relations
from capsule.db.schema.social import messages

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from sqlalchemy import ColumnElement, Connection, Select


@dataclass(frozen=True)
class StoredMessage:
    """A message under a game, and who wrote it; its text is "" where the operator removed it."""

    id: int
    player_id: int
    text: str
    sent_at: datetime


@dataclass(frozen=True)
class IncomingMessage:
    """A message for somebody: under which game it is, and who wrote it."""

    id: int
    game_id: str
    variant: str
    author: str
    sent_at: datetime


READER = bindparam("player_id", type_=Integer)
"""Who reads, 0 for a stranger: nobody is shown messages of those whom they muted or blocked."""

TEXT: ColumnElement[str] = case((messages.c.removed, ""), else_=messages.c.text)
"""A message's text, "" where it was removed."""

IS_SHOWN = ~exists().where(
    relations.c.player_id == READER, relations.c.other_id == messages.c.player_id
)
"""Whether the reader is shown what its writer writes."""

_OF_GAME = select(messages.c.id, messages.c.player_id, TEXT, messages.c.sent_at).where(
    messages.c.game_id == bindparam("game_id"), IS_SHOWN
)
_NEWS = (
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
    )
    .order_by(messages.c.sent_at.desc(), messages.c.id.desc())
    .limit(bindparam("most", type_=Integer))
)


def messages_from(
    connection: Connection, game_id: str, reader_id: int, first: int, most: int
) -> Sequence[StoredMessage]:
    """Return messages of a game from the id `first` on, in order, `most` at the most.

    Those that the reader is not shown are not among them; `reader_id` is 0 for a stranger.
    """
    statement = _OF_GAME.where(messages.c.id >= first).order_by(messages.c.id).limit(most)
    return _read(connection, statement, game_id, reader_id)


def messages_before(
    connection: Connection, game_id: str, reader_id: int, before: int | None, most: int
) -> Sequence[StoredMessage]:
    """Return the last messages of a game before the id `before`, or of all, in order."""
    statement = _OF_GAME.order_by(messages.c.id.desc()).limit(most)
    if before is not None:
        statement = statement.where(messages.c.id < before)
    return _read(connection, statement, game_id, reader_id)[::-1]


def sent_since(
    connection: Connection, player_id: int, since: datetime, most: int, game_id: str | None = None
) -> Sequence[datetime]:
    """Return when a player sent the last messages after a time, of one game or all, newest first.

    They are `most` at the most.
    """
    statement = (
        select(messages.c.sent_at)
        .where(messages.c.player_id == player_id, messages.c.sent_at > since)
        .order_by(messages.c.sent_at.desc())
        .limit(most)
    )
    if game_id is not None:
        statement = statement.where(messages.c.game_id == game_id)
    return connection.execute(statement).scalars().all()


def add_message(connection: Connection, **values: Any) -> None:  # noqa: ANN401 - columns' types
    """Store a message; `values` are columns of the table."""
    connection.execute(insert(messages).values(**values))


def incoming_messages(
    connection: Connection, player_id: int, since: datetime, most: int
) -> Sequence[IncomingMessage]:
    """Return the last messages for a player that were sent after a time, newest first."""
    which = {"player_id": player_id, "since": since, "most": most}
    rows: Sequence[Sequence[Any]] = connection.execute(_NEWS, which).all()
    return [IncomingMessage(*row) for row in rows]


def messages_by(connection: Connection, player_id: int) -> list[dict[str, str]]:
    """Return every message that a player has written, fit for JSON."""
    statement = (
        select(messages.c.game_id, messages.c.sent_at, TEXT)
        .where(messages.c.player_id == player_id)
        .order_by(messages.c.sent_at, messages.c.id)
    )
    return [
        {"game": game_id, "sent": sent_at.isoformat(), "text": text}
        for game_id, sent_at, text in connection.execute(statement)
    ]


def erase_messages(connection: Connection, player_id: int) -> None:
    """Erase every message that a player has written."""
    connection.execute(delete(messages).where(messages.c.player_id == player_id))


def _read(
    connection: Connection, statement: Select[Any], game_id: str, reader_id: int
) -> Sequence[StoredMessage]:
    which = {"game_id": game_id, "player_id": reader_id}
    rows: Sequence[Sequence[Any]] = connection.execute(statement, which).all()
    return [StoredMessage(*row) for row in rows]
