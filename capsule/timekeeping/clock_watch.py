"""Watching the clock: each process that serves does so all the time, and the operator can help."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from capsule.db.faults import log_failure
from capsule.timekeeping import queries as clock_queries
from capsule.timekeeping.model import Finding

if TYPE_CHECKING:
    import logging
    from datetime import datetime

    from capsule.context import AppContext
    from capsule.timekeeping.model import Suspicion


@dataclass(frozen=True)
class ClockReading:
    """What the clock says, and the jump that nobody has confirmed, if there was one."""

    now: datetime
    suspicion: Suspicion | None


def watch(context: AppContext, log: logging.Logger) -> None:
    """Share with other processes what is known about the clock, and log what is new.

    To be called every `COMPARED_OVER` or so in each process that serves. It raises nothing: the log
    says what has failed.
    """
    try:
        _compare(context, log)
    except Exception as error:  # noqa: BLE001 - the database may be back next time
        log_failure(log, "What is known about the clock could not be shared", error)


def _compare(context: AppContext, log: logging.Logger) -> None:
    with context.database.reading() as connection:
        stored = clock_queries.stored_clock(connection)
    news = context.timekeeper.compare(stored)
    if news.suspicion is not None and stored.suspicion is None:
        with context.database.writing() as connection:
            clock_queries.save_suspicion(connection, news.suspicion)
    elif news.finding is Finding.SET_RIGHT and stored.suspicion is not None:
        with context.database.writing() as connection:
            clock_queries.clear_suspicion(connection)
    elif news.finding is Finding.STEADY and stored.suspicion is not None:
        with context.database.writing() as connection:
            clock_queries.confirm(connection, context.clock())
    if news.finding is not None:
        context.timekeeper.reported(news.finding)
        _log(log, news.finding, news.suspicion, context.clock())


def confirm(context: AppContext) -> ClockReading:
    """Confirm that the clock is right, and return what it says and whether that was in doubt."""
    with context.database.writing() as connection:
        stored = clock_queries.stored_clock(connection)
        now = context.clock()
        if stored.suspicion is not None:
            clock_queries.confirm(connection, now)
    return ClockReading(now, stored.suspicion)


def _log(log: logging.Logger, finding: Finding, suspicion: Suspicion | None, now: datetime) -> None:
    if finding in (Finding.JUMPED, Finding.LEFT_OVER) and suspicion is not None:
        log.warning(
            "The clock has jumped from %s to %s. Nothing ends or starts by it until it is confirmed"
            " with `oxonaut admin clock`, set right, or steady for three hours",
            _shown(suspicion.expected),
            _shown(suspicion.noticed_at),
        )
    else:
        log.warning("The clock says %s, and is trusted again: %s", _shown(now), _WHY[finding])


_WHY = {
    Finding.CONFIRMED: "it was confirmed",
    Finding.STEADY: "it has been steady for three hours",
    Finding.SET_RIGHT: "it says what was expected",
}


def _shown(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d %H:%M:%S} UTC"
