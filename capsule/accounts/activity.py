"""The day on which a player was last here, as far as others may know: today, or this week.

It is stored to the day only, once a day. Players who were here before others could see it find a
notice on their own page, and nothing is stored before the day after. Days are in UTC.
"""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from enum import StrEnum
from functools import partial

from capsule.accounts import queries
from capsule.accounts.model import Player
from capsule.accounts.names import bot_name
from capsule.context import AppContext, Transaction
from capsule.db.faults import DatabaseFault

DAYS = 7
"""The days of a week that ends today."""

ONE_DAY = timedelta(days=1)


class LastHere(StrEnum):
    """The time at which a player was last here, as others see it."""

    TODAY = "today"
    THIS_WEEK = "this week"


@dataclass(frozen=True, slots=True)
class ActivePlayer:
    """A player who was here this week: the names in addresses and on pages, and when it was."""

    name: str
    shown_name: str
    last_here: LastHere


def should_record_visit(player: Player, now: datetime) -> bool:
    """Return whether to store that a player is here today: others may see it, and do not yet."""
    today, shown_from, stored = now.date(), player.activity_shown_from, player.active_on
    if (stored is not None and stored >= today) or shown_from is None or shown_from > today:
        return False
    return player.settings.shows_activity and player.is_present(now)


def needs_notice(transaction: Transaction, player: Player) -> bool:
    """Return whether a page notifies a player that others will see when they were here.

    Players see the notice on one day, and others see visits from the next day on. This is stored
    after the transaction: if the database is busy, the notice comes again another day.
    """
    today = transaction.now.date()
    if player.activity_shown_from is None:
        store = partial(_store_shown_from, transaction.context, player, today + ONE_DAY)
        transaction.after_commit(store)
        return player.settings.shows_activity
    return player.settings.shows_activity and player.activity_shown_from > today


def _store_shown_from(context: AppContext, player: Player, day: date) -> None:
    with suppress(DatabaseFault), context.database.writing(patience=0) as connection:
        queries.save_shown_from(connection, player.id, day)


def last_here(player: Player, now: datetime) -> LastHere | None:
    """Return when a player was last here, None if that was earlier or is not shown."""
    if not (player.settings.shows_activity and player.is_present(now)):
        return None
    return _last_here(player.active_on, now.date())


def active_players(transaction: Transaction, limit: int) -> Sequence[ActivePlayer]:
    """Return up to `limit` players who were here this week, those of today first."""
    now = transaction.now
    today = now.date()
    rows = queries.active_since(transaction.connection, _first_day(today), now, limit)
    return [
        ActivePlayer(name, bot_name(name) if is_program else name, when)
        for name, is_program, day in rows
        if (when := _last_here(day, today)) is not None
    ]


def _last_here(day: date | None, today: date) -> LastHere | None:
    if day is None or day < _first_day(today):
        return None
    return LastHere.TODAY if day >= today else LastHere.THIS_WEEK


def _first_day(today: date) -> date:
    return today - (DAYS - 1) * ONE_DAY
