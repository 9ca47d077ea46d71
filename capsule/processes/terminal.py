"""The terminal in which the capsule was started, if it was: SIGHUP may mean that it was closed."""

from __future__ import annotations

import os
import signal

from capsule.gemini.listening import CannotRenew

STANDARD_INPUT = 0


class Terminal:
    """The terminal of the process in which this is made, if it has one."""

    def __init__(self) -> None:
        self._is_there = os.isatty(STANDARD_INPUT)

    def stop_if_closed(self) -> None:
        """Stop the process if its terminal has been closed, and raise `CannotRenew` then."""
        if self._is_there and not os.isatty(STANDARD_INPUT):
            os.kill(os.getpid(), signal.SIGTERM)
            raise CannotRenew("the terminal has been closed, so the capsule stops")
