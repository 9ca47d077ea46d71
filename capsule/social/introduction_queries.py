"""Reading and writing what players say about themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import Integer, and_, bindparam, delete, select

from capsule.accounts import names
from capsule.accounts.model import RelationKind
from capsule.accounts.player_queries import PLAYER_COLUMNS, player_from
from capsule.db.schema.players import players, relations
from capsule.db.schema.social import favourites, introductions
from capsule.db.upserting import insertion
from capsule.social.model import NO_INTRODUCTION, Acquaintance, Introduction

if TYPE_CHECKING:
    from sqlalchemy import Connection


_PLAYER = bindparam("player_id", type_=Integer)
_READER = bindparam("reader_id", type_=Integer)
_INTRODUCTION = select(introductions.c.line, introductions.c.website).where(
    introductions.c.player_id == _PLAYER
)
_ACQUAINTANCE = (
    select(
        introductions.c.line,
        introductions.c.website,
        favourites.c.since.is_not(None).label("is_favourite"),
        relations.c.kind,
        *PLAYER_COLUMNS,
    )
    .select_from(players)
    .outerjoin(introductions, introductions.c.player_id == players.c.id)
    .outerjoin(
        favourites,
        and_(favourites.c.player_id == _READER, favourites.c.other_id == players.c.id),
    )
    .outerjoin(
        relations, and_(relations.c.player_id == _READER, relations.c.other_id == players.c.id)
    )
    .where(players.c.likeness == bindparam("likeness"))
)


def introduction_of(connection: Connection, player_id: int) -> Introduction:
    """Return what a player says about themselves."""
    row = connection.execute(_INTRODUCTION, {"player_id": player_id}).first()
    return NO_INTRODUCTION if row is None else Introduction(row.line, row.website)


def acquaintance_called(connection: Connection, name: str, reader_id: int) -> Acquaintance | None:
    """Return the player with a name, in upper or lower case, as a reader knows them, or None."""
    values = {"likeness": names.likeness(name), "reader_id": reader_id}
    row = connection.execute(_ACQUAINTANCE, values).first()
    if row is None or row.name.lower() != name.lower():
        return None
    return Acquaintance(
        player_from(row),
        Introduction(row.line or "", row.website or ""),
        is_favourite=bool(row.is_favourite),
        relation=None if row.kind is None else RelationKind(row.kind),
    )


def save_introduction(connection: Connection, player_id: int, said: Introduction) -> None:
    """Store what a player says about themselves, in place of what was there."""
    if said == NO_INTRODUCTION:
        erase_introduction(connection, player_id)
        return
    values = {"line": said.line, "website": said.website}
    connection.execute(
        insertion(connection, introductions)
        .values(player_id=player_id, **values)
        .on_conflict_do_update(index_elements=[introductions.c.player_id], set_=values)
    )


def erase_introduction(connection: Connection, player_id: int) -> None:
    """Erase what a player says about themselves."""
    connection.execute(delete(introductions).where(introductions.c.player_id == player_id))
