"""Reading and writing whom players have muted and blocked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import Integer, and_, bindparam, delete, insert, or_, select, union

from capsule.accounts.model import Relation, RelationKind
from capsule.accounts.presence_queries import is_present
from capsule.db.mapper import Mapper
from capsule.db.schema.players import players, relations

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from datetime import datetime

    from sqlalchemy import Connection


_PLAYER = bindparam("player_id", type_=Integer)
_OTHER = bindparam("other_id", type_=Integer)
_RELATION = Mapper(Relation, relations, name=players.c.name)
_IS_BLOCK = relations.c.kind == RelationKind.BLOCK.value

_APART = (
    select(relations.c.kind)
    .where(
        _IS_BLOCK,
        or_(
            and_(relations.c.player_id == _PLAYER, relations.c.other_id == _OTHER),
            and_(relations.c.player_id == _OTHER, relations.c.other_id == _PLAYER),
        ),
    )
    .limit(1)
)
BLOCKED = union(
    select(relations.c.other_id).where(relations.c.player_id == _PLAYER, _IS_BLOCK),
    select(relations.c.player_id).where(relations.c.other_id == _PLAYER, _IS_BLOCK),
)
"""The ids of those whom the player `player_id` has blocked, or who have blocked that player."""

_WELCOME = select(players.c.id).where(
    players.c.id.in_(bindparam("player_ids", expanding=True)),
    is_present(),
    players.c.id.not_in(BLOCKED),
)
_KIND = select(relations.c.kind).where(
    relations.c.player_id == _PLAYER, relations.c.other_id == _OTHER
)


def are_apart(connection: Connection, player_id: int, other_id: int) -> bool:
    """Return whether one of two players has blocked the other."""
    which = {"player_id": player_id, "other_id": other_id}
    return connection.execute(_APART, which).first() is not None


def kind_of_relation(connection: Connection, player_id: int, other_id: int) -> RelationKind | None:
    """Return what a player has done about another: muted them, blocked them, or nothing (None)."""
    which = {"player_id": player_id, "other_id": other_id}
    kind: str | None = connection.execute(_KIND, which).scalar_one_or_none()
    return None if kind is None else RelationKind(kind)


def blocked_ids(connection: Connection, player_id: int) -> frozenset[int]:
    """Return the players whom this one has blocked, and those who have blocked this one."""
    return frozenset(connection.execute(BLOCKED, {"player_id": player_id}).scalars())


def welcome_among(
    connection: Connection, player_id: int, player_ids: Collection[int], now: datetime
) -> frozenset[int]:
    """Return which of some players are present and apart from this one by no block."""
    which = {"player_id": player_id, "player_ids": tuple(player_ids), "now": now}
    return frozenset(connection.execute(_WELCOME, which).scalars())


def relations_of(connection: Connection, player_id: int) -> Sequence[Relation]:
    """Return whom a player has muted and blocked, the latest first."""
    statement = (
        _RELATION.select.join_from(relations, players, players.c.id == relations.c.other_id)
        .where(relations.c.player_id == player_id)
        .order_by(relations.c.since.desc(), relations.c.other_id)
    )
    return _RELATION.fetch_all(connection, statement)


def save_relation(
    connection: Connection, player_id: int, other_id: int, kind: RelationKind, now: datetime
) -> None:
    """Store that a player has muted or blocked another, in place of what was there."""
    drop_relation(connection, player_id, other_id)
    connection.execute(
        insert(relations).values(player_id=player_id, other_id=other_id, kind=kind.value, since=now)
    )


def drop_relation(connection: Connection, player_id: int, other_id: int) -> None:
    """Delete what a player has done about another."""
    connection.execute(
        delete(relations).where(
            relations.c.player_id == player_id, relations.c.other_id == other_id
        )
    )
