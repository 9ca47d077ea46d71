"""Limits on a visitor's requests and open connections, so that nobody else is affected.

A visitor is identified by an IPv4 address, or by the /64 prefix of an IPv6 address, the usual size
of a household's network. The state is bounded; it is in this process's memory here, and
`capsule.gemini.shared_limits` keeps it in memory that several processes share.
"""

from __future__ import annotations

import hashlib
import math
import secrets
from collections import Counter, OrderedDict
from contextlib import nullcontext
from dataclasses import dataclass
from functools import lru_cache
from ipaddress import IPv6Address, ip_address
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

if TYPE_CHECKING:
    from collections.abc import Collection, Hashable, Iterator
    from contextlib import AbstractContextManager


Connection = TypeVar("Connection", bound="Hashable")

MAX_VISITORS = 20_000
"""Visitors remembered by a rate limit; the least recently seen is forgotten first."""

LIVE_READERS = 200
"""Live responses that a process keeps open at most."""

LIVE_READERS_EACH = 2
"""Live responses that are open for one player, or for one address, at most."""


@lru_cache(maxsize=4096)
def rate_limit_key(host: str) -> Hashable:
    """Return a key for the numeric address `host`; addresses that share a limit have equal keys.

    >>> rate_limit_key("2001:db8::1") == rate_limit_key("2001:db8::ffff:2")
    True
    >>> rate_limit_key("2001:db8::1") == rate_limit_key("2001:db8:0:1::1")
    False
    >>> rate_limit_key("::ffff:192.0.2.1") == rate_limit_key("192.0.2.1")
    True
    """
    try:
        address = ip_address(host.partition("%")[0])
    except ValueError:
        return host
    if isinstance(address, IPv6Address):
        return address.ipv4_mapped or int(address) >> 64
    return address


_SECRET = secrets.token_bytes(32)
"""Makes the keys of this process's life, which nobody can lead back to an address."""


@lru_cache(maxsize=4096)
def opaque_key(host: str) -> str:
    """Return a key for the numeric address `host` that does not tell the address.

    Addresses that share a limit have equal keys, as `rate_limit_key` says.
    """
    key = str(rate_limit_key(host)).encode()
    return hashlib.blake2b(key, key=_SECRET, digest_size=16).hexdigest()


_ROUNDING = 1e-3
"""The tolerance for errors in floating-point sums, as a fraction of a request."""


@dataclass(frozen=True)
class Allowance:
    """How many requests a visitor may make: `burst` at once, refilled at `rate` per second.

    A `rate` of 0 sets no limit.
    """

    rate: float
    burst: int

    def count(self, full_at: float, now: float) -> tuple[float, int]:
        """Count a request at `now` for a visitor whose allowance is full again at `full_at`.

        Return when it will be full, and 0; or, if the visitor has to wait, when it will be full
        without that request, and the whole seconds to wait.
        """
        # A token bucket is stored as the time at which it will be full again, so that nothing has
        # to be refilled.
        without = max(now, full_at)
        full_at = without + 1 / self.rate
        wait = full_at - now - max(1, self.burst) / self.rate
        if wait > _ROUNDING / self.rate:
            return without, max(1, math.ceil(wait))
        return full_at, 0


class CountsRequests(Protocol):
    """A limit on each visitor's requests."""

    def seconds_to_wait(self, visitor: Hashable, now: float) -> int:
        """Return 0 and count a visitor's request, or return the whole seconds until it is allowed.

        `now` is in seconds and never goes back. A request that has to wait is not counted.
        """

    def give_back(self, visitor: Hashable) -> None:
        """Count one request less: the last one that was counted has come to nothing."""


class RequestLimit:
    """A limit on each visitor's requests: `burst` at once, refilled at `rate` per second.

    A `rate` of 0 sets no limit. At most `max_visitors` are remembered.
    """

    def __init__(self, rate: float, burst: int, max_visitors: int = MAX_VISITORS) -> None:
        self._allowance = Allowance(rate, burst)
        self._max_visitors = max_visitors
        self._full_at: OrderedDict[Hashable, float] = OrderedDict()

    def seconds_to_wait(self, visitor: Hashable, now: float) -> int:
        """Return 0 and count a visitor's request, or return the whole seconds until it is allowed.

        `now` is in seconds and never goes back. A request that has to wait is not counted.
        """
        if self._allowance.rate <= 0:
            return 0
        full_at, seconds = self._allowance.count(self._full_at.pop(visitor, now), now)
        self._full_at[visitor] = full_at
        if len(self._full_at) > self._max_visitors:
            self._full_at.popitem(last=False)
        return seconds

    def give_back(self, visitor: Hashable) -> None:
        """Count one request less: the last one that was counted has come to nothing."""
        if visitor in self._full_at:
            self._full_at[visitor] -= 1 / self._allowance.rate


class TooManyConnections(Exception):
    """There is no room: every connection that could be evicted is owed an answer."""


class Tally(Protocol):
    """The open connections, and those of them that wait: altogether, and of each visitor.

    None as a visitor means all of them. Where processes share it, it counts all their connections.
    """

    def unchanging(self) -> AbstractContextManager[object]:
        """Return a context in which no other process changes the tally."""

    def held(self, visitor: Hashable | None) -> int:
        """Return the number of open connections."""

    def waiting(self, visitor: Hashable | None) -> int:
        """Return the number of connections whose requests have not arrived yet."""

    def add(self, visitor: Hashable, *, held: int = 0, waiting: int = 0) -> None:
        """Change the numbers of a visitor by these amounts."""

    def has_less_than_its_part(self, visitor: Hashable | None) -> bool:
        """Tell whether this process has fewer open connections than others have on average."""

    def ask_for_room(self) -> None:
        """Have the other processes close waiting connections beyond the limits."""

    def is_asked_for_room(self) -> bool:
        """Tell whether another process has asked for room since the last call."""


class LocalTally:
    """The tally of one process alone."""

    def __init__(self) -> None:
        self._held: Counter[Hashable | None] = Counter()
        self._waiting: Counter[Hashable | None] = Counter()

    def unchanging(self) -> AbstractContextManager[object]:
        """Return a context without any effect."""
        return nullcontext()

    def held(self, visitor: Hashable | None) -> int:
        """Return the number of open connections."""
        return self._held[visitor]

    def waiting(self, visitor: Hashable | None) -> int:
        """Return the number of connections whose requests have not arrived yet."""
        return self._waiting[visitor]

    def add(self, visitor: Hashable, *, held: int = 0, waiting: int = 0) -> None:
        """Change the numbers of a visitor by these amounts."""
        for counter, amount in ((self._held, held), (self._waiting, waiting)):
            counter[None] += amount
            counter[visitor] += amount
            if not counter[visitor]:
                del counter[visitor]

    def has_less_than_its_part(self, visitor: Hashable | None) -> bool:  # noqa: ARG002
        """Return False: all are this process's."""
        return False

    def ask_for_room(self) -> None:
        """Do nothing: there is nobody to ask."""

    def is_asked_for_room(self) -> bool:
        """Return False."""
        return False


class ConnectionLimit(Generic[Connection]):
    """A limit on open connections: `total` altogether, and `per_visitor` for each visitor.

    If there is no room for a new connection, it evicts the one that has waited longest without
    sending its request: one of the same visitor's, if that visitor has reached their own limit. If
    it is rather up to the other processes, which share the `tally`, one of them does so a little
    later.
    """

    def __init__(self, total: int, per_visitor: int, tally: Tally | None = None) -> None:
        self._total = total
        self._per_visitor = per_visitor
        self._tally: Tally = tally or LocalTally()
        self._open: dict[Connection, Hashable] = {}
        self._waiting: dict[Connection, None] = {}
        self._waiting_of: dict[Hashable, dict[Connection, None]] = {}

    def __len__(self) -> int:
        return len(self._open)

    def enter(self, connection: Connection, visitor: Hashable) -> Connection | None:
        """Admit a visitor's connection, and return the evicted one, which is to be closed, if any.

        The evicted connection is no longer counted. Raises `TooManyConnections` if none can be
        evicted.
        """
        with self._tally.unchanging():
            if (surplus := self._tally.held(visitor) - self._per_visitor) >= 0:
                evicted = self._evict(visitor, surplus)
            elif (surplus := self._tally.held(None) - self._total) >= 0:
                evicted = self._evict(None, surplus)
            else:
                evicted = None
            self._open[connection] = visitor
            self._waiting[connection] = None
            self._waiting_of.setdefault(visitor, {})[connection] = None
            self._tally.add(visitor, held=1, waiting=1)
            return evicted

    def _evict(self, visitor: Hashable | None, surplus: int) -> Connection | None:
        """Evict the connection that has waited longest; None if another process is to do so.

        The other processes are to evict as many as the `surplus` already.
        """
        waiting = self._waiting if visitor is None else self._waiting_of.get(visitor, {})
        has_others = self._tally.waiting(visitor) - len(waiting) > surplus
        if has_others and (not waiting or self._tally.has_less_than_its_part(visitor)):
            self._tally.ask_for_room()
            return None
        if not waiting:
            raise TooManyConnections
        evicted = next(iter(waiting))
        self.leave(evicted)
        return evicted

    def request_arrived(self, connection: Connection) -> None:
        """Note that a connection's request has arrived: from now on it cannot be evicted."""
        if connection not in self._waiting:
            return
        del self._waiting[connection]
        visitor = self._open[connection]
        del self._waiting_of[visitor][connection]
        if not self._waiting_of[visitor]:
            del self._waiting_of[visitor]
        self._tally.add(visitor, waiting=-1)

    def waiting(self) -> tuple[Connection, ...]:
        """Return the connections whose requests have not arrived yet, the oldest first."""
        return tuple(self._waiting)

    def leave(self, connection: Connection) -> None:
        """Release a connection's place, if it still has one."""
        self.request_arrived(connection)
        if connection in self._open:
            self._tally.add(self._open.pop(connection), held=-1)

    def make_room(self) -> tuple[Connection, ...]:
        """Evict what is beyond the limits if another process asked for it; return the evicted."""
        if not self._tally.is_asked_for_room():
            return ()
        with self._tally.unchanging():
            return tuple(self._surplus())

    def _surplus(self) -> Iterator[Connection]:
        for visitor in tuple(self._waiting_of):
            while self._tally.held(visitor) > self._per_visitor and visitor in self._waiting_of:
                oldest = next(iter(self._waiting_of[visitor]))
                self.leave(oldest)
                yield oldest
        while self._tally.held(None) > self._total and self._waiting:
            oldest = next(iter(self._waiting))
            self.leave(oldest)
            yield oldest


class CountsWaits(Protocol):
    """A limit on visitors who wait for something slow."""

    def begin(self, owners: Collection[Hashable]) -> bool:
        """Count a wait of these owners, unless one of them waits already; return whether it may."""

    def end(self, owners: Collection[Hashable]) -> None:
        """Forget a wait that has begun."""


class WaitLimit:
    """A limit on visitors who wait for something slow: so many in all, and `each` for each owner.

    >>> waits = WaitLimit(8)
    >>> waits.begin(["player 1", "address 1"]), waits.begin(["player 1", "address 2"])
    (True, False)
    >>> waits.end(["player 1", "address 1"])
    >>> waits.begin(["player 1", "address 2"])
    True
    """

    def __init__(self, waits: int, each: int = 1) -> None:
        self._free = waits
        self._each = each
        self._waiting: Counter[Hashable] = Counter()

    def begin(self, owners: Collection[Hashable]) -> bool:
        """Count a wait of these owners, unless one has as many already; return whether it may."""
        if self._free == 0 or any(self._waiting[owner] >= self._each for owner in owners):
            return False
        self._free -= 1
        self._waiting.update(owners)
        return True

    def end(self, owners: Collection[Hashable]) -> None:
        """Forget a wait that has begun."""
        self._free += 1
        self._waiting.subtract(owners)
        for owner in owners:
            if not self._waiting[owner]:
                del self._waiting[owner]
