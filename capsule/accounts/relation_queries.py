"""Reading and writing whom players have muted and blocked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy import Integer, and_, bindparam, delete, insert, or_, select

from capsule.accounts.model import BLOCK, Relation
from capsule.db.schema.players import players, relations

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from sqlalchemy import Connection


_PLAYER = bindparam("player_id", type_=Integer)
_OTHER = bindparam("other_id", type_=Integer)

_APART = (
    select(relations.c.kind)
    .where(
        relations.c.kind == BLOCK,
        or_(
            and_(relations.c.player_id == _PLAYER, relations.c.other_id == _OTHER),
            and_(relations.c.player_id == _OTHER, relations.c.other_id == _PLAYER),
        ),
    )
    .limit(1)
)
_KIND = select(relations.c.kind).where(
    relations.c.player_id == _PLAYER, relations.c.other_id == _OTHER
)


def are_apart(connection: Connection, player_id: int, other_id: int) -> bool:
    """Tell whether one of the two has blocked the other."""
    which = {"player_id": player_id, "other_id": other_id}
    return connection.execute(_APART, which).first() is not None


def kind_of_relation(connection: Connection, player_id: int, other_id: int) -> str | None:
    """Return whether a player has muted or blocked another: `MUTE`, `BLOCK` or None."""
    which = {"player_id": player_id, "other_id": other_id}
    return connection.execute(_KIND, which).scalar_one_or_none()


def blocked_ids(connection: Connection, player_id: int) -> frozenset[int]:
    """Return the players with whom this one shares nothing, whichever of the two has blocked."""
    is_block = relations.c.kind == BLOCK
    statement = select(relations.c.other_id).where(relations.c.player_id == player_id, is_block)
    others = select(relations.c.player_id).where(relations.c.other_id == player_id, is_block)
    return frozenset(connection.execute(statement.union(others)).scalars())


def relations_of(connection: Connection, player_id: int) -> Sequence[Relation]:
    """Return whom a player has muted and blocked, the latest first."""
    statement = (
        select(relations.c.other_id, players.c.name, relations.c.kind, relations.c.since)
        .join(players, players.c.id == relations.c.other_id)
        .where(relations.c.player_id == player_id)
        .order_by(relations.c.since.desc(), relations.c.other_id)
    )
    rows: Sequence[Sequence[Any]] = connection.execute(statement).all()
    return [Relation(*row) for row in rows]


def keep_relation(
    connection: Connection, player_id: int, other_id: int, kind: str, now: datetime
) -> None:
    """Keep that a player has muted or blocked another, in the place of what was there."""
    drop_relation(connection, player_id, other_id)
    connection.execute(
        insert(relations).values(player_id=player_id, other_id=other_id, kind=kind, since=now)
    )


def drop_relation(connection: Connection, player_id: int, other_id: int) -> None:
    """Forget that a player has muted or blocked another."""
    connection.execute(
        delete(relations).where(
            relations.c.player_id == player_id, relations.c.other_id == other_id
        )
    )


def relations_by(connection: Connection, player_id: int) -> list[dict[str, str]]:
    """Return whom a player has muted and blocked, fit for JSON."""
    return [
        {"name": each.name, "kind": each.kind, "since": each.since.isoformat()}
        for each in relations_of(connection, player_id)
    ]


def erase_relations(connection: Connection, player_id: int) -> None:
    """Forget whom a player has muted and blocked, and who has muted or blocked the player."""
    connection.execute(
        delete(relations).where(
            or_(relations.c.player_id == player_id, relations.c.other_id == player_id)
        )
    )
