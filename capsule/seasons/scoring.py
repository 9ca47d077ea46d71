"""Giving points: what is due is stored as events, and the table follows from these.

Games and daily positions are marked as due when they end or are found. A step of the sweep decides
about each once, as of the time when it happened. It may be interrupted or repeated at any time: the
mark goes in the transaction that stores the points.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator
from datetime import date, datetime

import sqlalchemy as sa

from capsule.accounts import queries as account_queries
from capsule.accounts.model import Player
from capsule.context import AppContext
from capsule.games.eligibility import is_eligible
from capsule.games.model import StoredGame, is_loaded
from capsule.games.results import is_suggested_or_above
from capsule.seasons import model, queries

BATCH_SIZE = 50
"""The number of games and of positions that one transaction decides about."""

MAX_BATCHES = 20
"""The number of such transactions in one sweep, so that it hardly slows page requests."""


def score_due(context: AppContext) -> int:
    """Give the points that are due, and return how many games and positions were processed."""
    processed = 0
    for _ in range(MAX_BATCHES):
        with context.database.reading() as connection:
            if not queries.has_due(connection):
                break
        with context.database.writing() as connection:
            processed += _score_batch(connection)
    return processed


def refresh(connection: sa.Connection, month: date, player_ids: Collection[int]) -> None:
    """Compute the standings of players in a month again; the transaction holds the seasons."""
    events = queries.counting_events(connection, month, player_ids)
    stored = queries.standings_of(connection, month, player_ids)
    for player_id in sorted(player_ids):
        standing = model.standing_of(events.get(player_id, ()))
        if standing != stored.get(player_id):
            queries.save_standing(connection, month, player_id, standing)


def _score_batch(connection: sa.Connection) -> int:
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
    """Return whether the player counted when it happened, and has not been erased since."""
    player = account_queries.player_by_id(connection, event.player_id)
    return (
        player is not None
        and bool(player.name)
        and is_eligible(connection, player, event.happened_at)
    )


def _by_month(events: Iterable[model.SeasonEvent]) -> defaultdict[date, set[int]]:
    found: defaultdict[date, set[int]] = defaultdict(set)
    for event in events:
        found[event.month].add(event.player_id)
    return found


def exclude(context: AppContext, connection: sa.Connection, player: Player) -> None:
    """Exclude a player from the open tables, with what others earned in games against them.

    The transaction holds the player, who is banned, and whose games have ended. Points that
    are given later do not count either.
    """
    _refresh_open(connection, player.id, context.clock(), queries.add_ban)


def reinstate(context: AppContext, connection: sa.Connection, player: Player) -> None:
    """Give back what a ban that is lifted took from the open tables."""
    _refresh_open(connection, player.id, context.clock(), queries.remove_ban)


def exclude_program(connection: sa.Connection, player_id: int, now: datetime) -> None:
    """Exclude a player from the open tables who has become a program, for good.

    The transaction holds the player.
    """
    _refresh_open(connection, player_id, now)


def _refresh_open(
    connection: sa.Connection,
    player_id: int,
    now: datetime,
    change: Callable[[sa.Connection, date, int], None] = lambda *_: None,
) -> None:
    """Compute the open standings of a player and their opponents again, after a change of bans."""
    queries.lock_seasons(connection)
    for month in model.open_months(now):
        change(connection, month, player_id)
        opponents = queries.opponents_in(connection, month, player_id)
        refresh(connection, month, {player_id, *opponents})


def erase(context: AppContext, connection: sa.Connection, player: Player) -> None:
    """Take the player off the open tables, and erase what others earned if a ban took it away."""
    queries.lock_seasons(connection)
    for month in model.open_months(context.clock()):
        queries.save_standing(connection, month, player.id, None)
    queries.forget_banned_games(connection, player.id)
