"""Turns of visitors, on the reactor's thread and on those that make pages.

The visitor who has had least goes first. Otherwise a visitor would wait at
each step of a connection for all who ask in closed loops: a handshake takes a millisecond or two,
and some pages a hundred.
"""

from collections.abc import Callable, Collection, Hashable

from twisted.python.threadpool import ThreadPool

from capsule.fair_queue import FairQueue

CREDIT = 0.01
"""Seconds of work by which a visitor who comes goes before the others: some connections."""


class ReactorTurns:
    """Work that waits for the reactor's thread; one piece of it is done at each of its rounds.

    In between, the reactor finds out who else has sent something. `later` calls a function in its
    next round.
    """

    def __init__(self, later: Callable[[Callable[[], None]], object]) -> None:
        self._later = later
        self._work: FairQueue[Callable[[], object]] = FairQueue(CREDIT)

    def enter(self, visitor: Hashable) -> None:
        """Count a connection of a visitor, so that what the visitor has had is not forgotten."""
        self._work.enter((visitor,))

    def leave(self, visitor: Hashable) -> None:
        """Uncount a connection of a visitor; after the last one, the visitor is forgotten."""
        self._work.leave((visitor,))

    def put(self, visitor: Hashable, work: Callable[[], object]) -> None:
        """Run a visitor's work when that visitor is next in line."""
        if not self._work:
            self._later(self._do_next)
        self._work.put((visitor,), work)

    def _do_next(self) -> None:
        try:
            with self._work.turn() as work:
                work()
        finally:
            if self._work:
                self._later(self._do_next)


class ThreadTurns:
    """Work that waits for one of the threads of a pool."""

    def __init__(self, threads: ThreadPool) -> None:
        self._threads = threads
        self._work: FairQueue[Callable[[], object]] = FairQueue(CREDIT)

    def put(self, owners: Collection[Hashable], work: Callable[[], object]) -> None:
        """Run work when its owners are next in line."""
        self._work.put(owners, work)
        self._threads.callInThread(self._do_next)

    def _do_next(self) -> None:
        with self._work.turn() as work:
            work()
