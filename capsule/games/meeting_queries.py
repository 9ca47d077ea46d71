"""Reading how two people have played against each other."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from sqlalchemy import Integer, bindparam, case, func, select, union_all

from capsule.db.schema.absences import is_present
from capsule.db.schema.games import games

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import BindParameter, Connection, Row, Select, Subquery


_LIMIT = bindparam("limit", type_=Integer)


def results_between(
    connection: Connection, player_id: int, other_ids: Sequence[int], limit: int
) -> Sequence[Row[Any]]:
    """Return a player's `games` and `points` by `other_id` and `variant`.

    A win counts 1 and a draw ½. At most `limit` games against each other player are counted, the
    last ones.
    """
    others = {_name(number): other_id for number, other_id in enumerate(other_ids)}
    which = {"player_id": player_id, "limit": limit, **others}
    return connection.execute(_by_variant(len(others)), which).all()


@cache
def _by_variant(count: int) -> Select[Any]:
    """Return the statement for some other players, which is made once for each number of them."""
    last = union_all(*(select(_last_against(number)) for number in range(count))).subquery()
    return (
        select(
            last.c.other_id,
            last.c.variant,
            func.count().label("games"),
            func.sum(last.c.points).label("points"),
        )
        .where(is_present(last.c.variant))
        .group_by(last.c.other_id, last.c.variant)
    )


def _last_against(number: int) -> Subquery:
    other_id = bindparam(_name(number), type_=Integer)
    both = union_all(
        *(
            select(each.subquery())
            for each in (_ends("x", "o", other_id), _ends("o", "x", other_id))
        )
    ).subquery()
    return select(both).order_by(both.c.moved_at.desc()).limit(_LIMIT).subquery()


def _ends(own: str, other: str, other_id: BindParameter[int]) -> Select[Any]:
    points = case(
        (games.c.winner == own.upper(), 1.0), (games.c.winner == other.upper(), 0.0), else_=0.5
    )
    return (
        select(
            games.c.moved_at,
            games.c.variant,
            games.c[f"{other}_player_id"].label("other_id"),
            points.label("points"),
        )
        .where(
            games.c[f"{own}_player_id"] == bindparam("player_id", type_=Integer),
            games.c[f"{other}_player_id"] == other_id,
            # SQLite uses the index of such games only if a query repeats its condition.
            games.c.x_points.is_not(None),
            games.c.x_player_id != games.c.o_player_id,
        )
        .order_by(games.c.moved_at.desc())
        .limit(_LIMIT)
    )


def _name(number: int) -> str:
    return f"other_id_{number}"
