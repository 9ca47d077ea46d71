"""Reading a player's last games against bots, of every variant and level at once."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import TYPE_CHECKING

from sqlalchemy import Integer, bindparam, literal, literal_column, select, union_all

from capsule.db.schema.base import Moment
from capsule.db.schema.games import games
from engine import Side

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import datetime

    from sqlalchemy import CompoundSelect, Connection


@dataclass(frozen=True, slots=True)
class BotResult:
    """A game of a player against a bot: `is_won` is None for a draw."""

    variant: str
    level: str
    ended_at: datetime
    is_won: bool | None


def results_against_bots(
    connection: Connection,
    player_id: int,
    levels: Mapping[str, Iterable[str]],
    limit: int,
    before: datetime | None = None,
) -> Sequence[BotResult]:
    """Return the player's finished games against bots that began at the start of their variant.

    `levels` are those of the variants that are asked about. Of each of them, and each side, the
    results are the last `limit`, of those before a time if one is given.
    """
    bots = tuple((variant, level) for variant, names in levels.items() for level in names)
    statement = _last_results(bots, is_past=before is not None)
    values = {"player_id": player_id, "limit": limit, "before": before}
    rows = connection.execute(statement, values)
    return [
        BotResult(
            row.variant,
            row.level,
            row.moved_at,
            is_won=None if row.winner is None else row.winner == row.side,
        )
        for row in rows
    ]


@cache
def _last_results(
    bots: Sequence[tuple[str, str]], *, is_past: bool
) -> CompoundSelect[tuple[object]]:
    """Return the statement, each part of which reads a piece of an index."""
    had_ended = games.c.moved_at < bindparam("before", type_=Moment)
    seats = {
        Side.X: (games.c.x_player_id, games.c.o_bot),
        Side.O: (games.c.o_player_id, games.c.x_bot),
    }
    ends = [
        select(
            games.c.variant,
            bot.label("level"),
            literal(side.value).label("side"),
            games.c.winner,
            games.c.moved_at,
        )
        .where(
            seat == bindparam("player_id", type_=Integer),
            games.c.variant == variant,
            bot == level,
            games.c.x_points.is_not(None),
            # As a literal, or SQLite takes no index with this condition.
            games.c.start_ply == literal_column("0"),
            *((had_ended,) if is_past else ()),
        )
        .order_by(games.c.moved_at.desc())
        .limit(bindparam("limit", type_=Integer))
        .subquery()
        for (side, (seat, bot)), (variant, level) in product(seats.items(), bots)
    ]
    return union_all(*(select(end) for end in ends))
