"""Reading and writing what players say about themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import Integer, and_, bindparam, delete, func

from capsule.accounts import names
from capsule.accounts.player_queries import PLAYER
from capsule.db.mapper import Mapper
from capsule.db.schema.players import players, relations
from capsule.db.schema.social import favourites, introductions
from capsule.db.upserting import save
from capsule.social.model import NO_INTRODUCTION, Acquaintance, Introduction

if TYPE_CHECKING:
    from sqlalchemy import Connection


_PLAYER = bindparam("player_id", type_=Integer)
_READER = bindparam("reader_id", type_=Integer)
_INTRODUCTION = Mapper(Introduction, introductions)
_OF_PLAYER = _INTRODUCTION.select.where(introductions.c.player_id == _PLAYER)
_ACQUAINTANCE = Mapper(
    Acquaintance,
    players,
    player=PLAYER,
    said=Mapper(
        Introduction,
        introductions,
        line=func.coalesce(introductions.c.line, ""),
        website=func.coalesce(introductions.c.website, ""),
    ),
    is_favourite=favourites.c.since.is_not(None),
    relation=relations.c.kind,
)
_CALLED = (
    _ACQUAINTANCE.select.select_from(players)
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
    found = _INTRODUCTION.fetch_first(connection, _OF_PLAYER, {"player_id": player_id})
    return NO_INTRODUCTION if found is None else found


def acquaintance_called(connection: Connection, name: str, reader_id: int) -> Acquaintance | None:
    """Return the player with a name, in upper or lower case, as a reader knows them, or None."""
    values = {"likeness": names.likeness(name), "reader_id": reader_id}
    found = _ACQUAINTANCE.fetch_first(connection, _CALLED, values)
    return found if found is not None and found.player.name.lower() == name.lower() else None


def save_introduction(connection: Connection, player_id: int, said: Introduction) -> None:
    """Store what a player says about themselves, in place of what was there."""
    if said == NO_INTRODUCTION:
        erase_introduction(connection, player_id)
        return
    save(connection, introductions, {"player_id": player_id, **_INTRODUCTION.values(said)})


def erase_introduction(connection: Connection, player_id: int) -> None:
    """Erase what a player says about themselves."""
    connection.execute(delete(introductions).where(introductions.c.player_id == player_id))
