"""The periodic sweep: it ends games whose deadlines have passed, even if nobody looks at them.

It also starts tournaments that are due, ends those whose games are over, takes the steps of cups,
counts the votes in everyone's game, gives the points of the season, chooses the game of the week,
counts the positions of games that have ended for the explorer, and deletes old mail and the copy of
a database from before it was migrated. Before that, it checks whether the clock can be trusted. Of
all capsules that share a database, one sweeps.
"""

import logging
from collections.abc import Callable, Sequence
from contextlib import suppress
from threading import Event, Thread

from capsule.accounts import queries as account_queries
from capsule.boards import explorer
from capsule.context import AppContext
from capsule.cups import course
from capsule.db import changes, upgrading
from capsule.db.faults import DatabaseFault, log_failure
from capsule.everyone import voting
from capsule.featured import choosing
from capsule.games import deadlines
from capsule.mail import subscribing
from capsule.seasons import scoring
from capsule.timekeeping.watching import watch
from capsule.tournaments import actions

SWEEP_SECONDS = 20.0
"""Seconds between two sweeps; meanwhile, pages already show the results that will be stored."""

CLAIM = "sweep"

CLAIM_SECONDS = 3 * SWEEP_SECONDS
"""Seconds after which another capsule sweeps if the one that did so last has died."""


def _delete_old_rows(context: AppContext) -> None:
    changes.delete_old_notes(context.database)
    with context.writing() as transaction:
        account_queries.delete_old(transaction.connection, transaction.now.date())
    context.claims.forget_lapsed()


def _delete_old_copy(context: AppContext) -> None:
    if context.clock.doubt is None:
        upgrading.delete_old_copy(context.database, context.clock())


STEPS: Sequence[tuple[Callable[[AppContext], object], str]] = (
    (deadlines.end_overdue, "Games that are over could not be ended"),
    (actions.start_and_end_due, "Tournaments could not be started or ended"),
    (voting.proceed, "Everyone's game could not go on"),
    (scoring.score_due, "Points of the season could not be given"),
    (course.keep_cups, "Steps of the cups could not be taken"),
    (choosing.choose_if_due, "The game of the week could not be chosen"),
    (
        lambda context: explorer.count_due(context.database),
        "Positions of games could not be counted",
    ),
    (subscribing.delete_old, "Old mail could not be deleted"),
    (_delete_old_rows, "Old notes of changes, old claims and old requests could not be deleted"),
    (_delete_old_copy, "The copy from before the database was migrated could not be deleted"),
)
"""The steps of a sweep, each with the line for the log if it fails; the others go on."""


class Sweeper:
    """The thread that sweeps in these `steps`."""

    def __init__(
        self,
        context: AppContext,
        log: logging.Logger,
        steps: Sequence[tuple[Callable[[AppContext], object], str]] = STEPS,
    ) -> None:
        self._context = context
        self._log = log
        self._steps = steps
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
            self._context.claims.release(CLAIM)

    def sweep(self) -> None:
        """Sweep once, unless another capsule does; check the clock in any case."""
        watch(self._context, self._log)
        try:
            if self._context.claims.claim(CLAIM, CLAIM_SECONDS):
                self._sweep_for_all()
        except Exception as error:  # noqa: BLE001 - the database may be back at the next sweep
            log_failure(self._log, "The sweep could not be claimed", error)

    def _sweep_for_all(self) -> None:
        for step, failure in self._steps:
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
