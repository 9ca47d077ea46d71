"""Blocking: what may take long, or waits for others, is left to workers.

Every visitor waits for the reactor's thread. So a handler that is called there may not block: what
would, raises `WouldBlock`, as a socket does, and the handler is called once more on a worker.
"""

from __future__ import annotations

from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_may_block: ContextVar[bool] = ContextVar("may_block", default=True)


class WouldBlock(Exception):
    """Only a worker may answer this request: that may take long, or has to wait."""


@contextmanager
def without_blocking() -> Iterator[None]:
    """Forbid this thread to block during the block of code.

    >>> with without_blocking():
    ...     require_worker()
    Traceback (most recent call last):
    capsule.blocking.WouldBlock
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
