"""Other threads and processes: waiting until a condition holds, and acts at the same moment."""

import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import TypeVar

Found = TypeVar("Found")

PATIENCE = 60.0
"""Seconds until a test gives up: as long as no working machine takes, since a failure alone waits.

A limit that a test sets for what must not be late is as generous.
"""


def wait_until(condition: Callable[[], Found]) -> Found:
    """Wait until a condition holds, and return its value; fail if it does not for a minute."""
    until = time.monotonic() + PATIENCE
    while not (found := condition()):
        assert time.monotonic() < until, "not within a minute"
        time.sleep(0.02)
    return found


def at_once(acts: Sequence[Callable[[], Found]]) -> list[Found]:
    """Do each act on a thread, all at the same moment, and return their results in order."""
    all_ready = Barrier(len(acts))

    def do(act: Callable[[], Found]) -> Found:
        all_ready.wait()
        return act()

    with ThreadPoolExecutor(len(acts)) as threads:
        return list(threads.map(do, acts))
