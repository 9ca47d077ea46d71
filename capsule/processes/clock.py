"""Watching the clock in a process that answers requests, where nobody sweeps."""

from __future__ import annotations

from threading import Thread
from time import sleep
from typing import TYPE_CHECKING

from capsule.timekeeping import clock_watch
from capsule.timekeeping.model import COMPARED_OVER

if TYPE_CHECKING:
    import logging

    from capsule.context import AppContext


def start_watching(context: AppContext, log: logging.Logger) -> None:
    """Watch the clock on a thread, until the end of the process."""
    Thread(target=_watch, args=(context, log), daemon=True).start()


def _watch(context: AppContext, log: logging.Logger) -> None:
    while True:
        clock_watch.watch(context, log)
        sleep(COMPARED_OVER.total_seconds())
