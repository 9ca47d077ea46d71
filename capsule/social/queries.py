"""Reading and writing notes, which of them are published, favourites and introductions."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime

import sqlalchemy as sa

from capsule.accounts import names
from capsule.accounts.model import Player
from capsule.accounts.queries import PLAYER, is_present as is_player_present
from capsule.db.expressions import save
from capsule.db.mapper import Mapper
from capsule.db.schema.base import AnyRow
from capsule.db.schema.games import games, is_present
from capsule.db.schema.players import players, relations
from capsule.db.schema.social import annotated_games, favourites, introductions, notes
from capsule.games.model import GameStatus, StoredGame
from capsule.games.queries import GAME, STORED_GAME
from capsule.social.model import (
    NO_INTRODUCTION,
    Acquaintance,
    AnnotatedGame,
    Annotation,
    Introduction,
    NewNote,
    OpenSeat,
    Person,
    PublishedNote,
    PublishedNotes,
    StoredNote,
    split_number,
)
from engine import VARIANTS

NOBODY = 0
"""A number that no player has."""


_PUBLISHED = (
    sa.select(notes.c.ply, notes.c.text, players.c.name)
    .join(players, players.c.id == notes.c.player_id)
    .order_by(sa.func.coalesce(notes.c.ply, -1), notes.c.id)
)


def _is_muted(table: sa.Table) -> sa.ColumnElement[bool]:
    """Whether the reader has muted the author of a row."""
    reader_id = sa.bindparam("reader_id", type_=sa.Integer)
    return sa.exists().where(
        relations.c.player_id == reader_id, relations.c.other_id == table.c.player_id
    )


_GAME = sa.bindparam("game_id", type_=notes.c.game_id.type)
_IS_SHOWN = (
    notes.c.player_id.in_(
        sa.select(annotated_games.c.player_id).where(annotated_games.c.game_id == _GAME)
    ),
    notes.c.game_id == _GAME,
    notes.c.published == sa.true(),
    notes.c.text != "",
    ~_is_muted(notes),
)
# Every page of a finished game and of its positions reads these: each is made once.
_HAS_SHOWN = sa.select(notes.c.id).where(*_IS_SHOWN).limit(1)
_SHOWN = _PUBLISHED.where(*_IS_SHOWN)
_SHOWN_ON_MOVE = _SHOWN.where(notes.c.ply == sa.bindparam("ply", type_=sa.Integer))
_AS_PUBLISHED = {
    is_shown: ((notes, {"published": is_shown}), (annotated_games, {"shown": is_shown}))
    for is_shown in (True, False)
}


_ANNOTATED = Mapper(AnnotatedGame, annotated_games, author=players.c.name, game=STORED_GAME)
_NEWEST = (
    GAME.with_only_columns(*_ANNOTATED.columns)
    .join(annotated_games, annotated_games.c.game_id == games.c.id)
    .join(players, players.c.id == annotated_games.c.player_id)
    .where(
        annotated_games.c.listed == sa.true(),
        annotated_games.c.shown == sa.true(),
        # It was when its notes were published, and not if its player is a program since.
        games.c.listed == sa.true(),
        is_present(games.c.variant),
    )
    .order_by(annotated_games.c.number.desc())
)


def annotation_of(connection: sa.Connection, game_id: str, player_id: int) -> Annotation:
    """Return how a player's notes on a game are published."""
    number = connection.execute(
        sa.select(annotated_games.c.number).where(*_of_author(annotated_games, game_id, player_id))
    ).scalar_one_or_none()
    counts = connection.execute(
        sa.select(notes.c.published, sa.func.count())
        .where(*_of_author(notes, game_id, player_id), notes.c.text != "")
        .group_by(notes.c.published)
    )
    by_state = {bool(row[0]): int(row[1]) for row in counts}
    return Annotation(number, by_state.get(True, 0), by_state.get(False, 0))


def publication_times_by(player_id: int) -> sa.Select[datetime]:
    """Return the statement that selects when a player first published notes on games."""
    return sa.select(annotated_games.c.published_at).where(annotated_games.c.player_id == player_id)


def add(connection: sa.Connection, game: StoredGame, player_id: int, now: datetime) -> None:
    """Store that a player publishes notes on a game for the first time."""
    connection.execute(
        sa.insert(annotated_games).values(
            game_id=game.id, player_id=player_id, published_at=now, listed=game.listed, shown=True
        )
    )


def hide_all(connection: sa.Connection, player_id: int) -> None:
    """Make all notes of a player private."""
    for table, values in _AS_PUBLISHED[False]:
        connection.execute(sa.update(table).where(table.c.player_id == player_id).values(**values))


def remove(connection: sa.Connection, game_id: str, player_id: int) -> None:
    """Delete the text of the published notes of a player on a game.

    Empty notes stay in their places, so that the number of the newest one never falls.
    """
    connection.execute(
        sa.update(notes)
        .where(*_of_author(notes, game_id, player_id), notes.c.published == sa.true())
        .values(text="")
    )
    set_published(connection, game_id, player_id, is_shown=False)


def published(
    connection: sa.Connection, game_id: str, reader_id: int, ply: int | None = None
) -> Sequence[PublishedNote]:
    """Return the published notes on a game, or on one of its moves, that a reader is shown.

    Those on the whole game come first, then those on its moves in order.
    """
    statement = _SHOWN if ply is None else _SHOWN_ON_MOVE
    values = {"game_id": game_id, "reader_id": reader_id, "ply": ply}
    return [_published_note(row) for row in connection.execute(statement, values)]


def authors_of(
    connection: sa.Connection, game_id: str, reader_id: int = NOBODY
) -> Mapping[int, Person]:
    """Return the authors of published notes on a game that a reader is shown.

    They are by the numbers of the annotated game.
    """
    statement = (
        sa.select(annotated_games.c.number, annotated_games.c.player_id, players.c.name)
        .join(players, players.c.id == annotated_games.c.player_id)
        .where(
            annotated_games.c.game_id == game_id,
            annotated_games.c.shown == sa.true(),
            ~_is_muted(annotated_games),
        )
        .order_by(annotated_games.c.number)
    )
    rows = connection.execute(statement, {"reader_id": reader_id})
    return {row.number: Person(row.player_id, row.name) for row in rows}


def notes_with_number(connection: sa.Connection, number: int) -> PublishedNotes | None:
    """Return the published notes with the number of an annotated game, None if there are none."""
    game_id = connection.execute(
        sa.select(annotated_games.c.game_id).where(annotated_games.c.number == number)
    ).scalar_one_or_none()
    author = None if game_id is None else authors_of(connection, game_id).get(number)
    if game_id is None or author is None:
        return None
    statement = _PUBLISHED.where(
        *_of_author(notes, game_id, author.id), notes.c.published == sa.true(), notes.c.text != ""
    )
    found = [_published_note(row) for row in connection.execute(statement)]
    return PublishedNotes(number, game_id, author, found)


def is_annotated(connection: sa.Connection, game_id: str, reader_id: int) -> bool:
    """Return whether a game has published notes that a reader is shown."""
    values = {"game_id": game_id, "reader_id": reader_id}
    return connection.execute(_HAS_SHOWN, values).first() is not None


def newest(
    connection: sa.Connection, limit: int, number: int | None = None
) -> Sequence[AnnotatedGame]:
    """Return annotated games that are listed, the newest first: all, or those up to a number."""
    statement = _NEWEST.limit(limit)
    if number is not None:
        statement = statement.where(annotated_games.c.number <= number)
    return _ANNOTATED.fetch_all(connection, statement)


def set_published(
    connection: sa.Connection, game_id: str, player_id: int, *, is_shown: bool
) -> None:
    """Publish the notes of a player on a game, or make them private."""
    for table, values in _AS_PUBLISHED[is_shown]:
        is_own = _of_author(table, game_id, player_id)
        connection.execute(sa.update(table).where(*is_own).values(**values))


def _of_author(table: sa.Table, game_id: str, player_id: int) -> Sequence[sa.ColumnElement[bool]]:
    return table.c.player_id == player_id, table.c.game_id == game_id


def _published_note(row: AnyRow) -> PublishedNote:
    number, text = split_number(row.text)
    is_numbered = number is not None and number == row.ply
    return PublishedNote(row.name, row.ply, text if is_numbered else row.text)


_NOTE = Mapper(StoredNote, notes, is_published=notes.c.published)
_NEW_NOTE = Mapper(NewNote, notes)


def notes_of(connection: sa.Connection, game_id: str, player_id: int) -> Sequence[StoredNote]:
    """Return a player's notes on a game, the oldest first."""
    is_own = _of_author(notes, game_id, player_id)
    return _NOTE.fetch_all(connection, _NOTE.select.where(*is_own).order_by(notes.c.id))


def last_by(
    connection: sa.Connection, player_id: int, game_id: str, limit: int
) -> Sequence[StoredNote]:
    """Return a player's last notes on a game, the newest first, as `Lines.last_by` does."""
    return notes_of(connection, game_id, player_id)[::-1][:limit]


def note_times_by(player_id: int) -> sa.Select[datetime]:
    """Return the statement that selects when a player wrote notes."""
    return sa.select(notes.c.written_at).where(notes.c.player_id == player_id)


def add_note(connection: sa.Connection, game_id: str, player_id: int, note: NewNote) -> int:
    """Store a player's note on a game, and return its number."""
    values = {"game_id": game_id, "player_id": player_id, **_NEW_NOTE.values(note)}
    added = sa.insert(notes).values(values).returning(notes.c.id)
    note_id: int = connection.execute(added).scalar_one()
    return note_id


def clear_notes(connection: sa.Connection, game_id: str, player_id: int, now: datetime) -> None:
    """Empty a player's newest note on a game, delete those before, and add an empty one."""
    own = _of_author(notes, game_id, player_id)
    newest = connection.execute(sa.select(sa.func.max(notes.c.id)).where(*own)).scalar_one()
    connection.execute(sa.delete(notes).where(*own, notes.c.id < newest))
    connection.execute(sa.update(notes).where(notes.c.id == newest).values(text=""))
    add_note(connection, game_id, player_id, NewNote("", now))


_PLAYER = sa.bindparam("player_id", type_=sa.Integer)
_OTHER = sa.bindparam("other_id", type_=sa.Integer)
_OF_PLAYER = favourites.c.player_id == _PLAYER

_IS_FAVOURITE = (_OF_PLAYER, favourites.c.other_id == _OTHER)
_SINCE = sa.select(favourites.c.since).where(*_IS_FAVOURITE)
_COUNT = (
    sa.select(sa.func.count())
    .select_from(favourites)
    .join(players, players.c.id == favourites.c.other_id)
    .where(_OF_PLAYER, is_player_present())
)

_AS_X, _AS_O = games.alias("as_x"), games.alias("as_o")


def _is_first_seat(game: sa.FromClause, side: str) -> sa.ColumnElement[bool]:
    # The index of that side's games finds it, however many others there are. `coalesce` keeps
    # SQLite from reading all open seats instead.
    return sa.and_(
        game.c[f"{side}_player_id"] == players.c.id,
        game.c.status == GameStatus.WAITING,
        sa.func.coalesce(game.c.precedence, -1) == 0,
        is_present(game.c.variant),
    )


_FAVOURITES = (
    sa.select(
        *PLAYER.columns,
        sa.func.coalesce(_AS_X.c.id, _AS_O.c.id).label("seat_id"),
        sa.func.coalesce(_AS_X.c.variant, _AS_O.c.variant).label("seat_variant"),
    )
    .select_from(favourites)
    .join(players, players.c.id == favourites.c.other_id)
    .outerjoin(_AS_X, _is_first_seat(_AS_X, "x"))
    .outerjoin(_AS_O, _is_first_seat(_AS_O, "o"))
    .where(_OF_PLAYER, is_player_present())
)


def favourites_of(
    connection: sa.Connection, player_id: int, now: datetime
) -> Collection[tuple[Player, OpenSeat | None]]:
    """Return a player's favourites who are present, each with the first open seat they offer."""
    rows = connection.execute(_FAVOURITES, {"player_id": player_id, "now": now})
    return {row.id: (PLAYER.read(row), _seat(row)) for row in rows}.values()


def is_favourite(connection: sa.Connection, player_id: int, other_id: int) -> bool:
    """Return whether another is one of a player's favourites."""
    which = {"player_id": player_id, "other_id": other_id}
    return connection.execute(_SINCE, which).first() is not None


def number_of_favourites(connection: sa.Connection, player_id: int, now: datetime) -> int:
    """Return the number of a player's favourites who are present."""
    return connection.execute(_COUNT, {"player_id": player_id, "now": now}).scalar_one()


def add_favourite(connection: sa.Connection, player_id: int, other_id: int, now: datetime) -> None:
    """Store that another is one of a player's favourites."""
    values = {"player_id": player_id, "other_id": other_id, "since": now}
    connection.execute(sa.insert(favourites).values(values))


def remove_favourite(connection: sa.Connection, player_id: int, other_id: int) -> None:
    """Delete another from a player's favourites."""
    which = {"player_id": player_id, "other_id": other_id}
    connection.execute(sa.delete(favourites).where(*_IS_FAVOURITE), which)


def _seat(row: AnyRow) -> OpenSeat | None:
    return None if row.seat_id is None else OpenSeat(row.seat_id, VARIANTS[row.seat_variant])


_READER = sa.bindparam("reader_id", type_=sa.Integer)
_INTRODUCTION = Mapper(Introduction, introductions)
_INTRODUCTION_OF_PLAYER = _INTRODUCTION.select.where(introductions.c.player_id == _PLAYER)
_ACQUAINTANCE = Mapper(
    Acquaintance,
    players,
    player=PLAYER,
    said=Mapper(
        Introduction,
        introductions,
        line=sa.func.coalesce(introductions.c.line, ""),
        website=sa.func.coalesce(introductions.c.website, ""),
    ),
    is_favourite=favourites.c.since.is_not(None),
    relation=relations.c.kind,
)
_CALLED = (
    _ACQUAINTANCE.select.select_from(players)
    .outerjoin(introductions, introductions.c.player_id == players.c.id)
    .outerjoin(
        favourites,
        sa.and_(favourites.c.player_id == _READER, favourites.c.other_id == players.c.id),
    )
    .outerjoin(
        relations, sa.and_(relations.c.player_id == _READER, relations.c.other_id == players.c.id)
    )
    .where(players.c.likeness == sa.bindparam("likeness"))
)


def introduction_of(connection: sa.Connection, player_id: int) -> Introduction:
    """Return what a player says about themselves."""
    found = _INTRODUCTION.fetch_first(connection, _INTRODUCTION_OF_PLAYER, {"player_id": player_id})
    return NO_INTRODUCTION if found is None else found


def acquaintance_called(
    connection: sa.Connection, name: str, reader_id: int
) -> Acquaintance | None:
    """Return the player with a name, in upper or lower case, as a reader knows them, or None."""
    values = {"likeness": names.skeleton(name), "reader_id": reader_id}
    found = _ACQUAINTANCE.fetch_first(connection, _CALLED, values)
    return found if found is not None and found.player.name.lower() == name.lower() else None


def save_introduction(connection: sa.Connection, player_id: int, said: Introduction) -> None:
    """Store what a player says about themselves, in place of what was there."""
    if said == NO_INTRODUCTION:
        erase_introduction(connection, player_id)
        return
    save(connection, introductions, {"player_id": player_id, **_INTRODUCTION.values(said)})


def erase_introduction(connection: sa.Connection, player_id: int) -> None:
    """Erase what a player says about themselves."""
    connection.execute(sa.delete(introductions).where(introductions.c.player_id == player_id))
