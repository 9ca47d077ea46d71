"""Reading and writing players' favourites."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import Integer, and_, bindparam, delete, func, insert, select

from capsule.accounts.player_queries import PLAYER
from capsule.accounts.presence_queries import is_present as is_player_present
from capsule.db.schema.absences import is_present
from capsule.db.schema.games import games
from capsule.db.schema.players import players
from capsule.db.schema.social import favourites
from capsule.games.status import GameStatus
from capsule.social.model import OpenSeat
from engine import VARIANTS

if TYPE_CHECKING:
    from collections.abc import Collection
    from datetime import datetime

    from sqlalchemy import ColumnElement, Connection, FromClause

    from capsule.accounts.model import Player
    from capsule.db.schema.base import AnyRow


_PLAYER = bindparam("player_id", type_=Integer)
_OTHER = bindparam("other_id", type_=Integer)
_OF_PLAYER = favourites.c.player_id == _PLAYER

_SINCE = select(favourites.c.since).where(_OF_PLAYER, favourites.c.other_id == _OTHER)
_COUNT = (
    select(func.count())
    .select_from(favourites)
    .join(players, players.c.id == favourites.c.other_id)
    .where(_OF_PLAYER, is_player_present())
)

_AS_X, _AS_O = games.alias("as_x"), games.alias("as_o")


def _is_first_seat(game: FromClause, side: str) -> ColumnElement[bool]:
    # The index of that side's games finds it, however many others there are. `coalesce` keeps
    # SQLite from reading all open seats instead.
    return and_(
        game.c[f"{side}_player_id"] == players.c.id,
        game.c.status == GameStatus.WAITING,
        func.coalesce(game.c.precedence, -1) == 0,
        is_present(game.c.variant),
    )


_FAVOURITES = (
    select(
        *PLAYER.columns,
        func.coalesce(_AS_X.c.id, _AS_O.c.id).label("seat_id"),
        func.coalesce(_AS_X.c.variant, _AS_O.c.variant).label("seat_variant"),
    )
    .select_from(favourites)
    .join(players, players.c.id == favourites.c.other_id)
    .outerjoin(_AS_X, _is_first_seat(_AS_X, "x"))
    .outerjoin(_AS_O, _is_first_seat(_AS_O, "o"))
    .where(_OF_PLAYER, is_player_present())
)


def favourites_of(
    connection: Connection, player_id: int, now: datetime
) -> Collection[tuple[Player, OpenSeat | None]]:
    """Return a player's favourites who are present, each with the first open seat they offer."""
    rows = connection.execute(_FAVOURITES, {"player_id": player_id, "now": now})
    return {row.id: (PLAYER.read(row), _seat(row)) for row in rows}.values()


def is_favourite(connection: Connection, player_id: int, other_id: int) -> bool:
    """Return whether another is one of a player's favourites."""
    which = {"player_id": player_id, "other_id": other_id}
    return connection.execute(_SINCE, which).first() is not None


def number_of_favourites(connection: Connection, player_id: int, now: datetime) -> int:
    """Return the number of a player's favourites who are present."""
    return connection.execute(_COUNT, {"player_id": player_id, "now": now}).scalar_one()


def add_favourite(connection: Connection, player_id: int, other_id: int, now: datetime) -> None:
    """Store that another is one of a player's favourites."""
    values = {"player_id": player_id, "other_id": other_id, "since": now}
    connection.execute(insert(favourites).values(values))


def remove_favourite(connection: Connection, player_id: int, other_id: int) -> None:
    """Delete another from a player's favourites."""
    connection.execute(
        delete(favourites).where(
            favourites.c.player_id == player_id, favourites.c.other_id == other_id
        )
    )


def _seat(row: AnyRow) -> OpenSeat | None:
    return None if row.seat_id is None else OpenSeat(row.seat_id, VARIANTS[row.seat_variant])
