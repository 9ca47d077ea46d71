"""Ends the games whose time is over, now and then, so that nobody need look at them for that.

And it starts the tournaments whose day has come.
"""

from __future__ import annotations

from threading import Event, Thread
from typing import TYPE_CHECKING

from capsule.games import deadlines
from capsule.tournaments import start

if TYPE_CHECKING:
    import logging

    from capsule.context import AppContext


SWEEP_SECONDS = 20.0
"""Seconds between two looks into the database: until then, pages show what will be stored."""


class Sweeper:
    """The thread that does it."""

    def __init__(self, context: AppContext, log: logging.Logger) -> None:
        self._context = context
        self._log = log
        self._stopping = Event()
        self._thread = Thread(target=self._sweep, daemon=True)

    def start(self) -> None:
        """Begin, with the games that ended while the capsule did not run."""
        self._thread.start()

    def stop(self) -> None:
        """Stop after the game that is being ended."""
        self._stopping.set()
        self._thread.join()

    def _sweep(self) -> None:
        while not self._stopping.is_set():
            try:
                deadlines.end_overdue(self._context)
            except Exception:  # noqa: BLE001 - the database may be back at the next look
                self._log.exception("Games that are over could not be ended")
            try:
                start.start_and_end_due(self._context)
            except Exception:  # noqa: BLE001 - the same
                self._log.exception("Tournaments could not be started or ended")
            self._stopping.wait(SWEEP_SECONDS)
