"""Reading and writing the lines under games: messages and comments, and one reader's panel."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from enum import StrEnum
from typing import Any

import sqlalchemy as sa

from capsule.accounts import queries as account_queries
from capsule.accounts.identity import NONE_YET
from capsule.accounts.model import RelationKind
from capsule.db.mapper import Mapper
from capsule.db.schema.base import Moment
from capsule.db.schema.games import games, is_present
from capsule.db.schema.players import players, relations
from capsule.db.schema.social import comments, messages, notes
from capsule.games.game import Game
from capsule.games.queries import variant_stored
from capsule.social.model import (
    IncomingLine,
    LinePage,
    NewComment,
    NewMessage,
    SocialPanel,
    StoredLine,
    StoredNote,
)

READER = sa.bindparam("player_id", type_=sa.Integer)
"""The number of the reader, 0 for a stranger."""


def text_of(table: sa.Table) -> sa.ColumnElement[str]:
    """Return a line's text, "" if the operator removed it."""
    return sa.case((table.c.removed, ""), else_=table.c.text)


def is_shown(table: sa.Table) -> sa.ColumnElement[bool]:
    """Return the condition that the reader has neither muted nor blocked the author of a line."""
    return ~sa.exists().where(
        relations.c.player_id == READER, relations.c.other_id == table.c.player_id
    )


def _incoming(table: sa.FromClause) -> Mapper[IncomingLine]:
    variant = variant_stored(games.c.variant)
    return Mapper(IncomingLine, table, variant=variant, author=players.c.name)


_INCOMING_LINE = _incoming(messages)


def incoming(table: sa.Table, *conditions: sa.ColumnElement[bool]) -> sa.Select[Any]:
    """Return the statement that selects the newest lines with conditions, for `incoming_lines`."""
    return (
        sa.select(*_incoming(table).columns)
        .join(games, games.c.id == table.c.game_id)
        .join(players, players.c.id == table.c.player_id)
        .where(
            *conditions,
            table.c.sent_at > sa.bindparam("since", type_=Moment),
            ~table.c.removed,
            is_shown(table),
            is_present(games.c.variant),
        )
        .order_by(table.c.sent_at.desc(), table.c.id.desc())
        .limit(sa.bindparam("limit", type_=sa.Integer))
    )


def incoming_lines(
    connection: sa.Connection,
    statement: sa.Select[Any] | sa.CompoundSelect[Any],
    player_id: int,
    since: datetime,
    limit: int,
) -> Sequence[IncomingLine]:
    """Return the last lines to a player that were written after `since`, newest first."""
    which = {"player_id": player_id, "since": since, "limit": limit}
    return _INCOMING_LINE.fetch_all(connection, statement, which)


class LineTable:
    """A table of lines under games, of which all readers are shown those with a condition."""

    def __init__(self, table: sa.Table, *conditions: sa.ColumnElement[bool]) -> None:
        self._columns = table.c
        self._mapper = Mapper(StoredLine, table, author_id=table.c.player_id, text=text_of(table))
        self._any_line, self._line = self._mapper.select, self._mapper.select.where(*conditions)
        self._of_game = self._line.where(
            table.c.game_id == sa.bindparam("game_id"), is_shown(table)
        )

    def from_number(
        self, connection: sa.Connection, game_id: str, reader_id: int, first: int, limit: int
    ) -> Sequence[StoredLine]:
        """Return the lines under a game that a reader is shown, in order, from the id `first` on.

        At most `limit` of them; `reader_id` is 0 for a stranger.
        """
        number = self._columns.id
        statement = self._of_game.where(number >= first).order_by(number).limit(limit)
        return self._read(connection, statement, game_id, reader_id)

    def before(
        self,
        connection: sa.Connection,
        game_id: str,
        reader_id: int,
        before: int | None,
        limit: int,
    ) -> Sequence[StoredLine]:
        """Return the last lines that a reader is shown, in order: before an id, or of all."""
        number = self._columns.id
        statement = self._of_game.order_by(number.desc()).limit(limit)
        if before is not None:
            statement = statement.where(number < before)
        return self._read(connection, statement, game_id, reader_id)[::-1]

    def page(
        self, connection: sa.Connection, game_id: str, reader_id: int, first: int | None, size: int
    ) -> LinePage:
        """Return up to `size` lines that a reader is shown: from the id `first` on, or the last."""
        found: Sequence[StoredLine] = ()
        if first is not None:
            found = self.from_number(connection, game_id, reader_id, first, size + 1)
        found = found or self.before(connection, game_id, reader_id, None, size)
        if not found:
            return LinePage()
        before = self.before(connection, game_id, reader_id, found[0].id, size)
        shown, beyond = found[:size], found[size:]
        return LinePage(shown, before[0].id if before else None, beyond[0].id if beyond else None)

    def with_number(
        self, connection: sa.Connection, game_id: str, number: int
    ) -> StoredLine | None:
        """Return the line under a game with this id, None if there is none."""
        statement = self._line.where(self._columns.id == number, self._columns.game_id == game_id)
        return self._mapper.fetch_first(connection, statement)

    def last_by(
        self, connection: sa.Connection, player_id: int, game_id: str, limit: int
    ) -> Sequence[StoredLine]:
        """Return the last lines that a player has written under a game, newest first.

        Those that no reader is shown are among them.
        """
        statement = self._any_line.where(
            self._columns.game_id == game_id, self._columns.player_id == player_id
        )
        newest = statement.order_by(self._columns.id.desc()).limit(limit)
        return self._mapper.fetch_all(connection, newest)

    def times_by(self, player_id: int) -> sa.Select[datetime]:
        """Return the statement that selects when a player wrote lines."""
        return sa.select(self._columns.sent_at).where(self._columns.player_id == player_id)

    def times_in_game(self, player_id: int, game_id: str) -> sa.Select[datetime]:
        """Return the statement that selects when a player wrote lines under a game."""
        return self.times_by(player_id).where(self._columns.game_id == game_id)

    def _read(
        self, connection: sa.Connection, statement: sa.Select[Any], game_id: str, reader_id: int
    ) -> Sequence[StoredLine]:
        which = {"game_id": game_id, "player_id": reader_id}
        return self._mapper.fetch_all(connection, statement, which)


MESSAGES = LineTable(messages)
"""The messages under games."""

_NEW_MESSAGE = Mapper(NewMessage, messages, author_id=messages.c.player_id)
_INCOMING_MESSAGES = incoming(messages, messages.c.recipient_id == READER)


def newest_messages(connection: sa.Connection, game_ids: Collection[str]) -> Mapping[str, int]:
    """Return the id of the newest message under each of these games that has one."""
    statement = (
        sa.select(messages.c.game_id, sa.func.max(messages.c.id).label("newest"))
        .where(messages.c.game_id.in_(game_ids))
        .group_by(messages.c.game_id)
    )
    return {row.game_id: row.newest for row in connection.execute(statement)}


def add_message(connection: sa.Connection, new: NewMessage) -> None:
    """Store a message."""
    connection.execute(sa.insert(messages), _NEW_MESSAGE.values(new))


def incoming_messages(
    connection: sa.Connection, player_id: int, since: datetime, limit: int
) -> Sequence[IncomingLine]:
    """Return the last messages to a player that were sent after `since`, newest first."""
    return incoming_lines(connection, _INCOMING_MESSAGES, player_id, since, limit)


def remove_message(connection: sa.Connection, message_id: int) -> None:
    """Delete the text of a message, for the operator; its place under the game stays."""
    connection.execute(
        sa.update(messages).where(messages.c.id == message_id).values(text="", removed=True)
    )


_NEW_COMMENT = Mapper(NewComment, comments, author_id=comments.c.player_id)
_IS_LEFT = comments.c.withdrawn == sa.false()

COMMENTS = LineTable(comments, _IS_LEFT)
"""The comments under games, without those that their authors have withdrawn."""

_INCOMING_BY_SEAT = sa.union_all(
    *(
        sa.select(incoming(comments, recipient == READER, _IS_LEFT).subquery())
        for recipient in (comments.c.x_recipient_id, comments.c.o_recipient_id)
    )
).subquery()
_INCOMING_COMMENTS = (
    sa.select(_INCOMING_BY_SEAT)
    .order_by(_INCOMING_BY_SEAT.c.sent_at.desc(), _INCOMING_BY_SEAT.c.id.desc())
    .limit(sa.bindparam("limit", type_=sa.Integer))
)
_IS_COUNTED = (comments.c.removed == sa.false(), _IS_LEFT)


def add_comment(connection: sa.Connection, new: NewComment) -> None:
    """Store a comment and count it."""
    connection.execute(sa.insert(comments), _NEW_COMMENT.values(new))
    _count(connection, new.game_id, 1)


def comment_by_id(connection: sa.Connection, game_id: str, number: int) -> StoredLine | None:
    """Return the comment under a game with this number, None without a text."""
    found = COMMENTS.with_number(connection, game_id, number)
    return found if found is not None and found.text else None


def incoming_comments(
    connection: sa.Connection, player_id: int, since: datetime, limit: int
) -> Sequence[IncomingLine]:
    """Return others' last comments on a player's games, written after `since`, newest first."""
    return incoming_lines(connection, _INCOMING_COMMENTS, player_id, since, limit)


def discount_comments(connection: sa.Connection, player_id: int) -> None:
    """Count the comments that a player has written no longer."""
    mine = comments.c.player_id == player_id
    number = (
        sa.select(sa.func.count())
        .where(comments.c.game_id == games.c.id, mine, *_IS_COUNTED)
        .scalar_subquery()
    )
    commented = sa.select(comments.c.game_id).where(mine)
    connection.execute(
        sa.update(games).where(games.c.id.in_(commented)).values(comments=games.c.comments - number)
    )


def empty_comment(connection: sa.Connection, game_id: str, number: int, *, by_author: bool) -> None:
    """Delete the text of a comment that has one; its place stays if the operator does so."""
    mark = "withdrawn" if by_author else "removed"
    emptied = sa.update(comments).where(comments.c.id == number)
    connection.execute(emptied.values({"text": "", mark: True}))
    _count(connection, game_id, -1)


def _count(connection: sa.Connection, game_id: str, more: int) -> None:
    connection.execute(
        sa.update(games).where(games.c.id == game_id).values(comments=games.c.comments + more)
    )


class _Part(StrEnum):
    """The kind of a row; the row of a relation has its `RelationKind` instead."""

    MESSAGE = "message"
    LAST_SENT = "last sent"
    NOTE = "note"
    TAKES_NO_MESSAGES = "takes no messages"
    BANNED = "banned"


_GAME = sa.bindparam("game_id", type_=sa.String)
_OTHER = sa.bindparam("other_id", type_=sa.Integer)
_LIMIT = sa.bindparam("limit", type_=sa.Integer)
_NO_TEXT = sa.literal_column("''", sa.String)


def _is(part: _Part) -> sa.ColumnElement[str]:
    return sa.literal_column(f"'{part}'", sa.String)


def _relation(
    player: sa.ColumnElement[int], other: sa.ColumnElement[int]
) -> sa.Select[*tuple[Any, ...]]:
    return sa.select(
        relations.c.since, relations.c.kind, relations.c.other_id, relations.c.player_id, _NO_TEXT
    ).where(relations.c.player_id == player, relations.c.other_id == other)


_LAST_MESSAGES = (
    sa.select(
        messages.c.sent_at, messages.c.id, messages.c.player_id, text_of(messages).label("text")
    )
    .where(messages.c.game_id == _GAME, is_shown(messages))
    .order_by(messages.c.id.desc())
    .limit(_LIMIT)
    .subquery()
)
_PANEL: sa.CompoundSelect[*tuple[Any, ...]] = sa.union_all(
    # The first part names the columns and gives them their types.
    sa.select(
        _LAST_MESSAGES.c.sent_at.label("moment"),
        _is(_Part.MESSAGE).label("part"),
        _LAST_MESSAGES.c.id.label("number"),
        _LAST_MESSAGES.c.player_id.label("player_id"),
        _LAST_MESSAGES.c.text.label("text"),
    ),
    # The end of an index: a count would read all of them.
    sa.select(
        sa.null(), _is(_Part.LAST_SENT), sa.func.max(messages.c.id), sa.null(), _NO_TEXT
    ).where(messages.c.game_id == _GAME, messages.c.player_id == READER),
    sa.select(
        notes.c.written_at, _is(_Part.NOTE), notes.c.id, notes.c.player_id, notes.c.text
    ).where(notes.c.player_id == READER, notes.c.game_id == _GAME),
    _relation(READER, _OTHER),
    _relation(_OTHER, READER),
    sa.select(
        players.c.created_at, _is(_Part.TAKES_NO_MESSAGES), players.c.id, players.c.id, _NO_TEXT
    ).where(players.c.id == _OTHER, players.c.takes_messages == sa.false()),
    sa.select(
        players.c.banned_until, _is(_Part.BANNED), players.c.id, players.c.id, _NO_TEXT
    ).where(players.c.id == _OTHER, account_queries.is_banned()),
)


def read_panel(
    connection: sa.Connection, game: Game, player_id: int, other_id: int, limit: int
) -> SocialPanel:
    """Return a player's panel under a game, or a stranger's (0), with up to `limit` messages.

    `other_id` is the opponent, or a player opposite a seat open to the reader; 0 for nobody.
    """
    which = {
        "game_id": game.stored.id,
        "player_id": player_id,
        "other_id": other_id,
        "now": game.now,
        "limit": limit,
    }
    rows: defaultdict[str, list[sa.Row[Any]]] = defaultdict(list)
    for row in connection.execute(_PANEL, which):
        rows[row.part].append(row)
    done = {(row.player_id, kind) for kind in RelationKind for row in rows[kind]}
    (last,), banned = rows[_Part.LAST_SENT], rows[_Part.BANNED]
    lines = (StoredLine(it.number, it.player_id, it.text, it.moment) for it in rows[_Part.MESSAGE])
    own_notes = (StoredNote(it.number, it.text, it.moment) for it in rows[_Part.NOTE])
    return SocialPanel(
        messages=sorted(lines, key=lambda each: each.id),
        last_sent=last.number or NONE_YET,
        notes=sorted(own_notes, key=lambda each: each.id),
        has_muted=(player_id, RelationKind.MUTE) in done,
        has_blocked=(player_id, RelationKind.BLOCK) in done,
        is_blocked=(other_id, RelationKind.BLOCK) in done,
        takes_messages=not rows[_Part.TAKES_NO_MESSAGES],
        is_opponent_banned=bool(banned),
        opponent_banned_until=banned[0].moment if banned else None,
    )
