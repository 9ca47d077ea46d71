"""Records when subscribers last viewed a game, so that turns they have seen are not mailed.

A cached page runs no code, so views are recorded in memory, by certificate, and written once a
minute. A process that is killed loses those of its last minute, which costs a letter too many.
"""

import logging
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from functools import partial
from threading import Lock

from capsule.context import AppContext, Transaction, writing
from capsule.db.faults import DatabaseFault, log_failure
from capsule.gemini.types import Request
from capsule.mail import queries
from capsule.repeating import repeated

WRITTEN_EVERY_SECONDS = 60.0

MAX_RECORDED = 10_000
"""Views that are held in memory; further ones are dropped until these are written."""

MAX_WRITTEN = 500
"""Views that are written in one transaction."""

_GAME = re.compile(r"/play/([a-z2-7]{10})(?:/(?:live|words))?")

ALL_WAITING = "/play/desk"


class GameViews:
    """The views of the last minute, by certificates' fingerprints and games; "" is all games."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._recorded: dict[tuple[str, str], datetime] = {}

    def record(self, request: Request, now: datetime) -> None:
        """Record that a request asks for a game's page, if it does so with a certificate."""
        if request.certificate is None:
            return
        match = _GAME.fullmatch(request.path)
        if match is None and request.path != ALL_WAITING:
            return
        place = request.certificate.fingerprint, match[1] if match else ""
        with self._lock:
            if place in self._recorded or len(self._recorded) < MAX_RECORDED:
                self._recorded[place] = now

    def write(self, context: AppContext) -> None:
        """Write what has been recorded; raises `DatabaseFault`, and then holds the rest."""
        while self._recorded:
            with self._lock:
                places = list(self._recorded)[:MAX_WRITTEN]
                batch = {place: self._recorded.pop(place) for place in places}
            try:
                _store(context, batch)
            except DatabaseFault:
                with self._lock:
                    self._recorded = batch | self._recorded
                raise


@writing
def _store(transaction: Transaction, batch: Mapping[tuple[str, str], datetime]) -> None:
    views = [(*place, at) for place, at in sorted(batch.items())]
    queries.save_views(transaction.connection, views)


@contextmanager
def written(context: AppContext, log: logging.Logger) -> Iterator[None]:
    """Write the views of this process once a minute, and once more at the end."""
    write = partial(_write, context, log)
    try:
        with repeated(write, WRITTEN_EVERY_SECONDS):
            yield
    finally:
        write()


def _write(context: AppContext, log: logging.Logger) -> None:
    try:
        context.game_views.write(context)
    except Exception as error:  # noqa: BLE001 - the database may be back next time
        log_failure(log, "Views of games could not be stored", error)
