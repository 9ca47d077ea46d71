"""Retrying a transaction after a write conflict."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, TypeVar

from capsule.db.faults import Conflict

if TYPE_CHECKING:
    from collections.abc import Callable

Result = TypeVar("Result")

MAX_ATTEMPTS = 20
"""Attempts at an action. Of those that conflict, one succeeds at each attempt of the others."""

PAUSE_SECONDS = 0.005
"""Seconds before the second attempt; each further one waits that much longer."""


def retry(action: Callable[[], Result]) -> Result:
    """Return what an action returns, which is called again as long as it meets a `Conflict`.

    The action must read again whatever its transactions decide on. Raises the `Conflict` of the
    last of `MAX_ATTEMPTS` attempts: a value that is stored twice by mistake meets one each time.
    """
    for attempt in range(1, MAX_ATTEMPTS):
        try:
            return action()
        except Conflict:
            time.sleep(PAUSE_SECONDS * attempt)
    return action()
