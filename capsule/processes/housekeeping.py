"""The work that one process does for all of them: bots, sweeps, analyses and mail."""

import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import partial
from itertools import chain
from threading import Event, Thread

from capsule.bots.pool import BotPool
from capsule.bots.service import BotService, Hint
from capsule.config import Config
from capsule.context import AppContext
from capsule.db import changes, upgrading
from capsule.db.faults import DatabaseFault, log_failure
from capsule.feature import Step
from capsule.mail.delivery import Delivery
from capsule.mail.relay import SmtpRelay, relay_settings
from capsule.repeating import repeated
from capsule.timekeeping.watching import watch

SWEEP_SECONDS = 20.0
"""Seconds between two sweeps; meanwhile, pages already show the results that will be stored."""

LEASE = "sweep"

LEASE_SECONDS = 3 * SWEEP_SECONDS
"""Seconds after which another capsule sweeps if the last one has died."""


def _delete_old_changes(context: AppContext) -> None:
    changes.delete_old(context.database)
    context.leases.expire()


def _delete_old_copy(context: AppContext) -> None:
    if context.clock.doubt is None:
        upgrading.delete_old_copy(context.database, context.clock())


_OF_DATABASE: Sequence[Step] = (
    (_delete_old_changes, "Old notes of changes and old leases could not be deleted"),
    (_delete_old_copy, "The copy from before the database was migrated could not be deleted"),
)


def steps(context: AppContext) -> Sequence[Step]:
    """Return the steps of all features, in their order, and then those of the database."""
    return [*chain.from_iterable(each.sweep for each in context.features), *_OF_DATABASE]


@contextmanager
def sweeping(context: AppContext, log: logging.Logger) -> Iterator[None]:
    """Sweep every `SWEEP_SECONDS` during the block, on a thread.

    The first sweep begins with deadlines that passed while the capsule was down.
    """
    try:
        with repeated(partial(sweep, context, log), SWEEP_SECONDS):
            yield
    finally:
        with suppress(DatabaseFault):
            context.leases.release(LEASE)


def sweep(context: AppContext, log: logging.Logger) -> None:
    """Take the steps that each feature declares, unless another capsule on the database does.

    So games end whose deadlines have passed, even if no player looks at them. Before that, check
    whether the clock can be trusted; at the end, delete what the database no longer needs.
    """
    watch(context, log)
    try:
        if context.leases.acquire(LEASE, LEASE_SECONDS):
            _sweep_for_all(context, log)
    except Exception as error:  # noqa: BLE001 - the database may be back at the next sweep
        log_failure(log, "The sweep could not be claimed", error)


def _sweep_for_all(context: AppContext, log: logging.Logger) -> None:
    for step, failure in steps(context):
        try:
            step(context)
        except Exception as error:  # noqa: BLE001 - the same
            log_failure(log, failure, error)
    database = context.database
    if not database.checkpoint() and database.storage.outage is None:
        log.warning(
            "SQLite's log was not emptied: somebody has long been reading an older state, or "
            "the disk is full"
        )


class Housekeeping(BotService):
    """The bots' processes and the sweep."""

    def __init__(self, context: AppContext, config: Config, log: logging.Logger) -> None:
        self._context = context
        self._bot_processes = config.bot_processes
        self._log = log
        self._pool = BotPool(context, config.bot_processes, log)

    @contextmanager
    def running(self) -> Iterator[None]:
        """Run bots and sweep during the block, first what was left when the capsule last stopped.

        At its end, bots stop as soon as the current sweep is over.
        """
        self._pool.start()
        try:
            with sweeping(self._context, self._log):
                yield
        finally:
            self._pool.stop()

    def renew(self, config: Config) -> None:
        """Run the number of bot processes of these settings from now on."""
        if config.bot_processes != self._bot_processes:
            self._bot_processes = config.bot_processes
            before = self._pool
            self._pool = BotPool(self._context, config.bot_processes, self._log)
            before.stop()
            self._pool.start()

    def request_reply(self, game_id: str, turn_counter: int, owner: object) -> None:
        """Request a bot's move or answer in a game, and wait a little for it."""
        self._pool.request_reply(game_id, turn_counter, owner)

    def hint(self, variant: str, moves: Sequence[str], owner: object) -> Hint | None:
        """Return a hint for the side to move; None if no bot had time for one."""
        return self._pool.hint(variant, moves, owner)

    def move(
        self, variant: str, moves: Sequence[str], level: str, seed: int, owner: object
    ) -> str | None:
        """Return the move of a level after moves in no stored game; None if no bot had time."""
        return self._pool.move(variant, moves, level, seed, owner)


PATIENCE = 3.0
"""Seconds in which a letter may still be sent when the process stops."""


class Mailing:
    """Delivers letters on a separate thread, since a relay may be silent for a long time."""

    def __init__(self, context: AppContext, config: Config, log: logging.Logger) -> None:
        self._context = context
        self._log = log
        self._relay = SmtpRelay(relay_settings(config))
        self._interrupted = Event()
        self._is_stopping = False

    @contextmanager
    def running(self) -> Iterator[None]:
        """Deliver during the block, first the letters that were left when the capsule last stopped.

        It ends soon, even if the relay is silent; then its letter is sent again later.
        """
        thread = Thread(target=self._deliver, name="mail", daemon=True)
        thread.start()
        try:
            yield
        finally:
            self._is_stopping = True
            self._interrupted.set()
            thread.join(PATIENCE)
            self._relay.give_up()
            thread.join(PATIENCE)

    def renew(self, config: Config) -> None:
        """Use these settings from the next letter on."""
        self._context = replace(self._context, origin=config.origin)
        self._relay.renew(relay_settings(config))
        self._interrupted.set()

    def _deliver(self) -> None:
        while True:
            self._interrupted.clear()
            # Read after the event is cleared: it is set before the event.
            if self._is_stopping:
                return
            Delivery(self._context, self._relay.send, self._log).run(self._interrupted)
