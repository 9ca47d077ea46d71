"""The day on which a player was last here, as far as others may know: today, or this week.

It is stored to the day only, once a day. Players who were here before others could see it find a
notice on their own page, and nothing is stored before the day after. Days are in UTC.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import date, datetime, timedelta
from enum import StrEnum
from functools import partial

import sqlalchemy as sa

from capsule.accounts import queries
from capsule.accounts.model import Player
from capsule.context import Transaction
from capsule.db.faults import DatabaseFault

DAYS = 7
"""The days of a week that ends today."""

ONE_DAY = timedelta(days=1)


class LastHere(StrEnum):
    """The time at which a player was last here, as others see it."""

    TODAY = "today"
    THIS_WEEK = "this week"


def needs_notice(transaction: Transaction, player: Player) -> bool:
    """Return whether a page notifies a player that others will see when they were here.

    Players see the notice on one day, and others see visits from the next day on. This is stored
    after the transaction: if the database is busy, the notice comes again another day.
    """
    today = transaction.now.date()
    if player.activity_shown_from is None:
        store = partial(queries.save_shown_from, player_id=player.id, day=today + ONE_DAY)
        store_when_free(transaction, store)
        return player.settings.shows_activity
    return player.settings.shows_activity and player.activity_shown_from > today


def store_when_free(transaction: Transaction, store: Callable[[sa.Connection], None]) -> None:
    """Store something after a transaction, unless the database is busy then."""

    def store_at_once() -> None:
        database = transaction.context.database
        with suppress(DatabaseFault), database.writing(patience=0) as connection:
            store(connection)

    transaction.after_commit(store_at_once)


def last_here(player: Player, now: datetime) -> LastHere | None:
    """Return when a player was last here, None if that was earlier or is not shown."""
    day, today = player.active_on, now.date()
    is_shown = player.settings.shows_activity and player.is_present(now)
    if not is_shown or day is None or day < _first_day(today):
        return None
    return LastHere.TODAY if day >= today else LastHere.THIS_WEEK


def active_players(
    transaction: Transaction, limit: int
) -> Sequence[tuple[Player, LastHere | None]]:
    """Return up to `limit` players who were here this week, those of today first, and when."""
    now = transaction.now
    found = queries.active_since(transaction.connection, _first_day(now.date()), now, limit)
    return [(player, last_here(player, now)) for player in found]


def _first_day(today: date) -> date:
    return today - (DAYS - 1) * ONE_DAY
