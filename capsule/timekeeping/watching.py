"""The newest time seen, as it is stored: watching the clock by it, and confirming the clock."""

import logging
from dataclasses import replace
from datetime import datetime, timedelta

import sqlalchemy as sa

from capsule.context import AppContext, Transaction
from capsule.db.faults import log_failure
from capsule.db.mapper import Mapper
from capsule.db.schema.base import clock
from capsule.db.storage_health import in_words
from capsule.timekeeping.trusted_clock import Doubt, SeenTime

WATCH_SECONDS = 20.0
"""Seconds between two reads of the stored time by each process."""

STORED_EVERY = timedelta(minutes=1)


_SEEN = Mapper(SeenTime, clock, at=clock.c.seen_at)


def seen_time(connection: sa.Connection) -> SeenTime:
    """Return the newest time seen."""
    return _SEEN.read(connection.execute(_SEEN.select).one())


def upgrade_time(connection: sa.Connection) -> datetime | None:
    """Return the time of the last event before the upgrade from release 0.1.0, None if none."""
    upgraded_at: datetime | None = connection.execute(sa.select(clock.c.upgraded_at)).scalar_one()
    return upgraded_at


def replace_seen_time(connection: sa.Connection, before: SeenTime, seen: SeenTime) -> None:
    """Store the newest time seen, unless another process has stored one since `before`."""
    connection.execute(
        sa.update(clock).where(clock.c.seen_at == before.at).values(_SEEN.values(seen))
    )


def watch(context: AppContext, log: logging.Logger) -> None:
    """Learn the newest time seen, and store that of a trusted clock; log a change of trust.

    To be called every `WATCH_SECONDS` or so in each process that serves. Raises nothing.
    """
    try:
        _watch(context, log)
    except Exception as error:  # noqa: BLE001 - the database may be back next time
        log_failure(log, "The time could not be stored", error)


def _watch(context: AppContext, log: logging.Logger) -> None:
    trusted = context.clock
    with context.database.reading() as connection:
        stored = seen_time(connection)
    trusted.learn(stored)
    shown = trusted.shown()
    doubt = trusted.doubt_about(shown.at)
    if doubt is None and (trusted.reported or shown.at >= stored.at + STORED_EVERY):
        _store(context, stored, shown)
    elif doubt is Doubt.AHEAD and not stored.was_ahead:
        _store(context, stored, replace(stored, was_ahead=True))
    if doubt is not trusted.reported:
        trusted.reported = doubt
        sentence = _SENTENCES[doubt]
        log.warning(sentence, {"shown": in_words(shown.at), "seen": in_words(stored.at)})


def _store(context: AppContext, before: SeenTime, seen: SeenTime) -> None:
    with context.database.writing() as connection:
        replace_seen_time(connection, before, seen)
    context.clock.learn(seen)


def confirm(transaction: Transaction) -> tuple[SeenTime, SeenTime | None]:
    """Confirm what the machine's clock shows, and return it.

    The second is the newest time seen before if the clock was in doubt, or else None.
    """
    trusted = transaction.context.clock
    before, shown = seen_time(transaction.connection), trusted.shown()
    if trusted.doubt is None and not before.was_ahead:
        return shown, None
    replace_seen_time(transaction.connection, before, shown)
    return shown, before


_UNTIL = "Nothing ends or starts by it until it is right, or confirmed with `oxonaut admin clock`"

_SENTENCES = {
    None: "The clock shows %(shown)s and is trusted again",
    Doubt.BEHIND: f"The clock shows %(shown)s, before the newest time seen, %(seen)s. {_UNTIL}",
    Doubt.AHEAD: "The clock shows %(shown)s, three hours ahead of the machine's running time since "
    f"%(seen)s. {_UNTIL}",
}
