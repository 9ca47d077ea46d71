"""Turns of visitors, on the reactor's thread and on those that make pages.

Of those who want something, the one who has had least goes first. Otherwise a visitor would wait at
each step of a connection for all who ask in closed loops: a handshake takes a millisecond or two,
and some pages a hundred.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from capsule.fair_queue import FairWork

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Hashable

    from twisted.python.threadpool import ThreadPool


class ReactorTurns:
    """Work that waits for the reactor's thread; one piece of it is done at each of its rounds.

    In between, the reactor finds out who else has sent something. `later` calls a function in its
    next round.
    """

    def __init__(self, later: Callable[[Callable[[], None]], object]) -> None:
        self._later = later
        self._work = FairWork()

    def put(self, visitor: Hashable, work: Callable[[], object]) -> None:
        """Have work done when it is the visitor's turn."""
        if not self._work:
            self._later(self._do_next)
        self._work.put((visitor,), work)

    def _do_next(self) -> None:
        try:
            self._work.do_next()
        finally:
            if self._work:
                self._later(self._do_next)


class ThreadTurns:
    """Work that waits for one of the threads of a pool."""

    def __init__(self, threads: ThreadPool) -> None:
        self._threads = threads
        self._work = FairWork()

    def put(
        self, owners: Collection[Hashable], work: Callable[..., object], *arguments: object
    ) -> None:
        """Have a function called with these arguments when it is its owners' turn."""
        self._work.put(owners, partial(work, *arguments))
        self._threads.callInThread(self._work.do_next)
