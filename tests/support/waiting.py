"""Waiting for other threads and processes: until a condition holds, however slow the machine is."""

import time
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

    Found = TypeVar("Found")

PATIENCE = 60.0
"""Seconds until a test gives up: as long as no working machine takes, since a failure alone waits.

A limit that a test sets for what must not be late is as generous.
"""


def wait_until(condition: "Callable[[], Found]") -> "Found":
    """Wait until a condition holds, and return its value; fail if it does not for a minute."""
    until = time.monotonic() + PATIENCE
    while not (found := condition()):
        assert time.monotonic() < until, "not within a minute"
        time.sleep(0.02)
    return found
