"""The mailer: writes the letters that are due, and hands them to the relay.

One process of the capsule does so: the one with the lease. It takes a letter, offers it to the
relay, sends it, and marks it as done, and stores each step before the next. If a process dies
before the relay can have the letter, the letter is sent later. If it dies after that, the letter is
sent once more with the same Message-ID, which mail readers show once; if that happens again, it
counts as sent.
"""

import logging
from collections.abc import Callable, Iterable, Sequence
from datetime import date, datetime, timedelta
from functools import partial
from threading import Event
from typing import TypeAlias

from capsule.accounts import queries as account_queries
from capsule.accounts.model import Player
from capsule.context import AppContext, Transaction, reading, writing
from capsule.db.faults import DatabaseFault, log_failure, retry
from capsule.games.clock import DAY, HOUR
from capsule.languages.time_zones import in_zone
from capsule.mail import letters, model, queries
from capsule.mail.relay import Send, SendOutcome
from capsule.mail.subscribing import code_for

PASS_SECONDS = 15.0
"""Seconds between two passes of the mailer."""

CLAIM = "mail"

CLAIM_SECONDS = 180.0
"""Seconds after which another process may deliver, if the mailer has died."""

ATTEMPT_TIME = timedelta(minutes=3)
"""The time after which an attempt without an outcome has failed; the relay has less."""

PAUSES = tuple(timedelta(minutes=minutes) for minutes in (1, 5, 30, 120, 720))
"""The pauses between attempts; after the last, the notifications wait for another letter."""

MAX_LETTERS = 200
"""Letters that are sent in one pass."""

MAX_CRASHES = 2
"""Crashes while the relay may have had a letter, after which it counts as sent."""


class Delivery:
    """The mailer of a process."""

    def __init__(self, context: AppContext, send: Send, log: logging.Logger) -> None:
        self._context = context
        self._hand_over = send
        self._log = log

    def run(self, stopping: Event) -> None:
        """Deliver until the event is set; raises nothing."""
        # The process before this one may have died while it was sending letters.
        take_over = partial(_put_back_abandoned, self._context, self._context.leases.holder)
        self._log_failure_of(take_over, "Letters could not be taken over")
        while not stopping.is_set():
            self.work(stopping)
            stopping.wait(PASS_SECONDS)
        give_up = partial(self._context.leases.release, CLAIM)
        self._log_failure_of(give_up, "The claim could not be given up")

    def work(self, stopping: Event | None = None) -> None:
        """Do all that is due, unless another process does so; raises nothing."""
        for step, failure in (
            (partial(_put_back_abandoned, self._context), "Letters could not be put back"),
            (partial(_write_due, self._context, self._log), "Letters could not be written"),
            (partial(self._send_all, stopping), "Letters could not be sent"),
        ):
            self._log_failure_of(partial(self._if_claimed, step), failure)

    def _log_failure_of(self, step: Callable[[], None], failure: str) -> None:
        try:
            step()
        except Exception as error:  # noqa: BLE001 - the database may be back at the next pass
            log_failure(self._log, failure, error)

    def _if_claimed(self, step: Callable[[], None]) -> None:
        if self._context.leases.acquire(CLAIM, CLAIM_SECONDS):
            step()

    def _send_all(self, stopping: Event | None) -> None:
        now = self._context.clock()
        for letter in self._context.read(queries.letters_to_send, now, MAX_LETTERS):
            if (stopping is not None and stopping.is_set()) or not self._context.leases.acquire(
                CLAIM, CLAIM_SECONDS
            ):
                return
            try:
                self._send(letter)
            except DatabaseFault:
                raise
            except Exception as error:  # noqa: BLE001 - the other letters shall be sent
                log_failure(self._log, "A letter could not be sent", error)
                _store(self._context, letter, SendOutcome.DEFERRED)

    def _send(self, letter: model.Letter) -> None:
        """Send a letter if something in it is still true, and store the outcome."""
        context = self._context
        if not _hold(context, letter):
            return
        prepared = _prepared(context, letter)
        if prepared is None:
            _store(context, letter, None)
            return
        message, address = prepared
        answer = self._hand_over(message, address, partial(_count_crash, context, letter))
        context.measurements.mailed(answer.outcome.name.lower())
        _store(context, letter, answer.outcome, address, answer.words)


def _put_back_abandoned(context: AppContext, holder: str | None = None) -> None:
    for letter in context.read(queries.abandoned, context.clock(), holder):
        _put_back(context, letter)


@writing
def _put_back(transaction: Transaction, letter: model.Letter) -> None:
    if letter.crashes >= MAX_CRASHES:
        queries.record_sent(transaction.connection, letter.id)
    else:
        queries.put_back(transaction.connection, letter.id, transaction.now)


@writing
def _hold(transaction: Transaction, letter: model.Letter) -> bool:
    """Take a letter to send it; return whether it still waits."""
    holder, until = transaction.context.leases.holder, transaction.now + ATTEMPT_TIME
    return queries.hold(transaction.connection, letter, holder, until)


@writing
def _count_crash(transaction: Transaction, letter: model.Letter) -> None:
    """Store that the relay may have a letter from now on."""
    queries.change_letter(transaction.connection, letter.id, crashes=letter.crashes + 1)


@writing
def _store(
    transaction: Transaction,
    letter: model.Letter,
    outcome: SendOutcome | None,
    address: str = "",
    words: str = "",
) -> None:
    """Store the outcome of an attempt to send a letter, None if nothing in it is true any more.

    A letter that the relay does not have waits for the next attempt. After the last one, it is
    deleted: the next letter may have those of its notifications that are still true.
    """
    connection, now = transaction.connection, transaction.now
    is_deferred = outcome in (SendOutcome.REJECTED, SendOutcome.DEFERRED)
    if outcome is SendOutcome.REFUSED:
        queries.record_refusal(connection, letter.player_id, address, words)
    if is_deferred and letter.tries < len(PAUSES):
        queries.change_letter(connection, letter.id, crashes=letter.crashes)
        queries.put_back(connection, letter.id, now + PAUSES[letter.tries])
        return
    if outcome is SendOutcome.ACCEPTED:
        queries.record_sent(connection, letter.id)
    else:
        queries.drop_letter(connection, letter.id)
    if outcome is not SendOutcome.REFUSED:
        queries.check_from(connection, letter.player_id, now)


@reading
def _prepared(transaction: Transaction, letter: model.Letter) -> letters.Prepared | None:
    """Return a letter as of now; None if nothing in it is true any more."""
    context = transaction.context
    if letter.kind is model.LetterKind.CODE:
        player = _person_of(transaction, letter.player_id)
        pending = queries.pending_of(transaction.connection, letter.player_id)
        if player is None or pending is None or pending.is_over(transaction.now):
            return None
        return letters.code_letter(context, letter, player, pending, code_for(context, pending))
    reader = _reader_of(transaction, letter.player_id)
    if reader is None:
        return None
    true = letters.current_notifications(transaction, *reader, letter.id)
    return letters.news_letter(transaction, letter, *reader, true) if true else None


MAX_PLAYERS = 200
"""Subscribers who are checked in one pass."""

MAX_WAITING = 1_000
"""Letters that wait at a time; beyond that, the oldest summaries are dropped first."""

EVENTS_EVERY = HOUR
"""The time between two checks for events, since no change of the player announces these."""


def _write_due(context: AppContext, log: logging.Logger) -> None:
    """Write the letters of the subscribers for whom it is time, and drop those too many."""
    for player_id in context.read(queries.players_due, context.clock(), MAX_PLAYERS):
        try:
            retry(partial(_notify, context, player_id))
        except DatabaseFault:
            raise
        except Exception as error:  # noqa: BLE001 - the others shall have their letters
            log_failure(log, "A letter could not be written", error)
            _defer(context, player_id)
    dropped = _drop_excess(context)
    if dropped:
        log.warning("Too many letters wait; dropped: %s", dropped)


def _notify(context: AppContext, player_id: int) -> None:
    """Write the letter that is due to a subscriber, if any, and schedule the next check."""
    found = _read(context, player_id)
    with context.writing() as transaction:
        _write(transaction, player_id, *found)


Reader: TypeAlias = tuple[Player, model.Subscription]
"""A player who wants letters, and their subscription."""


@reading
def _read(
    transaction: Transaction, player_id: int
) -> tuple[Reader | None, Sequence[model.Notification], Sequence[int]]:
    """Return a subscriber, their notifications, and the changes that these follow from."""
    changes = queries.changes_for(transaction.connection, player_id)
    reader = _reader_of(transaction, player_id)
    notifications = () if reader is None else letters.new_notifications(transaction, *reader)
    return reader, notifications, changes


def _write(
    transaction: Transaction,
    player_id: int,
    reader: Reader | None,
    notifications: Sequence[model.Notification],
    changes: Sequence[int],
) -> None:
    connection, now = transaction.connection, transaction.now
    queries.drop_changes(connection, changes)
    last_summary = queries.last_summary_of(connection, player_id)
    if last_summary is None:
        return
    if reader is None:
        # Until their settings change, or a ban ends.
        queries.check_from(connection, player_id, now + DAY)
        return
    if queries.has_waiting(connection, player_id):
        queries.check_from(connection, player_id, now + EVENTS_EVERY)
        return
    player, subscription = reader
    local = in_zone(now, player.settings.time_zone)
    is_summary_due = last_summary < local.date() and local.hour >= subscription.hour
    day = local.date() if is_summary_due else last_summary
    kind = model.LetterKind.SUMMARY if is_summary_due else model.LetterKind.NEWS
    count = queries.count_of_day(connection, player_id, local.date(), now - DAY)
    # One of a day's letters is reserved for the summary.
    room = model.MAX_LETTERS_A_DAY - count - (not is_summary_due)
    times = {each.key: each.at if is_summary_due else each.due_at for each in notifications}
    keys = [key for key, at in times.items() if at is not None and at <= now]
    if keys and room > 0:
        key = model.random_key(transaction.context.random_bytes)
        queries.add_letter(
            connection, player_id, now, keys, kind=kind, message_key=key, day=local.date()
        )
    check_at = _next_check(local, day, subscription, (each.due_at for each in notifications))
    queries.save_schedule(connection, player_id, check_at, day)


@writing
def _defer(transaction: Transaction, player_id: int) -> None:
    """Postpone a player's notifications after a failure."""
    connection = transaction.connection
    queries.drop_changes(connection, queries.changes_for(connection, player_id))
    queries.check_from(connection, player_id, transaction.now + EVENTS_EVERY)


def _reader_of(transaction: Transaction, player_id: int) -> Reader | None:
    """Return a player who wants letters, and their subscription; None without one."""
    player = _person_of(transaction, player_id)
    subscription = queries.subscription_of(transaction.connection, player_id)
    if player is None or subscription is None or not subscription.wants_letters:
        return None
    return player, subscription


def _person_of(transaction: Transaction, player_id: int) -> Player | None:
    """Return a player to whom letters may go: neither a former nor a banned one."""
    player = account_queries.player_by_id(transaction.connection, player_id)
    return player if player is not None and player.is_present(transaction.now) else None


def _next_check(
    local: datetime, day: date, subscription: model.Subscription, due: Iterable[datetime | None]
) -> datetime:
    """Return when to check a subscriber again, `day` being that of the last summary."""
    times = [_next_summary(local, day, subscription.hour)]
    times += [at for at in due if at is not None and at > local]
    if model.MailKind.EVENTS in subscription.kinds:
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
    # After days without a mailer, there is one summary for all of them.
    return at + timedelta(days=max((day - local.date()).days, -1) + 1)


def _drop_excess(context: AppContext) -> int:
    """Drop the letters beyond `MAX_WAITING`, and return their number.

    Later letters may have their notifications.
    """
    excess = max(context.read(queries.count_waiting) - MAX_WAITING, 0)
    if excess:
        _drop_oldest(context, excess)
    return excess


@writing
def _drop_oldest(transaction: Transaction, number: int) -> None:
    for letter_id in queries.oldest_waiting(transaction.connection, number):
        queries.drop_letter(transaction.connection, letter_id)
