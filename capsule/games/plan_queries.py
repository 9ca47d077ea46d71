"""Reading and writing what players will answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import delete, insert, select

from capsule.db.schema.games import plans
from engine import Side

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sqlalchemy import Connection

    Lines = Sequence[Sequence[str]]


def plan_of(connection: Connection, game_id: str, side: Side) -> Lines:
    """Return the lines of moves that a side has planned from the position as it stands."""
    content = connection.execute(
        select(plans.c.content).where(plans.c.game_id == game_id, plans.c.side == side.value)
    ).scalar_one_or_none()
    return _lines(content) if content else []


def plans_of(connection: Connection, game_id: str) -> Mapping[Side, Lines]:
    """Return what each side has planned, by side; a side without a plan is missing."""
    rows = connection.execute(
        select(plans.c.side, plans.c.content).where(plans.c.game_id == game_id)
    )
    return {Side(row.side): _lines(row.content) for row in rows}


def keep_plan(connection: Connection, game_id: str, side: Side, lines: Lines) -> None:
    """Keep a side's plan in the place of any that was there; no lines are no plan."""
    connection.execute(delete(plans).where(plans.c.game_id == game_id, plans.c.side == side.value))
    if lines:
        content = "\n".join(" ".join(line) for line in lines)
        connection.execute(insert(plans).values(game_id=game_id, side=side.value, content=content))


def drop_plans(connection: Connection, game_id: str) -> None:
    """Forget what both sides have planned."""
    connection.execute(delete(plans).where(plans.c.game_id == game_id))


def _lines(content: str) -> Lines:
    return [tuple(line.split(" ")) for line in content.split("\n")]
