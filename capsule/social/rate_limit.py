"""A rate limit on texts that others read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime, timedelta


@dataclass(frozen=True)
class RateLimit:
    """At most `count` times within any `window`.

    >>> from datetime import datetime, timedelta
    >>> limit = RateLimit(count=2, window=timedelta(hours=1))
    >>> limit.next_at([datetime(2026, 11, 20, 14, 30), datetime(2026, 11, 20, 14, 2)])
    datetime.datetime(2026, 11, 20, 15, 2)
    >>> limit.next_at([datetime(2026, 11, 20, 14, 30)]) is None
    True
    """

    count: int
    window: timedelta

    def since(self, now: datetime) -> datetime:
        """Return the beginning of the window that ends now."""
        return now - self.window

    def next_at(self, moments: Sequence[datetime]) -> datetime | None:
        """Return when the next may follow; None if that is now.

        `moments` are the last `count` within the window, newest first, or all if they are fewer.
        """
        return None if len(moments) < self.count else moments[-1] + self.window
