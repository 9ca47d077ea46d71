"""Errors that pages and use cases raise, and how what blocks is told apart."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from engine import Message


class Refused(ValueError):
    """The refusal of something that a player or the operator asked for.

    `message` is the reason, as a sentence without its final full stop.
    """

    def __init__(self, reason: Message) -> None:
        super().__init__(str(reason))
        self.message = reason


class OverLimit(Refused):
    """The refusal of something that is one too many at present; it may be tried later as it is."""


class NotFound(Exception):
    """There is nothing at the requested address."""


class NotAtPresent(NotFound):
    """Something is at the requested address, but cannot be shown at present.

    `message` is the reason, as a sentence without its final full stop.
    """

    def __init__(self, reason: Message) -> None:
        super().__init__(str(reason))
        self.message = reason


class OutdatedAction(Exception):
    """The action does not fit the current state, so nothing was changed."""


_may_block: ContextVar[bool] = ContextVar("may_block", default=True)


class WouldBlock(Exception):
    """Only a worker may answer this request: that may take long, or has to wait."""


@contextmanager
def without_blocking() -> Iterator[None]:
    """Forbid this thread to block during the block of code.

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
    """Raise `WouldBlock` where blocking is forbidden, before something that may take long."""
    if not _may_block.get():
        raise WouldBlock
