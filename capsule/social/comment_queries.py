"""Reading and writing people's comments on games."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import (
    Integer,
    bindparam,
    false,
    func,
    insert,
    select,
    union_all,
    update,
)

from capsule.db.schema.games import games
from capsule.db.schema.social import comments
from capsule.social.line_queries import READER, Lines, incoming, incoming_lines
from engine import Side

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from sqlalchemy import Connection

    from capsule.social.model import IncomingLine, NewComment, StoredLine


_IS_LEFT = comments.c.withdrawn == false()

COMMENTS = Lines(comments, _IS_LEFT)
"""The comments under games, without those that their authors have withdrawn."""

_INCOMING_BY_SEAT = union_all(
    *(
        select(incoming(comments, recipient == READER, _IS_LEFT).subquery())
        for recipient in (comments.c.x_recipient_id, comments.c.o_recipient_id)
    )
).subquery()
_INCOMING = (
    select(_INCOMING_BY_SEAT)
    .order_by(_INCOMING_BY_SEAT.c.sent_at.desc(), _INCOMING_BY_SEAT.c.id.desc())
    .limit(bindparam("limit", type_=Integer))
)
_IS_COUNTED = (comments.c.removed == false(), _IS_LEFT)


def add_comment(connection: Connection, new: NewComment) -> None:
    """Store a comment and count it."""
    connection.execute(
        insert(comments).values(
            game_id=new.game_id,
            player_id=new.author_id,
            x_recipient_id=new.recipients[Side.X],
            o_recipient_id=new.recipients[Side.O],
            text=new.text,
            sent_at=new.written_at,
        )
    )
    _count(connection, new.game_id, 1)


def comment_by_id(connection: Connection, game_id: str, number: int) -> StoredLine | None:
    """Return the comment under a game with this number, None if it has no text, or none is."""
    found = COMMENTS.with_number(connection, game_id, number)
    return found if found is not None and found.text else None


def withdraw_comment(connection: Connection, game_id: str, number: int) -> None:
    """Delete the text of a comment that has one, for its author."""
    _empty(connection, game_id, number, "withdrawn")


def remove_comment(connection: Connection, game_id: str, number: int) -> None:
    """Delete the text of a comment that has one, for the operator; its place stays."""
    _empty(connection, game_id, number, "removed")


def incoming_comments(
    connection: Connection, player_id: int, since: datetime, limit: int
) -> Sequence[IncomingLine]:
    """Return others' last comments on a player's games, written after `since`, newest first."""
    return incoming_lines(connection, _INCOMING, player_id, since, limit)


def discount_comments(connection: Connection, player_id: int) -> None:
    """Count the comments that a player has written no longer."""
    mine = comments.c.player_id == player_id
    number = (
        select(func.count())
        .where(comments.c.game_id == games.c.id, mine, *_IS_COUNTED)
        .scalar_subquery()
    )
    commented = select(comments.c.game_id).where(mine)
    connection.execute(
        update(games).where(games.c.id.in_(commented)).values(comments=games.c.comments - number)
    )


def _empty(connection: Connection, game_id: str, number: int, mark: str) -> None:
    connection.execute(
        update(comments).where(comments.c.id == number).values({"text": "", mark: True})
    )
    _count(connection, game_id, -1)


def _count(connection: Connection, game_id: str, more: int) -> None:
    connection.execute(
        update(games).where(games.c.id == game_id).values(comments=games.c.comments + more)
    )
