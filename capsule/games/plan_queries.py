"""Reading and writing plans: the conditional moves that players have typed in advance."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import and_, bindparam, delete, insert, or_, select

from capsule.db.schema.games import games, plans
from engine import Side

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sqlalchemy import Connection

    Lines = Sequence[Sequence[str]]


# Made once, since every page of a waiting player and every move needs them.
_PLANS = select(plans.c.side, plans.c.content).where(plans.c.game_id == bindparam("game_id"))
_PLAN = _PLANS.with_only_columns(plans.c.content).where(plans.c.side == bindparam("side"))


def plan_of(connection: Connection, game_id: str, side: Side) -> Lines:
    """Return the lines of moves that a side has planned from the current position."""
    content = connection.execute(
        _PLAN, {"game_id": game_id, "side": side.value}
    ).scalar_one_or_none()
    return _lines(content) if content else []


def plans_of(connection: Connection, game_id: str) -> Mapping[Side, Lines]:
    """Return the plans of both sides, by side; a side without a plan is missing."""
    rows = connection.execute(_PLANS, {"game_id": game_id})
    return {Side(row.side): _lines(row.content) for row in rows}


def plans_of_player(connection: Connection, player_id: int) -> Mapping[str, Lines]:
    """Return all lines that a player has planned, by game id."""
    rows = connection.execute(
        select(plans.c.game_id, plans.c.content)
        .join(games, games.c.id == plans.c.game_id)
        .where(
            or_(
                and_(games.c.x_player_id == player_id, plans.c.side == Side.X.value),
                and_(games.c.o_player_id == player_id, plans.c.side == Side.O.value),
            )
        )
        .order_by(plans.c.game_id, plans.c.side.desc())
    )
    found: dict[str, list[Sequence[str]]] = {}
    for row in rows:
        found.setdefault(row.game_id, []).extend(_lines(row.content))
    return found


def save_plan(connection: Connection, game_id: str, side: Side, lines: Lines) -> None:
    """Store a side's plan, replacing any that it had; a plan without lines is deleted."""
    connection.execute(delete(plans).where(plans.c.game_id == game_id, plans.c.side == side.value))
    if lines:
        content = "\n".join(" ".join(line) for line in lines)
        connection.execute(insert(plans).values(game_id=game_id, side=side.value, content=content))


def delete_plans(connection: Connection, game_id: str) -> None:
    """Delete the plans of both sides."""
    connection.execute(delete(plans).where(plans.c.game_id == game_id))


def _lines(content: str) -> Lines:
    return [tuple(line.split(" ")) for line in content.split("\n")]
