"""Deadlines: moves run out of time, challenges and open seats lapse, and vacations stop clocks.

A page shows a game with passed deadlines applied, and the periodic sweep stores the same result,
both at the clock's `deadline_time`. That time stops while the machine's clock is in doubt: no game
ends then, and nobody can claim one.
"""

from collections.abc import Sequence
from datetime import datetime

import sqlalchemy as sa

from capsule.accounts.model import Player
from capsule.context import AppContext, Transaction, reading, writing
from capsule.errors import OutdatedAction, Refused
from capsule.games import finish, list_queries, player_queries, queries as game_queries
from capsule.games.clock import DAY, ClockState, Vacation, Vacations, days_to_take
from capsule.games.model import Ending, EndReason, StoredGame, is_loaded
from engine import message

MAX_UNSTORED = 100
"""The most games with an end not stored yet that a page considers."""


def with_deadlines_applied(game: StoredGame, vacations: Vacations, now: datetime) -> StoredGame:
    """Return a stored game as of `now`: ended if a deadline has passed.

    `vacations` are its players' by id. Games of absent variants have no deadlines. When the time of
    a cup's game is up, the side to move loses if it is late; otherwise the game is drawn.
    """
    if not is_loaded(game.variant):
        return game
    lapses_at = game.lapses_at
    if lapses_at is not None:
        expired = Ending.aborted(EndReason.EXPIRED)
        return game if now < lapses_at else game.ended(expired, lapses_at)
    clock, ends_by = game.clock(vacations), game.ends_by if game.is_playing else None
    if clock is not None and (ends_by is None or clock.end <= ends_by):
        if clock.state(now) is not ClockState.OVER:
            return game
        ending = (
            Ending.aborted(EndReason.OUT_OF_TIME, game.turn)
            if game.can_be_aborted
            else Ending.timeout(game.turn)
        )
        return game.ended(ending, clock.end)
    if ends_by is None or now < ends_by:
        return game
    is_late = clock is not None and clock.state(ends_by) is not ClockState.IN_TIME
    return game.ended(
        Ending.timeout(game.turn) if is_late else Ending.by_terms(game.variant), ends_by
    )


def apply_deadlines(transaction: Transaction, games: Sequence[StoredGame]) -> Sequence[StoredGame]:
    """Return stored games as of now: those whose deadline has passed have ended."""
    now = transaction.deadline_time
    due = [game for game in games if game.may_be_due(now)]
    if not due:
        return games
    vacations = vacations_in(transaction.connection, due)
    return [with_deadlines_applied(game, vacations, now) for game in games]


def all_games_of_player(transaction: Transaction, player: Player) -> Sequence[StoredGame]:
    """Return every game of a player as of now, latest move first."""
    found = game_queries.all_games_of_player(transaction.connection, player.id)
    return apply_deadlines(transaction, found)


def ended_unstored(transaction: Transaction, player: Player) -> Sequence[StoredGame]:
    """Return a player's games with people that a deadline has ended but no sweep has stored."""
    now = transaction.deadline_time
    found = list_queries.overdue_between_people(
        transaction.connection, player.id, now, MAX_UNSTORED
    )
    return [game for game in apply_deadlines(transaction, found) if not game.is_running]


def vacations_in(
    connection: sa.Connection, games: Sequence[StoredGame], own: tuple[int, datetime] | None = None
) -> Vacations:
    """Return the vacations that affect the clocks of these games, by player.

    With `own`, a player's id and a time, all vacations of that player since then are included.
    """
    wanted = [
        (seat.player_id, game.moved_at)
        for game in games
        if game.is_playing and game.days_per_move is not None
        for seat in (game.x, game.o)
        if seat.player_id is not None
    ]
    wanted += [own] if own is not None else []
    if not wanted:
        return {}
    since = min(moment for _, moment in wanted)
    return player_queries.vacations_of(connection, {player for player, _ in wanted}, since)


def store_expiry(connection: sa.Connection, stored: StoredGame, current: StoredGame) -> None:
    """Store the end of a game whose deadline has passed, unless it has been stored already.

    `current` is the game with deadlines applied. The transaction has locked the game.
    """
    if stored.is_running and not current.is_running:
        finish.finish(connection, stored, current)


def end_overdue(context: AppContext, limit: int = 100) -> int:
    """Store the end of every game whose deadline has passed; return the number of games ended.

    Candidates are read `limit` at a time, and each game is ended in its own transaction.
    """
    count, last = 0, ""
    while candidate_ids := _overdue_candidates(context, limit, last):
        count += sum(_end_if_overdue(context, game_id) for game_id in candidate_ids)
        last = candidate_ids[-1]
    return count


@reading
def _overdue_candidates(transaction: Transaction, limit: int, after: str) -> Sequence[str]:
    now = transaction.deadline_time
    return list_queries.overdue_candidates(transaction.connection, now, limit, after)


@writing
def _end_if_overdue(transaction: Transaction, game_id: str) -> bool:
    stored = game_queries.game_by_id(transaction.connection, game_id, to_change=True)
    if stored is None or not stored.is_running:
        return False
    (current,) = apply_deadlines(transaction, [stored])
    store_expiry(transaction.connection, stored, current)
    return not current.is_running


def vacation_limit(transaction: Transaction, player: Player) -> int:
    """Return the days of vacation that the player may take from now on.

    Raises `OutdatedAction` if they are on vacation.
    """
    now = transaction.now
    # A vacation that ended more than a year ago takes no day from this year.
    since = now - 366 * DAY
    found = player_queries.vacations_of(transaction.connection, [player.id], since)
    taken = found.get(player.id, ())
    if any(vacation.covers(now) for vacation in taken):
        raise OutdatedAction
    return days_to_take(taken, now)


def take_vacation(transaction: Transaction, player: Player, typed: str) -> None:
    """Take as many days of vacation as the player typed, from now on.

    Raises `Refused`, or `OutdatedAction` if the player is on vacation.
    """
    most = vacation_limit(transaction, player)
    days = int(typed) if typed.isdecimal() and len(typed) < 9 else 0
    if not most:
        raise Refused(message("You have no vacation left this year"))
    if not 1 <= days <= most:
        raise Refused(message("Type a whole number of days from 1 to {limit}", limit=most))
    vacation = Vacation(transaction.now, transaction.now + days * DAY)
    player_queries.add_vacation(transaction.connection, player.id, vacation)
