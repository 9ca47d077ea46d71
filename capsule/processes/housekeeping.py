"""The work that one process does for all of them: bots, sweeps, analyses and mail."""

import logging
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
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


class Sweeper:
    """The thread that sweeps: it takes the steps that each feature declares.

    So games end whose deadlines have passed, even if no player looks at them. Before that, it
    checks whether the clock can be trusted; at the end, it deletes what the database no longer
    needs. Of all capsules that share a database, one sweeps.
    """

    def __init__(self, context: AppContext, log: logging.Logger) -> None:
        self._context = context
        self._log = log
        self._stopping = Event()
        self._thread = Thread(target=self._run, daemon=True)

    def start(self) -> None:
        """Start the thread, which begins with deadlines that passed while the capsule was down."""
        self._thread.start()

    def stop(self) -> None:
        """Stop once the current sweep is over."""
        self._stopping.set()
        self._thread.join()
        with suppress(DatabaseFault):
            self._context.leases.release(LEASE)

    def sweep(self) -> None:
        """Sweep once, unless another capsule does; check the clock in any case."""
        watch(self._context, self._log)
        try:
            if self._context.leases.acquire(LEASE, LEASE_SECONDS):
                self._sweep_for_all()
        except Exception as error:  # noqa: BLE001 - the database may be back at the next sweep
            log_failure(self._log, "The sweep could not be claimed", error)

    def _sweep_for_all(self) -> None:
        for step, failure in steps(self._context):
            try:
                step(self._context)
            except Exception as error:  # noqa: BLE001 - the same
                log_failure(self._log, failure, error)
        database = self._context.database
        if not database.checkpoint() and database.storage.outage is None:
            self._log.warning(
                "SQLite's log was not emptied: somebody has long been reading an older state, or "
                "the disk is full"
            )

    def _run(self) -> None:
        while not self._stopping.is_set():
            self.sweep()
            self._stopping.wait(SWEEP_SECONDS)


class Housekeeping(BotService):
    """The bots' processes and the sweep."""

    def __init__(self, context: AppContext, config: Config, log: logging.Logger) -> None:
        self._context = context
        self._bot_processes = config.bot_processes
        self._log = log
        self._sweeper = Sweeper(context, log)
        self._pool = BotPool(context, config.bot_processes, log)

    def start(self) -> None:
        """Start, first with the work that was left when the capsule last stopped."""
        self._pool.start()
        self._sweeper.start()

    def stop(self) -> None:
        """Stop as soon as the current sweep is over; bots stop at once."""
        self._sweeper.stop()
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
        self._thread = Thread(target=self._deliver, name="mail", daemon=True)

    def start(self) -> None:
        """Start, first with the letters that were left when the capsule last stopped."""
        self._thread.start()

    def renew(self, config: Config) -> None:
        """Use these settings from the next letter on."""
        self._context = replace(self._context, origin=config.origin)
        self._relay.renew(relay_settings(config))
        self._interrupted.set()

    def stop(self) -> None:
        """Stop soon, even if the relay is silent; then its letter is sent again later."""
        self._is_stopping = True
        self._interrupted.set()
        self._thread.join(PATIENCE)
        self._relay.give_up()
        self._thread.join(PATIENCE)

    def _deliver(self) -> None:
        while True:
            self._interrupted.clear()
            # Read after the event is cleared: `stop` sets it before the event.
            if self._is_stopping:
                return
            Delivery(self._context, self._relay.send, self._log).run(self._interrupted)
