"""A game as the capsule knows it: how it stands, who may do what, and how it goes on or ends.

What happens in a transaction is given its connection; each use case opens its own.
"""

from __future__ import annotations

from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any

from capsule.games import queries as game_queries
from capsule.games.plan_queries import drop_plans
from capsule.games.status import RUNNING
from capsule.ratings.update import apply
from engine import Side

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from sqlalchemy import Connection

    from capsule.games.model import Game
    from capsule.games.queries import StoredGame


def win_of(side: Side) -> tuple[Side, tuple[float, float]]:
    """Return the winner and the points of a game that a side won outright."""
    return side, (1.0, 0.0) if side is Side.X else (0.0, 1.0)


def ending_of(
    status: str, winner: Side | None, points: tuple[float, float]
) -> dict[str, str | float | None]:
    """Return the columns of a game that ended so: what it was worth to whom."""
    return {
        "status": status,
        "analysis_due": True,
        "winner": winner and winner.value,
        "x_points": points[0],
        "o_points": points[1],
    }


def ended(
    game: StoredGame, values: Mapping[str, str | float | None], moment: datetime
) -> StoredGame:
    """Return a game that ended at a moment with these values of its columns.

    The turn counter goes up, so that no link made before the end acts after it.
    """
    over: dict[str, Any] = {
        **values,
        "draw_offered_by": None,
        "takeback_asked_by": None,
        "bot_to_move": False,
        "ended_at": moment,
        "moved_at": moment,
        "turn_counter": game.turn_counter + 1,
    }
    return replace(game, **over)


def store_change(connection: Connection, before: StoredGame, after: StoredGame) -> None:
    """Store what has changed in a game; where it has ended, plans go and ratings change."""
    names = (field.name for field in fields(before))
    changed = {name: getattr(after, name) for name in names}
    changed = {name: value for name, value in changed.items() if getattr(before, name) != value}
    if not changed:
        return
    game_queries.change_game(connection, before.id, **changed)
    if before.status in RUNNING and after.status not in RUNNING:
        drop_plans(connection, before.id)
        apply(connection, after)


def end(connection: Connection, game: Game, values: Mapping[str, str | float | None]) -> None:
    """End a game now, with these values of its columns."""
    store_change(connection, game.stored, ended(game.stored, values, game.now))
