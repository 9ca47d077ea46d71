"""The periodic sweep takes the steps that each feature declares, in the order of the features.

So games end whose deadlines have passed, even if no player looks at them. Before that, it checks
whether the clock can be trusted; at the end, it deletes what the database no longer needs. Of all
capsules that share a database, one sweeps.
"""

import logging
from collections.abc import Sequence
from contextlib import suppress
from itertools import chain
from threading import Event, Thread

from capsule.context import AppContext
from capsule.db import changes, upgrading
from capsule.db.faults import DatabaseFault, log_failure
from capsule.feature import Step
from capsule.timekeeping.watching import watch

SWEEP_SECONDS = 20.0
"""Seconds between two sweeps; meanwhile, pages already show the results that will be stored."""

CLAIM = "sweep"

CLAIM_SECONDS = 3 * SWEEP_SECONDS
"""Seconds after which another capsule sweeps if the last one has died."""


def _delete_old_notes(context: AppContext) -> None:
    changes.delete_old_notes(context.database)
    context.leases.expire()


def _delete_old_copy(context: AppContext) -> None:
    if context.clock.doubt is None:
        upgrading.delete_old_copy(context.database, context.clock())


_OF_DATABASE: Sequence[Step] = (
    (_delete_old_notes, "Old notes of changes and old leases could not be deleted"),
    (_delete_old_copy, "The copy from before the database was migrated could not be deleted"),
)


def steps(context: AppContext) -> Sequence[Step]:
    """Return the steps of all features, and then those of the database."""
    return [*chain.from_iterable(each.sweep for each in context.features), *_OF_DATABASE]


class Sweeper:
    """The thread that sweeps."""

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
            self._context.leases.release(CLAIM)

    def sweep(self) -> None:
        """Sweep once, unless another capsule does; check the clock in any case."""
        watch(self._context, self._log)
        try:
            if self._context.leases.acquire(CLAIM, CLAIM_SECONDS):
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
