"""Limits on a visitor's requests and open connections, which protect all other visitors.

A visitor is identified by an IPv4 address, or by the /64 prefix of an IPv6 address, the usual size
of a household's network. The state is bounded, and lies in the memory of one process: each of
several processes applies its own limits.
"""

import hashlib
import math
import secrets
from collections import Counter, defaultdict
from collections.abc import Collection, Hashable
from enum import Enum, auto
from functools import lru_cache
from ipaddress import IPv6Address, ip_address
from typing import Generic, NamedTuple, TypeVar

from cachetools import LRUCache

Connection = TypeVar("Connection", bound=Hashable)

MAX_VISITORS = 20_000
"""Visitors remembered by a rate limit; the least recently seen is forgotten first."""

IDLE_SECONDS = 1.0
"""Seconds after which a visitor's new connection may evict their idle one."""

LIVE_READERS = 200
"""The most live responses that a process keeps open."""

LIVE_READERS_EACH = 2
"""The most live responses that one player, or one address, may keep open."""


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
"""The secret of this process, without which a key does not reveal its address."""


@lru_cache(maxsize=4096)
def opaque_key(host: str) -> str:
    """Return a key for the numeric address `host` that does not reveal the address.

    Addresses that share a limit have equal keys, as `rate_limit_key` says.
    """
    key = str(rate_limit_key(host)).encode()
    return hashlib.blake2b(key, key=_SECRET, digest_size=16).hexdigest()


_ROUNDING = 1e-3
"""The tolerance for errors in floating-point sums, as a fraction of a request."""


class RequestLimit:
    """A limit on each visitor's requests: `burst` at once, refilled at `rate` per second.

    A `rate` of 0 sets no limit. At most `max_visitors` are remembered.
    """

    def __init__(self, rate: float, burst: int, max_visitors: int = MAX_VISITORS) -> None:
        self._rate = rate
        self._burst = max(1, burst)
        # A token bucket is stored as the time at which it will be full again, so that nothing has
        # to be refilled.
        self._full_at: LRUCache[Hashable, float] = LRUCache(max_visitors)

    def seconds_to_wait(self, visitor: Hashable, now: float) -> int:
        """Return 0 and count a visitor's request, or return the whole seconds until it is allowed.

        `now` is in seconds and never decreases. A request that has to wait is not counted.
        """
        if self._rate <= 0:
            return 0
        before = max(now, self._full_at.pop(visitor, now))
        after = before + 1 / self._rate
        wait = after - now - self._burst / self._rate
        is_allowed = wait <= _ROUNDING / self._rate
        self._full_at[visitor] = after if is_allowed else before
        return 0 if is_allowed else max(1, math.ceil(wait))

    def give_back(self, visitor: Hashable) -> None:
        """Give back the allowance of a visitor's last request, which had no effect."""
        if visitor in self._full_at:
            self._full_at[visitor] -= 1 / self._rate


class TooManyConnections(Exception):
    """There is no room for a connection, and no other may be evicted for it."""


class Stage(Enum):
    """The stage of an open connection; one that processes a request is never evicted."""

    ANSWERED = auto()
    THROTTLED = auto()
    WAITING = auto()
    PROCESSING = auto()


_EVICTABLE = (Stage.ANSWERED, Stage.THROTTLED, Stage.WAITING)
"""The stages at which a connection may be evicted, in the order of eviction."""


class _Place(NamedTuple):
    visitor: Hashable
    stage: Stage
    since: float


class ConnectionLimit(Generic[Connection]):
    """A limit on open connections: `total` altogether, and `per_visitor` for each visitor.

    A new connection without room evicts another: one that has been answered, else a throttled one,
    else one that has not sent its request; of several, that which reached its stage first. At the
    limit of a visitor, only connections of the same visitor are evicted, and none that has opened
    within `IDLE_SECONDS` and not sent its request: connections that open at once would otherwise
    all evict one another. A visitor with `held_back_per_visitor` throttled connections gets no
    further one. The visitor None is unknown, and has no separate limit.
    """

    def __init__(self, total: int, per_visitor: int, held_back_per_visitor: int) -> None:
        self._total = total
        self._per_visitor = per_visitor
        self._held_back_per_visitor = held_back_per_visitor
        self._open: dict[Connection, _Place] = {}
        self._open_by_visitor: Counter[Hashable] = Counter()
        # Connections by visitor and stage, the first to reach it first; None has those of everyone.
        self._by_stage: defaultdict[tuple[Hashable, Stage], dict[Connection, None]] = defaultdict(
            dict
        )

    def __len__(self) -> int:
        return len(self._open)

    @property
    def free(self) -> int:
        """The number of connections that can be admitted before one has to be evicted."""
        return self._total - len(self._open)

    def enter(self, connection: Connection, visitor: Hashable, now: float) -> Connection | None:
        """Admit a visitor's connection; return the connection evicted for it, if any, to be closed.

        The evicted connection is no longer counted. A connection that was admitted for an unknown
        visitor enters again once the visitor is known. `now` is in seconds. Raises
        `TooManyConnections` if none can be evicted, or if too many of the visitor's connections are
        throttled.
        """
        self.leave(connection)
        evicted = self._to_evict(visitor, now)
        if evicted is not None:
            self.leave(evicted)
        self._open_by_visitor[visitor] += 1
        self._put(connection, _Place(visitor, Stage.WAITING, now))
        return evicted

    def has_room(self, visitor: Hashable, now: float) -> bool:
        """Return whether `enter` would admit a connection."""
        try:
            self._to_evict(visitor, now)
        except TooManyConnections:
            return False
        return True

    def _to_evict(self, visitor: Hashable, now: float) -> Connection | None:
        """Return the connection that a visitor's next one would evict, None if there is room."""
        if visitor is not None:
            throttled = self._by_stage.get((visitor, Stage.THROTTLED), ())
            if len(throttled) >= self._held_back_per_visitor:
                raise TooManyConnections
            if self._open_by_visitor[visitor] >= self._per_visitor:
                return self._evictable(visitor, now - IDLE_SECONDS)
        if len(self._open) >= self._total:
            return self._evictable(None, now)
        return None

    def _evictable(self, visitor: Hashable, latest: float) -> Connection:
        """Return the connection to evict; one without a request only if it opened by `latest`.

        Raises `TooManyConnections` if there is none.
        """
        for stage in _EVICTABLE:
            for oldest in self._by_stage.get((visitor, stage), ()):
                if stage is Stage.WAITING and self._open[oldest].since > latest:
                    break
                return oldest
        raise TooManyConnections

    def reach(self, connection: Connection, stage: Stage) -> None:
        """Record that a connection has reached a stage, unless it has been evicted."""
        if connection in self._open:
            self._put(connection, self._take(connection)._replace(stage=stage))

    def waiting(self) -> tuple[Connection, ...]:
        """Return the connections whose requests have not arrived yet, the oldest first."""
        return tuple(self._by_stage.get((None, Stage.WAITING), ()))

    def leave(self, connection: Connection) -> None:
        """Release a connection's place, if it still has one."""
        if connection in self._open:
            visitor = self._take(connection).visitor
            self._open_by_visitor[visitor] -= 1
            if not self._open_by_visitor[visitor]:
                del self._open_by_visitor[visitor]

    def _put(self, connection: Connection, place: _Place) -> None:
        self._open[connection] = place
        for visitor in {place.visitor, None}:
            self._by_stage[visitor, place.stage][connection] = None

    def _take(self, connection: Connection) -> _Place:
        place = self._open.pop(connection)
        for visitor in {place.visitor, None}:
            connections = self._by_stage[visitor, place.stage]
            del connections[connection]
            if not connections:
                del self._by_stage[visitor, place.stage]
        return place


class WaitLimit:
    """A limit on slow responses that visitors wait for: `waits` in all, `each` per owner.

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

    @property
    def is_full(self) -> bool:
        """Whether no further wait may begin."""
        return self._free == 0

    def begin(self, owners: Collection[Hashable]) -> bool:
        """Count a wait of these owners if the limits allow one more; return whether they do."""
        if self.is_full or any(self._waiting[owner] >= self._each for owner in owners):
            return False
        self._free -= 1
        self._waiting.update(owners)
        return True

    def end(self, owners: Collection[Hashable]) -> None:
        """Stop counting a wait."""
        self._free += 1
        self._waiting.subtract(owners)
        for owner in owners:
            if not self._waiting[owner]:
                del self._waiting[owner]
