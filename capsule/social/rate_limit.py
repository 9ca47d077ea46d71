"""Limits on what a player does, and the keys of links that write a text under a game."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

import sqlalchemy as sa

from capsule.accounts.identity import NONE_YET, REMEMBERED
from capsule.accounts.model import Player
from capsule.accounts.pages.action import Attempt, Counter
from capsule.context import Transaction
from capsule.languages.time_zones import local_time
from capsule.social.model import StoredLine, StoredNote
from capsule.ui.user_text import TextOverLimit
from engine import Message
from engine.game import message


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

    def require(
        self, transaction: Transaction, player: Player, moments: sa.Select[datetime]
    ) -> None:
        """Raise `TextOverLimit` if a player's next text must wait; see `refusal`."""
        connection, now = transaction.connection, transaction.now
        require_allowed(self.refusal(connection, player, moments, now))


def require_allowed(reason: Message | None) -> None:
    """Raise `TextOverLimit` if there is a reason why a text cannot be written at present."""
    if reason is not None:
        raise TextOverLimit(reason)


def mute_refusal(player: Player, now: datetime) -> Message | None:
    """Return why a player whom the operator has muted can write nothing, None if they can."""
    muted_until = player.sanctions.muted_until
    if muted_until is None or not player.is_muted(now):
        return None
    until = local_time(muted_until, player.time_zone)
    return message("The operator has muted you until {when}", when=until)


@dataclass(frozen=True)
class TextsUnderGame(Counter):
    """The number of a player's last text of a kind under a game, which the next one raises.

    `subject_in` returns the subject of the keys in a game, and `last_by` a player's last texts
    there, up to a number of them, the newest first.
    """

    subject_in: Callable[[str], str]
    last_by: Callable[[sa.Connection, int, str, int], Sequence[StoredLine | StoredNote]]

    def subject(self, attempt: Attempt) -> str:
        """Return the subject of the keys."""
        return self.subject_in(attempt["game_id"])

    def count(self, transaction: Transaction, attempt: Attempt) -> int:
        """Return the number of the player's last text."""
        return self._numbers(transaction, attempt, 1)[0]

    def last_counts(self, transaction: Transaction, attempt: Attempt) -> Sequence[int]:
        """Return the numbers of the player's last texts, the newest first."""
        return self._numbers(transaction, attempt, REMEMBERED)

    def advance(self, transaction: Transaction, attempt: Attempt) -> None:
        """Do nothing: the text that was stored has a higher number."""

    def _numbers(self, transaction: Transaction, attempt: Attempt, limit: int) -> Sequence[int]:
        player = attempt.visitor.player
        if player is None:
            return [NONE_YET]
        found = self.last_by(transaction.connection, player.id, attempt["game_id"], limit)
        return [*(each.id for each in found), NONE_YET][:limit]
