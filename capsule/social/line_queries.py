"""Reading and writing lines under games (messages, comments, notes), and a reader's panel."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from enum import StrEnum
from typing import Any

import sqlalchemy as sa

from capsule.accounts import identity, queries as account_queries
from capsule.accounts.model import Player, RelationKind
from capsule.db.mapper import Mapper
from capsule.db.schema.base import AnyRow, Moment
from capsule.db.schema.games import games, is_present
from capsule.db.schema.players import players, relations
from capsule.db.schema.social import annotated_games, comments, messages, notes
from capsule.games.game import Game
from capsule.games.model import StoredGame
from capsule.games.queries import GAME, STORED_GAME, variant_stored
from capsule.social import model

_GAME = sa.bindparam("game_id", type_=sa.String)
_READER = sa.bindparam("reader_id", type_=sa.Integer)
_LIMIT = sa.bindparam("limit", type_=sa.Integer)


def _is_shown(table: sa.Table) -> sa.ColumnElement[bool]:
    """Return the condition that the reader has neither muted nor blocked the author of a row."""
    return ~sa.exists().where(
        relations.c.player_id == _READER, relations.c.other_id == table.c.player_id
    )


class LineTable:
    """A table of lines under games, and the conditions on which a line is visible."""

    def __init__(
        self, table: sa.Table, written_at: sa.Column[datetime], *conditions: sa.ColumnElement[bool]
    ) -> None:
        self._table, self._columns, self._written_at = table, table.c, written_at
        self._mapper = Mapper(
            model.StoredLine, table, author_id=table.c.player_id, written_at=written_at
        )
        self._any_line, self._line = self._mapper.select, self._mapper.select.where(*conditions)
        self._of_game = self._line.where(table.c.game_id == _GAME, _is_shown(table))

    def subject(self, game_id: str) -> str:
        """Return the subject of the action keys for writing such a line under a game."""
        return f"{self._table.name} {game_id}"

    def add(
        self,
        connection: sa.Connection,
        game_id: str,
        author_id: int,
        text: str,
        now: datetime,
        **others: int | None,
    ) -> None:
        """Store a line; `others` are columns that not every table of lines has."""
        values = {"game_id": game_id, "player_id": author_id, "text": text, **others}
        connection.execute(sa.insert(self._table), {self._written_at.key: now, **values})

    def empty(
        self, connection: sa.Connection, game_id: str, number: int, mark: str = "removed"
    ) -> None:
        """Delete the text of a message or a comment, and mark it as removed or as withdrawn."""
        emptied = sa.update(self._table).where(self._columns.id == number)
        connection.execute(emptied.values({"text": "", mark: True}))
        if self._table is comments:
            _change_count(connection, game_id, -1)

    def from_number(
        self, connection: sa.Connection, game_id: str, reader: Player | None, first: int, limit: int
    ) -> Sequence[model.StoredLine]:
        """Return up to `limit` lines visible to a reader, in order, from the id `first` on."""
        number = self._columns.id
        statement = self._of_game.where(number >= first).order_by(number)
        return self._read(connection, statement, game_id, reader, limit)

    def page(
        self,
        connection: sa.Connection,
        game_id: str,
        reader: Player | None,
        first: int | None,
        size: int,
    ) -> model.LinePage:
        """Return up to `size` lines visible to a reader: from the id `first` on, or the last."""
        newest = self._of_game.order_by(self._columns.id.desc())
        found: Sequence[model.StoredLine] = ()
        if first is not None:
            found = self.from_number(connection, game_id, reader, first, size + 1)
        found = found or self._read(connection, newest, game_id, reader, size)[::-1]
        if not found:
            return model.LinePage()
        earlier = newest.where(self._columns.id < found[0].id)
        before = self._read(connection, earlier, game_id, reader, size)
        shown, beyond = found[:size], found[size:]
        return model.LinePage(
            shown, before[-1].id if before else None, beyond[0].id if beyond else None
        )

    def with_number(
        self, connection: sa.Connection, game_id: str, number: int
    ) -> model.StoredLine | None:
        """Return the visible line under a game with this id, None if its text is empty."""
        columns = self._columns
        statement = self._line.where(
            columns.id == number, columns.game_id == game_id, columns.text != ""
        )
        return self._mapper.fetch_first(connection, statement)

    def last_by(
        self, connection: sa.Connection, player_id: int, game_id: str, limit: int | None = None
    ) -> Sequence[model.StoredLine]:
        """Return the last lines that a player has written under a game, newest first.

        Lines that are visible to no reader are included.
        """
        statement = self._any_line.where(
            self._columns.game_id == game_id, self._columns.player_id == player_id
        )
        newest = statement.order_by(self._columns.id.desc()).limit(limit)
        return self._mapper.fetch_all(connection, newest)

    def times_by(self, player_id: int) -> sa.Select[datetime]:
        """Return the statement that selects when a player wrote lines."""
        return sa.select(self._written_at).where(self._columns.player_id == player_id)

    def times_in_game(self, player_id: int, game_id: str) -> sa.Select[datetime]:
        """Return the statement that selects when a player wrote lines under a game."""
        return self.times_by(player_id).where(self._columns.game_id == game_id)

    def _read(
        self,
        connection: sa.Connection,
        statement: sa.Select[Any],
        game_id: str,
        reader: Player | None,
        limit: int,
    ) -> Sequence[model.StoredLine]:
        values = {"game_id": game_id, "reader_id": model.number_of(reader)}
        return self._mapper.fetch_all(connection, statement.limit(limit), values)


_NOT_WITHDRAWN = comments.c.withdrawn == sa.false()

MESSAGES = LineTable(messages, messages.c.sent_at)
"""The messages under games."""

COMMENTS = LineTable(comments, comments.c.sent_at, _NOT_WITHDRAWN)
"""The comments under games, without those that their authors have withdrawn."""

NOTES = LineTable(notes, notes.c.written_at)
"""The notes on games, including the empty notes that cleared notes leave behind."""


def newest_messages(connection: sa.Connection, game_ids: Collection[str]) -> Mapping[str, int]:
    """Return the id of the newest message under each of these games that has one."""
    statement = (
        sa.select(messages.c.game_id, sa.func.max(messages.c.id).label("newest"))
        .where(messages.c.game_id.in_(game_ids))
        .group_by(messages.c.game_id)
    )
    return {row.game_id: row.newest for row in connection.execute(statement)}


def add_comment(
    connection: sa.Connection, game: StoredGame, author_id: int, text: str, now: datetime
) -> None:
    """Store a comment and its recipients, the players of the game except its author; count it."""
    x, o = (None if seat.player_id == author_id else seat.player_id for seat in (game.x, game.o))
    recipients = {"x_recipient_id": x, "o_recipient_id": None if o == x else o}
    COMMENTS.add(connection, game.id, author_id, text, now, **recipients)
    _change_count(connection, game.id, 1)


def discount_comments(connection: sa.Connection, player_id: int) -> None:
    """Subtract a player's comments from the comment counts of the games."""
    by_player = comments.c.player_id == player_id
    number = (
        sa.select(sa.func.count())
        .where(comments.c.game_id == games.c.id, by_player, ~comments.c.removed, _NOT_WITHDRAWN)
        .scalar_subquery()
    )
    commented = sa.select(comments.c.game_id).where(by_player)
    connection.execute(
        sa.update(games).where(games.c.id.in_(commented)).values(comments=games.c.comments - number)
    )


def _change_count(connection: sa.Connection, game_id: str, change: int) -> None:
    connection.execute(
        sa.update(games).where(games.c.id == game_id).values(comments=games.c.comments + change)
    )


def _incoming(table: sa.FromClause) -> Mapper[model.IncomingLine]:
    variant = variant_stored(games.c.variant)
    return Mapper(model.IncomingLine, table, variant=variant, author=players.c.name)


def _incoming_to(
    recipient: sa.ColumnElement[int | None], table: sa.Table, *conditions: sa.ColumnElement[bool]
) -> sa.Select[Any]:
    """Return the statement that selects the newest lines whose recipient is the reader."""
    return (
        sa.select(*_incoming(table).columns)
        .join(games, games.c.id == table.c.game_id)
        .join(players, players.c.id == table.c.player_id)
        .where(
            recipient == _READER,
            *conditions,
            table.c.sent_at > sa.bindparam("since", type_=Moment),
            ~table.c.removed,
            _is_shown(table),
            is_present(games.c.variant),
        )
        .order_by(table.c.sent_at.desc(), table.c.id.desc())
        .limit(_LIMIT)
    )


_INCOMING_LINE = _incoming(messages)
INCOMING_MESSAGES = _incoming_to(messages.c.recipient_id, messages)
"""Selects the messages to a player."""

_INCOMING_BY_SEAT = sa.union_all(
    *(
        sa.select(_incoming_to(recipient, comments, _NOT_WITHDRAWN).subquery())
        for recipient in (comments.c.x_recipient_id, comments.c.o_recipient_id)
    )
).subquery()
INCOMING_COMMENTS = (
    sa.select(_INCOMING_BY_SEAT)
    .order_by(_INCOMING_BY_SEAT.c.sent_at.desc(), _INCOMING_BY_SEAT.c.id.desc())
    .limit(_LIMIT)
)
"""Selects others' comments on a player's games."""


def incoming(
    connection: sa.Connection, lines: sa.Select[Any], player_id: int, since: datetime, limit: int
) -> Sequence[model.IncomingLine]:
    """Return the last incoming messages or comments after `since`, newest first."""
    values = {"reader_id": player_id, "since": since, "limit": limit}
    return _INCOMING_LINE.fetch_all(connection, lines, values)


def clear_notes(connection: sa.Connection, game_id: str, player_id: int, now: datetime) -> None:
    """Empty a player's newest note on a game, delete the earlier ones, and add an empty one."""
    own = _of_author(notes, game_id, player_id)
    newest = connection.execute(sa.select(sa.func.max(notes.c.id)).where(*own)).scalar_one()
    connection.execute(sa.delete(notes).where(*own, notes.c.id < newest))
    connection.execute(sa.update(notes).where(notes.c.id == newest).values(text=""))
    NOTES.add(connection, game_id, player_id, "", now)


def _of_author(table: sa.Table, game_id: str, player_id: int) -> Sequence[sa.ColumnElement[bool]]:
    return table.c.player_id == player_id, table.c.game_id == game_id


def annotation_of(connection: sa.Connection, game_id: str, player_id: int) -> model.Annotation:
    """Return the number of a player's annotation of a game, and how many notes are published."""
    number = connection.execute(
        sa.select(annotated_games.c.number).where(*_of_author(annotated_games, game_id, player_id))
    ).scalar_one_or_none()
    counts = connection.execute(
        sa.select(notes.c.published, sa.func.count())
        .where(*_of_author(notes, game_id, player_id), notes.c.text != "")
        .group_by(notes.c.published)
    )
    by_state = {bool(row[0]): int(row[1]) for row in counts}
    return model.Annotation(number, by_state.get(True, 0), by_state.get(False, 0))


def annotation_times_by(player_id: int) -> sa.Select[datetime]:
    """Return the statement that selects when a player first published notes on games."""
    return sa.select(annotated_games.c.published_at).where(annotated_games.c.player_id == player_id)


def annotate(connection: sa.Connection, game: StoredGame, player_id: int, now: datetime) -> None:
    """Store that a player publishes notes on a game for the first time."""
    connection.execute(
        sa.insert(annotated_games).values(
            game_id=game.id, player_id=player_id, published_at=now, listed=game.listed, shown=True
        )
    )


def set_published(
    connection: sa.Connection, player_id: int, game_id: str | None = None, *, is_shown: bool
) -> None:
    """Publish a player's notes or make them private: on one game, or on all without a game."""
    for table, column in ((notes, "published"), (annotated_games, "shown")):
        changed = sa.update(table).where(table.c.player_id == player_id).values({column: is_shown})
        connection.execute(
            changed if game_id is None else changed.where(table.c.game_id == game_id)
        )


def remove_notes(connection: sa.Connection, game_id: str, player_id: int) -> None:
    """Delete the text of the published notes of a player on a game.

    Empty notes stay in their places, so that the number of the newest one never falls.
    """
    connection.execute(
        sa.update(notes)
        .where(*_of_author(notes, game_id, player_id), notes.c.published == sa.true())
        .values(text="")
    )
    set_published(connection, player_id, game_id, is_shown=False)


_PUBLISHED = (
    sa.select(notes.c.ply, notes.c.text, players.c.name)
    .join(players, players.c.id == notes.c.player_id)
    .order_by(sa.func.coalesce(notes.c.ply, -1), notes.c.id)
)
_IS_PUBLISHED = (notes.c.game_id == _GAME, notes.c.published == sa.true(), notes.c.text != "")
_IS_SHOWN = (
    *_IS_PUBLISHED,
    notes.c.player_id.in_(
        sa.select(annotated_games.c.player_id).where(annotated_games.c.game_id == _GAME)
    ),
    _is_shown(notes),
)
# Built once, since every page of a finished game and of its positions executes these.
_SHOWN = _PUBLISHED.where(*_IS_SHOWN)
_SHOWN_ON_MOVE = _SHOWN.where(notes.c.ply == sa.bindparam("ply", type_=sa.Integer))
_ANY_SHOWN = sa.select(notes.c.id).where(*_IS_SHOWN).limit(1)


def published_notes(
    connection: sa.Connection, game_id: str, reader: Player | None, ply: int | None = None
) -> Sequence[model.PublishedNote]:
    """Return the published notes on a game, or on one of its moves, that are visible to a reader.

    Notes on the whole game come first, then the notes on its moves in order.
    """
    statement = _SHOWN if ply is None else _SHOWN_ON_MOVE
    values = {"game_id": game_id, "reader_id": model.number_of(reader), "ply": ply}
    return [_published_note(row) for row in connection.execute(statement, values)]


def is_annotated(connection: sa.Connection, game_id: str, reader: Player | None) -> bool:
    """Return whether a game has published notes that are visible to a reader."""
    values = {"game_id": game_id, "reader_id": model.number_of(reader)}
    return connection.execute(_ANY_SHOWN, values).first() is not None


def authors_of(
    connection: sa.Connection, game_id: str, reader: Player | None = None
) -> Mapping[int, model.Person]:
    """Return the authors of published notes on a game who are visible to a reader.

    The keys are the numbers of the annotated games.
    """
    statement = (
        sa.select(annotated_games.c.number, annotated_games.c.player_id, players.c.name)
        .join(players, players.c.id == annotated_games.c.player_id)
        .where(
            annotated_games.c.game_id == game_id,
            annotated_games.c.shown == sa.true(),
            _is_shown(annotated_games),
        )
        .order_by(annotated_games.c.number)
    )
    rows = connection.execute(statement, {"reader_id": model.number_of(reader)})
    return {row.number: model.Person(row.player_id, row.name) for row in rows}


def notes_with_number(connection: sa.Connection, number: int) -> model.PublishedNotes | None:
    """Return the published notes with the number of an annotated game, None if there are none."""
    game_id = connection.execute(
        sa.select(annotated_games.c.game_id).where(annotated_games.c.number == number)
    ).scalar_one_or_none()
    author = None if game_id is None else authors_of(connection, game_id).get(number)
    if game_id is None or author is None:
        return None
    statement = _PUBLISHED.where(*_IS_PUBLISHED, notes.c.player_id == author.id)
    rows = connection.execute(statement, {"game_id": game_id})
    return model.PublishedNotes(game_id, author, [_published_note(row) for row in rows])


def _published_note(row: AnyRow) -> model.PublishedNote:
    number, text = model.split_number(row.text)
    is_numbered = number is not None and number == row.ply
    return model.PublishedNote(row.name, row.ply, text if is_numbered else row.text)


_ANNOTATED = Mapper(model.AnnotatedGame, annotated_games, author=players.c.name, game=STORED_GAME)
_NEWEST = (
    GAME.with_only_columns(*_ANNOTATED.columns)
    .join(annotated_games, annotated_games.c.game_id == games.c.id)
    .join(players, players.c.id == annotated_games.c.player_id)
    .where(
        annotated_games.c.listed == sa.true(),
        annotated_games.c.shown == sa.true(),
        # It was listed when its notes were published, but a player may since be a program.
        games.c.listed == sa.true(),
        is_present(games.c.variant),
    )
    .order_by(annotated_games.c.number.desc())
)


def annotated(
    connection: sa.Connection, limit: int, number: int | None = None
) -> Sequence[model.AnnotatedGame]:
    """Return listed annotated games, newest first; only those up to a number if given."""
    statement = _NEWEST.limit(limit)
    if number is not None:
        statement = statement.where(annotated_games.c.number <= number)
    return _ANNOTATED.fetch_all(connection, statement)


class _RowKind(StrEnum):
    """The kind of a row of the panel; a relation's row has its `RelationKind` instead."""

    MESSAGE = "message"
    LAST_SENT = "last sent"
    NOTE = "note"
    TAKES_NO_MESSAGES = "takes no messages"
    BANNED = "banned"


_OTHER = sa.bindparam("other_id", type_=sa.Integer)
_NO_TEXT = sa.literal_column("''", sa.String)


def _is(kind: _RowKind) -> sa.ColumnElement[str]:
    return sa.literal_column(f"'{kind}'", sa.String)


def _relation(
    player: sa.ColumnElement[int], other: sa.ColumnElement[int]
) -> sa.Select[*tuple[Any, ...]]:
    return sa.select(
        relations.c.since, relations.c.kind, relations.c.other_id, relations.c.player_id, _NO_TEXT
    ).where(relations.c.player_id == player, relations.c.other_id == other)


_LAST_MESSAGES = (
    sa.select(messages.c.sent_at, messages.c.id, messages.c.player_id, messages.c.text)
    .where(messages.c.game_id == _GAME, _is_shown(messages))
    .order_by(messages.c.id.desc())
    .limit(_LIMIT)
    .subquery()
)
_PANEL: sa.CompoundSelect[*tuple[Any, ...]] = sa.union_all(
    # The first select names the columns and gives them their types.
    sa.select(
        _LAST_MESSAGES.c.sent_at.label("moment"),
        _is(_RowKind.MESSAGE).label("kind"),
        _LAST_MESSAGES.c.id.label("number"),
        _LAST_MESSAGES.c.player_id.label("player_id"),
        _LAST_MESSAGES.c.text.label("text"),
    ),
    # This reads only the end of an index; a count would read every message.
    sa.select(
        sa.null(), _is(_RowKind.LAST_SENT), sa.func.max(messages.c.id), sa.null(), _NO_TEXT
    ).where(messages.c.game_id == _GAME, messages.c.player_id == _READER),
    sa.select(
        notes.c.written_at, _is(_RowKind.NOTE), notes.c.id, notes.c.player_id, notes.c.text
    ).where(notes.c.player_id == _READER, notes.c.game_id == _GAME),
    _relation(_READER, _OTHER),
    _relation(_OTHER, _READER),
    sa.select(
        players.c.created_at, _is(_RowKind.TAKES_NO_MESSAGES), players.c.id, players.c.id, _NO_TEXT
    ).where(players.c.id == _OTHER, players.c.takes_messages == sa.false()),
    sa.select(
        players.c.banned_until, _is(_RowKind.BANNED), players.c.id, players.c.id, _NO_TEXT
    ).where(players.c.id == _OTHER, account_queries.is_banned()),
)


def read_panel(
    connection: sa.Connection,
    game: Game,
    reader: Player | None,
    opponent: model.Person | None,
    limit: int,
) -> model.SocialPanel:
    """Return a reader's panel under a game, with up to `limit` messages.

    `opponent` is the reader's opponent, or the player opposite a seat open to the reader.
    """
    reader_id, other_id = model.number_of(reader), model.number_of(opponent)
    values = {
        "game_id": game.stored.id,
        "reader_id": reader_id,
        "other_id": other_id,
        "now": game.now,
        "limit": limit,
    }
    rows: defaultdict[str, list[sa.Row[Any]]] = defaultdict(list)
    for row in connection.execute(_PANEL, values):
        rows[row.kind].append(row)
    active_relations = {(row.player_id, kind) for kind in RelationKind for row in rows[kind]}
    (last,), banned = rows[_RowKind.LAST_SENT], rows[_RowKind.BANNED]

    def lines(kind: _RowKind) -> Sequence[model.StoredLine]:
        found = sorted(rows[kind], key=lambda row: row.number)
        return [model.StoredLine(row.number, row.player_id, row.text, row.moment) for row in found]

    return model.SocialPanel(
        messages=lines(_RowKind.MESSAGE),
        last_sent=last.number or identity.NONE_YET,
        notes=lines(_RowKind.NOTE),
        has_muted=(reader_id, RelationKind.MUTE) in active_relations,
        has_blocked=(reader_id, RelationKind.BLOCK) in active_relations,
        is_blocked=(other_id, RelationKind.BLOCK) in active_relations,
        takes_messages=not rows[_RowKind.TAKES_NO_MESSAGES],
        is_opponent_banned=bool(banned),
        opponent_banned_until=banned[0].moment if banned else None,
    )
