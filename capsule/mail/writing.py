"""Writing the letters that are due: looking at subscribers, and deciding what to tell them now."""

from __future__ import annotations

from datetime import datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING

from capsule.accounts import player_queries
from capsule.accounts.activity import ONE_DAY
from capsule.db.faults import DatabaseFault, log_failure
from capsule.db.retrying import retry
from capsule.games.clock import HOUR
from capsule.mail import letter_queries, subscription_queries
from capsule.mail.model import (
    MAX_LETTERS_A_DAY,
    LetterKind,
    MailKind,
    NewLetter,
    Schedule,
    random_key,
)
from capsule.mail.occasions import news_for
from capsule.ui.time_zones import in_zone

if TYPE_CHECKING:
    import logging
    from collections.abc import Sequence
    from datetime import date

    from sqlalchemy import Connection

    from capsule.accounts.model import Player
    from capsule.context import AppContext
    from capsule.mail.model import News, Subscription


MAX_PLAYERS = 200
"""Subscribers who are looked at in one pass."""

MAX_WAITING = 1_000
"""Letters that wait at a time; beyond that, the oldest summaries are dropped first."""

EVENTS_EVERY = HOUR
"""The time after which events are looked for that no change of the player's own announces."""


def write_due(context: AppContext, log: logging.Logger) -> int:
    """Look at the subscribers for whom it is time; return how many letters had to be dropped."""
    for player_id in _players_to_look_at(context):
        try:
            retry(partial(_look_at, context, player_id))
        except DatabaseFault:
            raise
        except Exception as error:  # noqa: BLE001 - the others shall have their letters
            log_failure(log, "A letter could not be written", error)
            retry(partial(_look_later, context, player_id))
    return retry(partial(_drop_excess, context))


def _players_to_look_at(context: AppContext) -> Sequence[int]:
    with context.database.reading() as connection:
        noted = letter_queries.noted_players(connection, MAX_PLAYERS)
        now = context.clock()
        scheduled = letter_queries.scheduled_players(connection, now, MAX_PLAYERS)
    return [*dict.fromkeys((*noted, *scheduled))]


def _look_at(context: AppContext, player_id: int) -> None:
    """Write the letter that a subscriber is to have now, if any, and when to look again."""
    now = context.clock()
    with context.database.reading() as connection:
        notes = letter_queries.notes_for(connection, player_id)
        reader = reader_of(context, connection, player_id)
        news = None if reader is None else news_for(context, connection, *reader)
    with context.database.writing() as connection:
        letter_queries.drop_notes(connection, notes)
        schedule = letter_queries.schedule_of(connection, player_id)
        if schedule is None:
            return
        if reader is None or news is None:
            # Until their settings change, or a ban ends.
            letter_queries.save_schedule(
                connection, player_id, Schedule(now + ONE_DAY, schedule.summary_on)
            )
            return
        player, subscription = reader
        local = in_zone(now, player.time_zone)
        if letter_queries.has_waiting(connection, player_id):
            later = Schedule(now + EVENTS_EVERY, schedule.summary_on)
            letter_queries.save_schedule(connection, player_id, later)
            return
        is_summary_due = schedule.summary_on < local.date() and local.hour >= subscription.hour
        day = local.date() if is_summary_due else schedule.summary_on
        kind = LetterKind.SUMMARY if is_summary_due else LetterKind.NEWS
        count = letter_queries.count_of_day(connection, player_id, local.date(), now - ONE_DAY)
        # One of a day's letters is kept for the summary.
        room = MAX_LETTERS_A_DAY - count - (not is_summary_due)
        told = news.until(now) if is_summary_due else news.due(now)
        if told and room > 0:
            message_key, keys = random_key(context.random_bytes), [each.key for each in told]
            letter_queries.add_letter(
                connection, NewLetter(player_id, kind, message_key, local.date(), now, keys)
            )
        look_at = _next_look(local, day, subscription, news)
        letter_queries.save_schedule(connection, player_id, Schedule(look_at, day))


def _look_later(context: AppContext, player_id: int) -> None:
    """Leave a player alone for a while, of whom something cannot be told."""
    with context.database.writing() as connection:
        letter_queries.drop_notes(connection, letter_queries.notes_for(connection, player_id))
        letter_queries.look_from(connection, player_id, context.clock() + EVENTS_EVERY)


def reader_of(
    context: AppContext, connection: Connection, player_id: int
) -> tuple[Player, Subscription] | None:
    """Return a player who wants letters, and their subscription; None if nothing is to be sent."""
    player = person_of(context, connection, player_id)
    subscription = subscription_queries.subscription_of(connection, player_id)
    if player is None or subscription is None or not subscription.wants_letters:
        return None
    return player, subscription


def person_of(context: AppContext, connection: Connection, player_id: int) -> Player | None:
    """Return a player who may be written to: neither a former nor a banned one."""
    player = player_queries.player_by_id(connection, player_id)
    if player is None or not player.is_present(context.clock()):
        return None
    return player


def _next_look(local: datetime, day: date, subscription: Subscription, news: News) -> datetime:
    """Return when to look at a subscriber again, `day` being that of the last summary."""
    times = [_next_summary(local, day, subscription.hour)]
    due = news.next_due(local)
    if due is not None:
        times.append(due)
    if MailKind.EVENTS in subscription.kinds:
        times.append(local + EVENTS_EVERY)
    return min(times)


def _next_summary(local: datetime, day: date, hour: int) -> datetime:
    """Return when the summary after that of `day` is due, in the player's time zone.

    >>> from datetime import UTC, datetime
    >>> evening = datetime(2026, 11, 25, 19, 30, tzinfo=UTC)
    >>> str(_next_summary(evening, evening.date(), 8))
    '2026-11-26 08:00:00+00:00'
    """
    at = local.replace(hour=hour, minute=0, second=0, microsecond=0)
    # After a stop of days, there is one summary for all of them.
    return at + timedelta(days=max((day - local.date()).days, -1) + 1)


def _drop_excess(context: AppContext) -> int:
    """Drop the letters that are too many, and return their number; others may tell the same."""
    with context.database.reading() as connection:
        excess = letter_queries.count_waiting(connection) - MAX_WAITING
    if excess <= 0:
        return 0
    with context.database.writing() as connection:
        for letter_id in letter_queries.oldest_waiting(connection, excess):
            letter_queries.drop_letter(connection, letter_id)
    return excess
