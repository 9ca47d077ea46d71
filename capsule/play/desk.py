"""A player's running games, those that need the player first: lists of them, and the next one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from capsule.games.clock import beginning_of_year
from capsule.games.deadlines import running_clock, vacations_in, with_deadlines_applied
from capsule.games.quota import MAX_UNFINISHED_OF_PROGRAM
from capsule.games.running_queries import MAX_CHALLENGES, running_games_of
from capsule.play.game_entries import entry_of, place_in, query_of, with_unique_labels
from capsule.ui import paging

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from sqlalchemy import Connection

    from capsule.accounts.model import Player
    from capsule.context import AppContext, Transaction
    from capsule.games.clock import Clock, Vacation, Vacations
    from capsule.games.model import StoredGame
    from capsule.games.running_queries import Place, RunningGame
    from capsule.play.game_entries import GameEntry

PAGE_SIZE, DESK_SIZE = 50, 10
"""The numbers of games on a page of running games, and on one of those that wait for the player."""

MAX_WAITING = MAX_UNFINISHED_OF_PROGRAM + MAX_CHALLENGES
"""The most games that can wait for a player."""

_CANDIDATES = 4
"""Games examined to find the next one: some may just have run out of time, one is passed over."""


@dataclass(frozen=True, slots=True)
class Slice:
    """A part of a list of running games, and the number of all that wait for the player.

    `over` are those that a deadline has just ended. `earlier` and `later` are the queries of the
    pages on which the list continues, None if it does not. Unless it is of waiting games only,
    `vacations` are those of the player from this year on, and perhaps earlier ones.
    """

    entries: Sequence[GameEntry]
    over: Sequence[StoredGame]
    count: int
    vacations: Sequence[Vacation]
    earlier: str | None
    later: str | None


def next_game(
    transaction: Transaction, player: Player, *, passed_over: str | None = None
) -> StoredGame | None:
    """Return the first game of the list that waits for a player, None if none does.

    Of games with the same time for a move, that has waited longest. The game with the id
    `passed_over` is none of them.
    """
    context, connection = transaction.context, transaction.connection
    now = context.clock.deadline_time()
    found = running_games_of(connection, player.id, now, _CANDIDATES, waiting_only=True)
    others = [each for each in found if each.stored.id != passed_over]
    running, _, _ = _current(context, others, _vacations_in(connection, others))
    return running[0].stored if running else None


def desk_of(context: AppContext, connection: Connection, player: Player) -> Sequence[GameEntry]:
    """Return all that waits for a player, the most urgent first."""
    now = context.clock.deadline_time()
    found = running_games_of(connection, player.id, now, MAX_WAITING, waiting_only=True)
    running, _, clocks = _current(context, found, _vacations_in(connection, found))
    return _entries(running, clocks, player, now)


def running_slice(
    transaction: Transaction,
    player: Player,
    query: str,
    *,
    waiting_only: bool = False,
) -> Slice:
    """Return a page of a player's running games, from the place on that a query names.

    `waiting_only` leaves out those that do not wait for the player; then labels need not tell games
    apart by their state.
    """
    context, connection = transaction.context, transaction.connection
    now = context.clock.deadline_time()
    place, backwards = place_in(query) or (None, False)

    def read(limit: int, beyond: Place | None) -> Sequence[RunningGame]:
        return running_games_of(
            connection,
            player.id,
            now,
            limit,
            beyond,
            backwards=backwards and beyond is not None,
            waiting_only=waiting_only,
        )

    size = DESK_SIZE if waiting_only else PAGE_SIZE
    shown = paging.read_slice(size, read, place, backwards=backwards)
    own = None if waiting_only else (player.id, beginning_of_year(transaction.now))
    vacations = _vacations_in(connection, shown.items, own)
    running, over, clocks = _current(context, shown.items, vacations)
    entries = with_unique_labels(
        _entries(running, clocks, player, now), tells_state=not waiting_only
    )
    return Slice(
        entries,
        over,
        shown.items[0].waiting if shown.items else 0,
        vacations.get(player.id, ()),
        query_of(shown.items[0].place, backwards=True) if shown.has_previous else None,
        query_of(shown.items[-1].place, backwards=False) if shown.has_next else None,
    )


def _vacations_in(
    connection: Connection, found: Sequence[RunningGame], own: tuple[int, datetime] | None = None
) -> Vacations:
    """Return the vacations that affect the clocks of games, and a player's `own` since a time."""
    return vacations_in(connection, [each.stored for each in found if each.was_anybody_away], own)


def _current(
    context: AppContext, found: Sequence[RunningGame], vacations: Vacations
) -> tuple[Sequence[RunningGame], Sequence[StoredGame], Mapping[str, Clock]]:
    """Return the games that still run, those that are over, the latest first, and the clocks."""
    now = context.clock.deadline_time()
    current = [with_deadlines_applied(each.stored, vacations, now) for each in found]
    running = [each for each, game in zip(found, current, strict=True) if game.is_running]
    over = (game for game in current if not game.is_running)
    clocks = ((each.stored.id, running_clock(context, each.stored, vacations)) for each in running)
    return (
        running,
        sorted(over, key=lambda game: (game.moved_at, game.id), reverse=True),
        {game_id: clock for game_id, clock in clocks if clock is not None},
    )


def _entries(
    running: Sequence[RunningGame], clocks: Mapping[str, Clock], player: Player, now: datetime
) -> Sequence[GameEntry]:
    return [
        entry_of(each.stored, each.place, clocks.get(each.stored.id), player, now)
        for each in running
    ]
