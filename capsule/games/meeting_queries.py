"""Reading how two people have played against each other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy import Integer, bindparam, case, func, select, union_all

from capsule.db.schema.absences import is_present
from capsule.db.schema.games import games

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import Connection, Row, Select


_LIMIT = bindparam("limit", type_=Integer)


def _with_sides(own: str, other: str) -> Select[Any]:
    points = case(
        (games.c.winner == own.upper(), 1.0), (games.c.winner == other.upper(), 0.0), else_=0.5
    )
    return (
        select(games.c.moved_at, games.c.variant, points.label("points"))
        .where(
            games.c[f"{own}_player_id"] == bindparam("player_id", type_=Integer),
            games.c[f"{other}_player_id"] == bindparam("other_id", type_=Integer),
            # SQLite uses the index of such games only if a query repeats its condition.
            games.c.x_points.is_not(None),
            games.c.x_player_id != games.c.o_player_id,
        )
        .order_by(games.c.moved_at.desc())
        .limit(_LIMIT)
    )


_OF_BOTH = union_all(
    *(select(each.subquery()) for each in (_with_sides("x", "o"), _with_sides("o", "x")))
).subquery()
_LAST = select(_OF_BOTH).order_by(_OF_BOTH.c.moved_at.desc()).limit(_LIMIT).subquery()
_BY_VARIANT = (
    select(_LAST.c.variant, func.count().label("games"), func.sum(_LAST.c.points).label("points"))
    .where(is_present(_LAST.c.variant))
    .group_by(_LAST.c.variant)
)


def results_between(
    connection: Connection, player_id: int, other_id: int, limit: int
) -> Sequence[Row[Any]]:
    """Return a player's `games` and `points` by `variant`, of the last games against another.

    A win counts 1 and a draw ½. At most `limit` games are counted.
    """
    which = {"player_id": player_id, "other_id": other_id, "limit": limit}
    return connection.execute(_BY_VARIANT, which).all()
