"""Limits on how much players write and offer, and the operator's mute."""

from dataclasses import dataclass
from datetime import datetime, timedelta

import sqlalchemy as sa

from capsule.accounts.model import Player
from capsule.context import Transaction
from capsule.languages.time_zones import local_time
from capsule.ui.user_text import TextOverLimit
from engine import Message, message


@dataclass(frozen=True)
class RateLimit:
    """At most `count` texts or seats of a player within any `window`.

    `reason` says so, with the fields `count` and `when` for the time of the next one.
    """

    count: int
    window: timedelta
    reason: Message

    def refusal(
        self, connection: sa.Connection, player: Player, moments: sa.Select[datetime], now: datetime
    ) -> Message | None:
        """Return why a player's next text or seat must wait, or None.

        `moments` selects the times of those so far, in its only column.
        """
        (moment,) = moments.selected_columns
        latest = moments.where(moment > now - self.window).order_by(moment.desc()).limit(self.count)
        found = connection.execute(latest).scalars().all()
        if len(found) < self.count:
            return None
        when = local_time(found[-1] + self.window, player.settings.time_zone)
        return self.reason.filled(count=self.count, when=when)

    def require(
        self, transaction: Transaction, player: Player, moments: sa.Select[datetime]
    ) -> None:
        """Raise `TextOverLimit` if a player's next text must wait; see `refusal`."""
        require_allowed(self.refusal(transaction.connection, player, moments, transaction.now))


def require_allowed(reason: Message | None) -> None:
    """Raise `TextOverLimit` if there is a reason why a text cannot be written at present."""
    if reason is not None:
        raise TextOverLimit(reason)


def mute_refusal(player: Player, now: datetime) -> Message | None:
    """Return why a player whom the operator has muted can write nothing, None if they can."""
    muted_until = player.sanctions.muted_until
    if muted_until is None or not player.is_muted(now):
        return None
    until = local_time(muted_until, player.settings.time_zone)
    return message("The operator has muted you until {when}", when=until)
