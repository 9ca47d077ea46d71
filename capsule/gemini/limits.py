"""How much one visitor may ask and hold open, so that nobody else notices.

Visitors are told apart by their address: an IPv4 address, or the /64 of an IPv6 address, which is
what one household gets. Everything is kept in this process's memory, and bounded.
"""

from __future__ import annotations

import math
from collections import OrderedDict
from functools import lru_cache
from ipaddress import IPv6Address, ip_address
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Hashable


Connection = TypeVar("Connection", bound="Hashable")

MAX_VISITORS = 20_000
"""Visitors remembered by a rate limit; whoever was seen longest ago is forgotten first."""


@lru_cache(maxsize=4096)
def rate_limit_key(host: str) -> Hashable:
    """Return the key of a numeric address `host`; addresses that share a limit have equal keys.

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


_ROUNDING = 1e-3
"""The part of a request that sums of floating-point numbers may be wrong by."""


class RequestLimit:
    """Requests that a visitor may make: `burst` at once, refilled by `rate` a second.

    A `rate` of 0 sets no limit.
    """

    def __init__(self, rate: float, burst: int, most_visitors: int = MAX_VISITORS) -> None:
        self._rate = rate
        self._burst = max(1, burst)
        self._most_visitors = most_visitors
        self._full_at: OrderedDict[Hashable, float] = OrderedDict()

    def seconds_to_wait(self, who: Hashable, now: float) -> int:
        """Count a request of `who`, and return 0, or the whole seconds until it may be made.

        `now` is in seconds and never goes back. A request that has to wait is not counted.
        """
        if self._rate <= 0:
            return 0
        # A bucket is kept as the moment when it will be full again: one number, nothing to refill.
        full_at = max(now, self._full_at.pop(who, now)) + 1 / self._rate
        missing = full_at - now - self._burst / self._rate
        if missing > _ROUNDING / self._rate:
            self._full_at[who] = full_at - 1 / self._rate
            return max(1, math.ceil(missing))
        self._full_at[who] = full_at
        if len(self._full_at) > self._most_visitors:
            self._full_at.popitem(last=False)
        return 0


class Crowded(Exception):
    """No room: everyone who could be asked to leave is being answered."""


class ConnectionLimit(Generic[Connection]):
    """Connections that may be open: `total` of all visitors, `each` of one of them.

    A connection that comes when there is no room takes the place of the one that has kept us
    waiting for its request the longest: of the same visitor's where that visitor holds too many.
    """

    def __init__(self, total: int, each: int) -> None:
        self._total = total
        self._each = each
        self._open: dict[Connection, Hashable] = {}
        self._waiting: dict[Connection, None] = {}
        self._held: dict[Hashable, int] = {}
        self._waiting_of: dict[Hashable, dict[Connection, None]] = {}

    def __len__(self) -> int:
        return len(self._open)

    def enter(self, connection: Connection, who: Hashable) -> Connection | None:
        """Let a connection of `who` in, and return the one to close for it, which is out already.

        Raises `Crowded` where there is no room even so.
        """
        evicted: Connection | None = None
        if self._held.get(who, 0) >= self._each:
            evicted = next(iter(self._waiting_of.get(who, ())), None)
        elif len(self._open) >= self._total:
            evicted = next(iter(self._waiting), None)
        else:
            self._add(connection, who)
            return None
        if evicted is None:
            raise Crowded
        self.leave(evicted)
        self._add(connection, who)
        return evicted

    def _add(self, connection: Connection, who: Hashable) -> None:
        self._open[connection] = who
        self._held[who] = self._held.get(who, 0) + 1
        self._waiting[connection] = None
        self._waiting_of.setdefault(who, {})[connection] = None

    def request_arrived(self, connection: Connection) -> None:
        """Keep the place of a connection from now on: its request is there."""
        if connection not in self._waiting:
            return
        del self._waiting[connection]
        who = self._open[connection]
        del self._waiting_of[who][connection]
        if not self._waiting_of[who]:
            del self._waiting_of[who]

    def waiting(self) -> tuple[Connection, ...]:
        """Return the connections whose requests have not arrived, the oldest first."""
        return tuple(self._waiting)

    def leave(self, connection: Connection) -> None:
        """Give up the place of a connection; one that has left already may leave again."""
        self.request_arrived(connection)
        if connection in self._open:
            who = self._open.pop(connection)
            self._held[who] -= 1
            if not self._held[who]:
                del self._held[who]
