"""Limits on what a player does: texts that others read, and seats taken."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from capsule.ui.time_zones import local_time
from engine.game import message

if TYPE_CHECKING:
    from datetime import datetime, timedelta

    from sqlalchemy import Connection, Select

    from capsule.accounts.model import Player
    from engine import Message


@dataclass(frozen=True)
class RateLimit:
    """At most `count` texts or seats of a player within any `window`.

    `reason` says so, with the fields `count` and `when` for the time of the next one.
    """

    count: int
    window: timedelta
    reason: Message

    def refusal(
        self, connection: Connection, player: Player, moments: Select[datetime], now: datetime
    ) -> Message | None:
        """Return why a player's next text or seat must wait, None if it may come now.

        `moments` selects the times of those so far, in its only column.
        """
        (moment,) = moments.selected_columns
        latest = moments.where(moment > now - self.window).order_by(moment.desc()).limit(self.count)
        found = connection.execute(latest).scalars().all()
        if len(found) < self.count:
            return None
        when = local_time(found[-1] + self.window, player.time_zone)
        return self.reason.filled(count=self.count, when=when)


def mute_refusal(player: Player, now: datetime) -> Message | None:
    """Return why a player whom the operator has muted can write nothing, None if they can."""
    muted_until = player.sanctions.muted_until
    if muted_until is None or not player.is_muted(now):
        return None
    until = local_time(muted_until, player.time_zone)
    return message("The operator has muted you until {when}", when=until)
