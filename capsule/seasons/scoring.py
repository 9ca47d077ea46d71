"""Scoring: points are stored as events, and standings are computed from the events.

Games are marked as due when they end, and daily positions when a player solves them. A step of the
sweep scores each once, as of the time when it happened. The step may be interrupted or repeated at
any time: the transaction that stores the points also clears the mark.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator
from datetime import datetime

import sqlalchemy as sa

from capsule.accounts import queries as account_queries
from capsule.accounts.model import Player
from capsule.context import AppContext, Transaction, writing
from capsule.games.eligibility import is_eligible
from capsule.games.model import StoredGame, is_loaded
from capsule.games.results import is_suggested_or_above
from capsule.languages.dates import Month
from capsule.seasons import model, queries

BATCH_SIZE = 50
"""The most games, and the most daily solutions, that one transaction scores."""

MAX_BATCHES = 20
"""The most batches in one sweep; more would slow page requests."""


def score_due(context: AppContext) -> int:
    """Score the games and daily solutions that are due, and return how many were processed."""
    processed = 0
    for _ in range(MAX_BATCHES):
        if not context.read(queries.has_due):
            break
        processed += _score_batch(context)
    return processed


def refresh(connection: sa.Connection, month: Month, player_ids: Collection[int]) -> None:
    """Recompute the standings of players in a month; the transaction has locked the seasons."""
    events = queries.counting_events(connection, month, player_ids)
    stored = queries.standings_of(connection, month, player_ids)
    for player_id in sorted(player_ids):
        standing = model.standing_of(events.get(player_id, ()))
        if standing != stored.get(player_id):
            queries.save_standing(connection, month, player_id, standing)


@writing
def _score_batch(transaction: Transaction) -> int:
    connection = transaction.connection
    games = queries.hold_due_games(connection, BATCH_SIZE)
    days = queries.hold_due_days(connection, BATCH_SIZE)
    if not games and not days:
        return 0
    queries.lock_seasons(connection)
    found = [event for game in games for event in _events_of(connection, game)]
    earned = [event for event in (*found, *days) if _may_earn(connection, event)]
    queries.add_events(connection, earned)
    for month, player_ids in _by_month(earned).items():
        refresh(connection, month, player_ids)
    queries.clear_due_games(connection, [game.id for game in games])
    queries.clear_due_days(connection, days)
    return len(games) + len(days)


def _events_of(connection: sa.Connection, game: StoredGame) -> Iterator[model.SeasonEvent]:
    yield from model.events_between(game)
    against_bot = model.event_against_bot(game)
    if against_bot is not None and is_loaded(game.variant):
        event, level = against_bot
        if is_suggested_or_above(
            connection, event.player_id, game.variant.key, level, event.happened_at
        ):
            yield event


def _may_earn(connection: sa.Connection, event: model.SeasonEvent) -> bool:
    """Return whether the player was eligible at the time, and has not been erased since."""
    player = account_queries.player_by_id(connection, event.player_id)
    return (
        player is not None
        and bool(player.name)
        and is_eligible(connection, player, event.happened_at)
    )


def _by_month(events: Iterable[model.SeasonEvent]) -> defaultdict[Month, set[int]]:
    found: defaultdict[Month, set[int]] = defaultdict(set)
    for event in events:
        found[event.month].add(event.player_id)
    return found


def exclude(transaction: Transaction, player: Player) -> None:
    """Exclude a player from the open standings, and the points of others from games against them.

    The transaction has locked the player, who is banned and whose games have ended. Points that are
    scored later do not count either.
    """
    _refresh_open(transaction.connection, player.id, transaction.now, queries.add_ban)


def reinstate(transaction: Transaction, player: Player) -> None:
    """Restore the points that a ban, which is now lifted, excluded from the open standings."""
    _refresh_open(transaction.connection, player.id, transaction.now, queries.remove_ban)


def exclude_program(connection: sa.Connection, player_id: int, now: datetime) -> None:
    """Permanently exclude a player who has become a program from the open standings.

    The transaction has locked the player.
    """
    _refresh_open(connection, player_id, now)


def _refresh_open(
    connection: sa.Connection,
    player_id: int,
    now: datetime,
    change: Callable[[sa.Connection, Month, int], None] = lambda *_: None,
) -> None:
    """Recompute the open standings of a player and their opponents, after a change of bans."""
    queries.lock_seasons(connection)
    for month in model.open_months(now):
        change(connection, month, player_id)
        opponents = queries.opponents_in(connection, month, player_id)
        refresh(connection, month, {player_id, *opponents})


def erase(transaction: Transaction, player: Player) -> None:
    """Delete the player's open standings, and the points of others that a ban excluded."""
    connection = transaction.connection
    queries.lock_seasons(connection)
    for month in model.open_months(transaction.now):
        queries.save_standing(connection, month, player.id, None)
    queries.forget_banned_games(connection, player.id)
