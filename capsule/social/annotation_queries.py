"""Reading and writing which notes on games are published."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import Integer, bindparam, exists, func, insert, select, true, update

from capsule.db.mapper import Mapper
from capsule.db.schema.absences import is_present
from capsule.db.schema.games import games
from capsule.db.schema.players import players, relations
from capsule.db.schema.social import annotated_games, notes
from capsule.social.model import Annotation, Person, PublishedNote, PublishedNotes, split_number

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from sqlalchemy import ColumnElement, Connection, Select, Table

    from capsule.db.schema.base import AnyRow
    from capsule.games.model import StoredGame

NOBODY = 0
"""A number that no player has."""


_PUBLISHED = (
    select(notes.c.ply, notes.c.text, players.c.name)
    .join(players, players.c.id == notes.c.player_id)
    .order_by(func.coalesce(notes.c.ply, -1), notes.c.id)
)


def _is_muted(table: Table) -> ColumnElement[bool]:
    """Whether the reader has muted the author of a row."""
    reader_id = bindparam("reader_id", type_=Integer)
    return exists().where(
        relations.c.player_id == reader_id, relations.c.other_id == table.c.player_id
    )


_GAME = bindparam("game_id", type_=notes.c.game_id.type)
_IS_SHOWN = (
    notes.c.player_id.in_(
        select(annotated_games.c.player_id).where(annotated_games.c.game_id == _GAME)
    ),
    notes.c.game_id == _GAME,
    notes.c.published == true(),
    notes.c.text != "",
    ~_is_muted(notes),
)
# Every page of a finished game and of its positions reads these: each is made once.
_HAS_SHOWN = select(notes.c.id).where(*_IS_SHOWN).limit(1)
_SHOWN = _PUBLISHED.where(*_IS_SHOWN)
_SHOWN_ON_MOVE = _SHOWN.where(notes.c.ply == bindparam("ply", type_=Integer))
_AS_PUBLISHED = {
    is_shown: ((notes, {"published": is_shown}), (annotated_games, {"shown": is_shown}))
    for is_shown in (True, False)
}


@dataclass(frozen=True, slots=True)
class AnnotationRow:
    """An annotated game in the list."""

    number: int
    game_id: str
    author: str
    published_at: datetime


_ROW = Mapper(AnnotationRow, annotated_games, author=players.c.name)
_ANNOTATED = _ROW.select.join_from(
    annotated_games, players, players.c.id == annotated_games.c.player_id
)


def annotation_of(connection: Connection, game_id: str, player_id: int) -> Annotation:
    """Return how a player's notes on a game are published."""
    number = connection.execute(
        select(annotated_games.c.number).where(*_of_author(annotated_games, game_id, player_id))
    ).scalar_one_or_none()
    counts = connection.execute(
        select(notes.c.published, func.count())
        .where(*_of_author(notes, game_id, player_id), notes.c.text != "")
        .group_by(notes.c.published)
    )
    by_state = {bool(row[0]): int(row[1]) for row in counts}
    return Annotation(number, by_state.get(True, 0), by_state.get(False, 0))


def times_by(player_id: int) -> Select[datetime]:
    """Return the statement that selects when a player first published notes on games."""
    return select(annotated_games.c.published_at).where(annotated_games.c.player_id == player_id)


def add(connection: Connection, game: StoredGame, player_id: int, now: datetime) -> None:
    """Store that a player publishes notes on a game for the first time."""
    connection.execute(
        insert(annotated_games).values(
            game_id=game.id,
            player_id=player_id,
            published_at=now,
            listed=game.listed,
            shown=True,
        )
    )


def show(connection: Connection, game_id: str, player_id: int) -> None:
    """Publish the notes of a player on a game."""
    _set(connection, game_id, player_id, is_shown=True)


def hide(connection: Connection, game_id: str, player_id: int) -> None:
    """Make the notes of a player on a game private."""
    _set(connection, game_id, player_id, is_shown=False)


def hide_all(connection: Connection, player_id: int) -> None:
    """Make all notes of a player private."""
    for table, values in _AS_PUBLISHED[False]:
        connection.execute(update(table).where(table.c.player_id == player_id).values(**values))


def remove(connection: Connection, game_id: str, player_id: int) -> None:
    """Delete the text of the published notes of a player on a game.

    Empty notes stay in their places, so that the number of the newest one never falls.
    """
    connection.execute(
        update(notes)
        .where(*_of_author(notes, game_id, player_id), notes.c.published == true())
        .values(text="")
    )
    hide(connection, game_id, player_id)


def published(
    connection: Connection, game_id: str, reader_id: int, ply: int | None = None
) -> Sequence[PublishedNote]:
    """Return the published notes on a game, or on one of its moves, that a reader is shown.

    Those on the whole game come first, then those on its moves in order.
    """
    statement = _SHOWN if ply is None else _SHOWN_ON_MOVE
    values = {"game_id": game_id, "reader_id": reader_id, "ply": ply}
    return [_note(row) for row in connection.execute(statement, values)]


def authors_of(
    connection: Connection, game_id: str, reader_id: int = NOBODY
) -> Mapping[int, Person]:
    """Return the authors of published notes on a game that a reader is shown.

    They are by the numbers of the annotated game.
    """
    statement = (
        select(annotated_games.c.number, annotated_games.c.player_id, players.c.name)
        .join(players, players.c.id == annotated_games.c.player_id)
        .where(
            annotated_games.c.game_id == game_id,
            annotated_games.c.shown == true(),
            ~_is_muted(annotated_games),
        )
        .order_by(annotated_games.c.number)
    )
    rows = connection.execute(statement, {"reader_id": reader_id})
    return {row.number: Person(row.player_id, row.name) for row in rows}


def notes_with_number(connection: Connection, number: int) -> PublishedNotes | None:
    """Return the published notes with the number of an annotated game, None if there are none."""
    game_id = connection.execute(
        select(annotated_games.c.game_id).where(annotated_games.c.number == number)
    ).scalar_one_or_none()
    author = None if game_id is None else authors_of(connection, game_id).get(number)
    if game_id is None or author is None:
        return None
    statement = _PUBLISHED.where(
        *_of_author(notes, game_id, author.id), notes.c.published == true(), notes.c.text != ""
    )
    found = [_note(row) for row in connection.execute(statement)]
    return PublishedNotes(number, game_id, author, found)


def is_annotated(connection: Connection, game_id: str, reader_id: int) -> bool:
    """Return whether a game has published notes that a reader is shown."""
    values = {"game_id": game_id, "reader_id": reader_id}
    return connection.execute(_HAS_SHOWN, values).first() is not None


def newest(
    connection: Connection, limit: int, number: int | None = None
) -> Sequence[AnnotationRow]:
    """Return annotated games that are listed, the newest first: all, or those up to a number."""
    statement = (
        _ANNOTATED.join(games, games.c.id == annotated_games.c.game_id)
        .where(
            annotated_games.c.listed == true(),
            annotated_games.c.shown == true(),
            # It was when its notes were published, and not if its player is a program since.
            games.c.listed == true(),
            is_present(games.c.variant),
        )
        .order_by(annotated_games.c.number.desc())
        .limit(limit)
    )
    if number is not None:
        statement = statement.where(annotated_games.c.number <= number)
    return _ROW.fetch_all(connection, statement)


def _set(connection: Connection, game_id: str, player_id: int, *, is_shown: bool) -> None:
    for table, values in _AS_PUBLISHED[is_shown]:
        connection.execute(
            update(table).where(*_of_author(table, game_id, player_id)).values(**values)
        )


def _of_author(table: Table, game_id: str, player_id: int) -> Sequence[ColumnElement[bool]]:
    return table.c.player_id == player_id, table.c.game_id == game_id


def _note(row: AnyRow) -> PublishedNote:
    number, text = split_number(row.text)
    is_numbered = number is not None and number == row.ply
    return PublishedNote(row.name, row.ply, text if is_numbered else row.text)
