"""The mailer: writes the letters that are due, and hands them to the relay.

One process in the house does so, whichever has the claim. A letter is taken, offered to the relay,
sent, and noted as done; each step is stored before the next. If a process dies before the relay can
have the letter, it is simply sent later. If it dies after that, the letter is sent once more with
the same Message-ID, which mail readers show once; if that happens again, it counts as sent.
"""

import logging
from collections.abc import Callable
from datetime import timedelta
from functools import partial
from threading import Event

import sqlalchemy as sa

from capsule.context import AppContext
from capsule.db.faults import DatabaseFault, log_failure, retry
from capsule.mail import queries
from capsule.mail.letters import Prepared, code_letter, news_letter, person_of, reader_of, write_due
from capsule.mail.model import Letter, LetterKind
from capsule.mail.notifications import still_true
from capsule.mail.relay import Relay, SendOutcome
from capsule.mail.subscribing import code_for

PASS_SECONDS = 15.0
"""Seconds between two passes of the mailer."""

CLAIM = "mail"

CLAIM_SECONDS = 180.0
"""Seconds after which another process may deliver if the one that does has died."""

ATTEMPT_TIME = timedelta(minutes=3)
"""The time after which an attempt of which nothing is known has failed; the relay has less."""

PAUSES = tuple(timedelta(minutes=minutes) for minutes in (1, 5, 30, 120, 720))
"""The pauses between attempts; after the last one, what a letter tells waits for another."""

MAX_LETTERS = 200
"""Letters that are sent in one pass."""

MAX_CRASHES = 2
"""Crashes while the relay may have had a letter, after which it counts as sent."""


class Delivery:
    """The mailer of a process, which sends by a `relay`."""

    def __init__(self, context: AppContext, relay: Relay, log: logging.Logger) -> None:
        self._context = context
        self._relay = relay
        self._log = log

    def run(self, stopping: Event) -> None:
        """Deliver until the event is set; raises nothing."""
        # A former process of this capsule may have died while it was sending letters.
        take_over = partial(self._put_back_abandoned, self._context.leases.holder)
        self._log_failure_of(take_over, "Letters could not be taken over")
        while not stopping.is_set():
            self.work(stopping)
            stopping.wait(PASS_SECONDS)
        give_up = partial(self._context.leases.release, CLAIM)
        self._log_failure_of(give_up, "The claim could not be given up")

    def work(self, stopping: Event | None = None) -> None:
        """Do all that is due, unless another process does so; raises nothing."""
        for step, failure in (
            (self._put_back_abandoned, "Letters could not be put back"),
            (self._write, "Letters could not be written"),
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

    def _put_back_abandoned(self, holder: str | None = None) -> None:
        now = self._context.clock()
        with self._context.database.reading() as connection:
            found = queries.abandoned(connection, now, holder)
        for letter in found:
            with self._context.database.writing() as connection:
                if letter.crashes >= MAX_CRASHES:
                    queries.record_sent(connection, letter.id)
                else:
                    queries.put_back(connection, letter.id, now)

    def _write(self) -> None:
        dropped = write_due(self._context, self._log)
        if dropped:
            self._log.warning("Too many letters wait; dropped: %s", dropped)

    def _send_all(self, stopping: Event | None) -> None:
        now = self._context.clock()
        with self._context.database.reading() as connection:
            letters = queries.letters_to_send(connection, now, MAX_LETTERS)
        for letter in letters:
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
                retry(partial(_store, self._context, letter, SendOutcome.DEFERRED))

    def _send(self, letter: Letter) -> None:
        """Send a letter if something in it is still true, and store the outcome."""
        context = self._context
        held_until = context.clock() + ATTEMPT_TIME
        with context.database.writing() as connection:
            if not queries.hold(connection, letter, context.leases.holder, held_until):
                return
        with context.database.reading() as connection:
            prepared = _prepared(context, connection, letter)
        if prepared is None:
            retry(partial(_store, context, letter, None))
            return
        answer = self._relay.send(
            prepared.message,
            prepared.address,
            partial(retry, partial(_count_crash, context, letter)),
        )
        context.measurements.mailed(answer.outcome.name.lower())
        retry(partial(_store, context, letter, answer.outcome, prepared.address, answer.words))


def _count_crash(context: AppContext, letter: Letter) -> None:
    """Store that the relay may have a letter from now on."""
    with context.database.writing() as connection:
        queries.change_letter(connection, letter.id, crashes=letter.crashes + 1)


def _store(
    context: AppContext,
    letter: Letter,
    outcome: SendOutcome | None,
    address: str = "",
    words: str = "",
) -> None:
    """Store the outcome of an attempt to send a letter, None if nothing in it is true any more.

    A letter that the relay does not have waits for the next attempt. After the last one, it is
    deleted: the next letter may tell what is still true of it.
    """
    now = context.clock()
    is_deferred = outcome in (SendOutcome.REJECTED, SendOutcome.DEFERRED)
    with context.database.writing() as connection:
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
            queries.look_from(connection, letter.player_id, now)


def _prepared(context: AppContext, connection: sa.Connection, letter: Letter) -> Prepared | None:
    """Return a letter as of now; None if nothing in it is true any more."""
    if letter.kind is LetterKind.CODE:
        player = person_of(context, connection, letter.player_id)
        pending = queries.pending_of(connection, letter.player_id)
        if player is None or pending is None or pending.is_over(context.clock()):
            return None
        return code_letter(context, letter, player, pending, code_for(context, pending))
    reader = reader_of(context, connection, letter.player_id)
    if reader is None:
        return None
    told = still_true(context, connection, *reader, letter.id)
    if not told:
        return None
    return news_letter(context, connection, letter, *reader, told)
