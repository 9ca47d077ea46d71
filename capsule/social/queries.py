"""Reading and writing favourites and introductions."""

from collections.abc import Collection
from dataclasses import fields
from datetime import datetime

import sqlalchemy as sa

from capsule.accounts import names, queries as account_queries
from capsule.accounts.model import Player
from capsule.db.expressions import save
from capsule.db.mapper import Mapper
from capsule.db.schema.base import AnyRow
from capsule.db.schema.games import games, is_present
from capsule.db.schema.players import players, relations
from capsule.db.schema.social import favourites, introductions
from capsule.games.model import GameStatus
from capsule.social.model import NO_INTRODUCTION, Acquaintance, Introduction, OpenSeat, number_of
from engine import VARIANTS

_PLAYER = sa.bindparam("player_id", type_=sa.Integer)
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
        *account_queries.PLAYER.columns,
        sa.func.coalesce(_AS_X.c.id, _AS_O.c.id).label("seat_id"),
        sa.func.coalesce(_AS_X.c.variant, _AS_O.c.variant).label("seat_variant"),
    )
    .select_from(favourites)
    .join(players, players.c.id == favourites.c.other_id)
    .outerjoin(_AS_X, _is_first_seat(_AS_X, "x"))
    .outerjoin(_AS_O, _is_first_seat(_AS_O, "o"))
    .where(favourites.c.player_id == _PLAYER, account_queries.is_present())
)


def favourites_of(
    connection: sa.Connection, player_id: int, now: datetime
) -> Collection[tuple[Player, OpenSeat | None]]:
    """Return a player's favourites who are present, each with the first open seat they offer."""
    rows = connection.execute(_FAVOURITES, {"player_id": player_id, "now": now})
    return {row.id: (account_queries.PLAYER.read(row), _seat(row)) for row in rows}.values()


def is_favourite(connection: sa.Connection, player_id: int, other_id: int) -> bool:
    """Return whether another is one of a player's favourites."""
    statement = sa.select(favourites.c.since).where(*_is(player_id, other_id))
    return connection.execute(statement).first() is not None


def add_favourite(connection: sa.Connection, player_id: int, other_id: int, now: datetime) -> None:
    """Store that another is one of a player's favourites."""
    values = {"player_id": player_id, "other_id": other_id, "since": now}
    connection.execute(sa.insert(favourites).values(values))


def remove_favourite(connection: sa.Connection, player_id: int, other_id: int) -> None:
    """Delete another from a player's favourites."""
    connection.execute(sa.delete(favourites).where(*_is(player_id, other_id)))


def _is(player_id: int, other_id: int) -> Collection[sa.ColumnElement[bool]]:
    return favourites.c.player_id == player_id, favourites.c.other_id == other_id


def _seat(row: AnyRow) -> OpenSeat | None:
    return None if row.seat_id is None else OpenSeat(row.seat_id, VARIANTS[row.seat_variant])


_READER = sa.bindparam("reader_id", type_=sa.Integer)
_INTRODUCTION = Mapper(Introduction, introductions)
_INTRODUCTION_OF_PLAYER = _INTRODUCTION.select.where(introductions.c.player_id == _PLAYER)
_ACQUAINTANCE = Mapper(
    Acquaintance,
    players,
    player=account_queries.PLAYER,
    introduction=Mapper(
        Introduction,
        introductions,
        **{
            part.name: sa.func.coalesce(introductions.c[part.name], "")
            for part in fields(Introduction)
        },
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
    """Return a player's introduction."""
    found = _INTRODUCTION.fetch_first(connection, _INTRODUCTION_OF_PLAYER, {"player_id": player_id})
    return NO_INTRODUCTION if found is None else found


def acquaintance_called(
    connection: sa.Connection, name: str, reader: Player | None
) -> Acquaintance | None:
    """Return the player with a name, in upper or lower case, as a reader knows them, or None."""
    values = {"likeness": names.skeleton(name), "reader_id": number_of(reader)}
    found = _ACQUAINTANCE.fetch_first(connection, _CALLED, values)
    return found if found is not None and found.player.name.lower() == name.lower() else None


def save_introduction(connection: sa.Connection, player_id: int, new: Introduction) -> None:
    """Store a player's introduction in place of the former one."""
    if new == NO_INTRODUCTION:
        erase_introduction(connection, player_id)
        return
    save(connection, introductions, {"player_id": player_id, **_INTRODUCTION.values(new)})


def erase_introduction(connection: sa.Connection, player_id: int) -> None:
    """Erase a player's introduction."""
    connection.execute(sa.delete(introductions).where(introductions.c.player_id == player_id))
