"""Reading the lines that people write under games: messages, and comments."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy import ColumnElement, Integer, bindparam, case, exists, select

from capsule.db.mapper import Mapper
from capsule.db.schema.absences import is_present
from capsule.db.schema.base import Moment
from capsule.db.schema.games import games
from capsule.db.schema.players import players, relations
from capsule.games.absent_variant import variant_called
from capsule.social.model import IncomingLine, LinePage, StoredLine

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from sqlalchemy import CompoundSelect, Connection, Select, Table


READER = bindparam("player_id", type_=Integer)
"""The number of the reader, 0 for a stranger."""


def text_of(table: Table) -> ColumnElement[str]:
    """Return a line's text, "" if the operator removed it."""
    return case((table.c.removed, ""), else_=table.c.text)


def is_shown(table: Table) -> ColumnElement[bool]:
    """Return the condition that the reader has neither muted nor blocked the author of a line."""
    return ~exists().where(
        relations.c.player_id == READER, relations.c.other_id == table.c.player_id
    )


def incoming(table: Table, *conditions: ColumnElement[bool]) -> Select[Any]:
    """Return the statement that selects the newest lines with conditions, for `incoming_lines`."""
    return (
        select(table.c.id, table.c.game_id, games.c.variant, players.c.name, table.c.sent_at)
        .join(games, games.c.id == table.c.game_id)
        .join(players, players.c.id == table.c.player_id)
        .where(
            *conditions,
            table.c.sent_at > bindparam("since", type_=Moment),
            ~table.c.removed,
            is_shown(table),
            is_present(games.c.variant),
        )
        .order_by(table.c.sent_at.desc(), table.c.id.desc())
        .limit(bindparam("limit", type_=Integer))
    )


def incoming_lines(
    connection: Connection,
    statement: Select[Any] | CompoundSelect[Any],
    player_id: int,
    since: datetime,
    limit: int,
) -> Sequence[IncomingLine]:
    """Return the last lines to a player that were written after `since`, newest first."""
    which = {"player_id": player_id, "since": since, "limit": limit}
    return [
        IncomingLine(
            id=row.id,
            game_id=row.game_id,
            variant=variant_called(row.variant),
            author=row.name,
            sent_at=row.sent_at,
        )
        for row in connection.execute(statement, which)
    ]


class Lines:
    """A table of lines under games, of which all readers are shown those with a condition."""

    def __init__(self, table: Table, *conditions: ColumnElement[bool]) -> None:
        self._columns = table.c
        self._mapper = Mapper(StoredLine, table, author_id=table.c.player_id, text=text_of(table))
        self._any_line, self._line = self._mapper.select, self._mapper.select.where(*conditions)
        self._of_game = self._line.where(table.c.game_id == bindparam("game_id"), is_shown(table))

    def from_number(
        self, connection: Connection, game_id: str, reader_id: int, first: int, limit: int
    ) -> Sequence[StoredLine]:
        """Return the lines under a game that a reader is shown, in order, from the id `first` on.

        At most `limit` of them; `reader_id` is 0 for a stranger.
        """
        number = self._columns.id
        statement = self._of_game.where(number >= first).order_by(number).limit(limit)
        return self._read(connection, statement, game_id, reader_id)

    def before(
        self, connection: Connection, game_id: str, reader_id: int, before: int | None, limit: int
    ) -> Sequence[StoredLine]:
        """Return the last lines that a reader is shown, in order: before an id, or of all."""
        number = self._columns.id
        statement = self._of_game.order_by(number.desc()).limit(limit)
        if before is not None:
            statement = statement.where(number < before)
        return self._read(connection, statement, game_id, reader_id)[::-1]

    def page(
        self, connection: Connection, game_id: str, reader_id: int, first: int | None, size: int
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

    def with_number(self, connection: Connection, game_id: str, number: int) -> StoredLine | None:
        """Return the line under a game with this id, None if there is none."""
        statement = self._line.where(self._columns.id == number, self._columns.game_id == game_id)
        return self._mapper.fetch_first(connection, statement)

    def last_by(
        self, connection: Connection, player_id: int, game_id: str, limit: int
    ) -> Sequence[StoredLine]:
        """Return the last lines that a player has written under a game, newest first.

        Those that no reader is shown are among them.
        """
        statement = self._any_line.where(
            self._columns.game_id == game_id, self._columns.player_id == player_id
        )
        newest = statement.order_by(self._columns.id.desc()).limit(limit)
        return self._mapper.fetch_all(connection, newest)

    def times_by(self, player_id: int) -> Select[datetime]:
        """Return the statement that selects when a player wrote lines."""
        return select(self._columns.sent_at).where(self._columns.player_id == player_id)

    def times_in_game(self, player_id: int, game_id: str) -> Select[datetime]:
        """Return the statement that selects when a player wrote lines under a game."""
        return self.times_by(player_id).where(self._columns.game_id == game_id)

    def _read(
        self, connection: Connection, statement: Select[Any], game_id: str, reader_id: int
    ) -> Sequence[StoredLine]:
        which = {"game_id": game_id, "player_id": reader_id}
        return self._mapper.fetch_all(connection, statement, which)
