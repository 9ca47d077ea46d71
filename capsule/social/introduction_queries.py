"""Reading and writing what players say about themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import Integer, bindparam, delete, select

from capsule.db.schema.social import introductions
from capsule.db.upserting import insertion
from capsule.social.model import NO_INTRODUCTION, Introduction

if TYPE_CHECKING:
    from sqlalchemy import Connection


_INTRODUCTION = select(introductions.c.line, introductions.c.website).where(
    introductions.c.player_id == bindparam("player_id", type_=Integer)
)


def introduction_of(connection: Connection, player_id: int) -> Introduction:
    """Return what a player says about themselves."""
    row = connection.execute(_INTRODUCTION, {"player_id": player_id}).first()
    return NO_INTRODUCTION if row is None else Introduction(row.line, row.website)


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
