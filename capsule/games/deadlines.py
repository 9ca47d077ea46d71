"""A game as the capsule knows it: how it stands, who may do what, and how it goes on or ends.

What happens in a transaction is given its connection; each use case opens its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from capsule.games import clock, list_queries, vacation_queries
from capsule.games import queries as game_queries
from capsule.games.clock import (
    DAY,
    DAYS_PER_MOVE,
    FORFEIT_FACTOR,
    OFFER_LIFETIME,
    ClockState,
)
from capsule.games.finish import ended, ending_of, store_change, win_of
from capsule.games.model import clock_of, may_be_called_off
from capsule.games.status import ABORTED, CHALLENGED, PLAYING, TIMED_OUT, WAITING
from engine import Side

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from sqlalchemy import Connection

    from capsule.context import AppContext
    from capsule.games.clock import Vacation
    from capsule.games.queries import StoredGame


def at(game: StoredGame, vacations: Mapping[int, Sequence[Vacation]], now: datetime) -> StoredGame:
    """Return a stored game as it is at a time: ended, where it has ended by itself until then.

    A page shows this and the sweep stores it, so that both always agree.
    """
    if game.status == CHALLENGED or (game.status == WAITING and game.listed):
        lapses = game.created_at + clock.OFFER_LIFETIME
        return game if now < lapses else ended(game, {"status": ABORTED}, lapses)
    runs = clock_of(game, vacations)
    if runs is None or runs.stand(now) is not ClockState.OVER:
        return game
    return ended(game, _timed_out(game), runs.end)


def _timed_out(game: StoredGame) -> dict[str, str | float | None]:
    if may_be_called_off(game):
        return {"status": ABORTED}
    return ending_of(TIMED_OUT, *win_of(Side(game.turn).other))


def apply_deadlines(
    context: AppContext, connection: Connection, games: Sequence[StoredGame]
) -> Sequence[StoredGame]:
    """Return stored games as they are now."""
    now = context.clock()
    vacations = vacations_in(connection, [game for game in games if at(game, {}, now) != game])
    return [at(game, vacations, now) for game in games]


def vacations_in(
    connection: Connection, games: Sequence[StoredGame]
) -> Mapping[int, Sequence[Vacation]]:
    """Return the vacations that matter to the clocks of these games."""
    timed = [game for game in games if game.status == PLAYING and game.days_a_move is not None]
    if not timed:
        return {}
    seats = (seat for game in timed for seat in (game.x_player_id, game.o_player_id))
    since = min(game.moved_at for game in timed)
    players = {player_id for player_id in seats if player_id is not None}
    return vacation_queries.vacations_of(connection, players, since)


def end_overdue(context: AppContext, most: int = 100) -> int:
    """Store the end of each game that has ended by itself; return how many those were.

    At most `most` are looked at in a transaction.
    """
    now = context.clock()
    times_up = {days: now - FORFEIT_FACTOR * days * DAY for days in DAYS_PER_MOVE}
    count, last = 0, ""
    while True:
        with context.database.reading() as connection:
            found = list_queries.perhaps_overdue(
                connection, times_up, now - OFFER_LIFETIME, most, last
            )
        for game_id in found:
            with context.database.writing() as connection:
                before = game_queries.game_by_id(connection, game_id, to_change=True)
                after = before and at(before, vacations_in(connection, [before]), now)
                if before is not None and after is not None and after != before:
                    store_change(connection, before, after)
                    count += 1
        if len(found) < most:
            return count
        last = found[-1]
