"""Errors that pages and use cases raise, and the guard against blocking a thread."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from engine import Message


class Refused(ValueError):
    """The refusal of an action that a player or the operator asked for.

    `message` is the reason, as a sentence without its final full stop.
    """

    def __init__(self, reason: Message) -> None:
        super().__init__(str(reason))
        self.message = reason


class OverLimit(Refused):
    """The refusal of an action that exceeds a limit at present; a retry may succeed later."""


class NotFound(Exception):
    """There is nothing at the requested address."""


class NotAtPresent(NotFound):
    """The requested page exists, but cannot be shown at present.

    `message` is the reason, as a sentence without its final full stop.
    """

    def __init__(self, reason: Message) -> None:
        super().__init__(str(reason))
        self.message = reason


class OutdatedAction(Exception):
    """The action does not fit the current state, so nothing was changed."""


_may_block: ContextVar[bool] = ContextVar("may_block", default=True)


class WouldBlock(Exception):
    """The request needs a worker, since its answer may take long or has to wait."""


@contextmanager
def without_blocking() -> Iterator[None]:
    """Forbid this thread to block inside the `with` statement.

    >>> with without_blocking():
    ...     require_worker()
    Traceback (most recent call last):
    capsule.errors.WouldBlock
    """
    token = _may_block.set(False)
    try:
        yield
    finally:
        _may_block.reset(token)


def require_worker() -> None:
    """Raise `WouldBlock` if this thread may not block; call this before work that may take long."""
    if not _may_block.get():
        raise WouldBlock
