"""Reporting a player to the operator; the player does not learn of it."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from capsule.accounts import player_queries
from capsule.moderation import report_queries
from capsule.moderation.model import NewReport, ReportedEvent
from capsule.social.model import Person
from capsule.social.rate_limit import RateLimit
from capsule.ui.user_text import TextOverLimit, clean_line
from engine.game import message

if TYPE_CHECKING:
    from capsule.accounts.model import Player
    from capsule.context import Transaction


DAILY_LIMIT = RateLimit(
    5, timedelta(days=1), message("You can make {count} reports a day. Try again on {when}")
)
"""Reports that a player may make."""


def person_called(transaction: Transaction, name: str) -> Person | None:
    """Return the player whose page has this name in its address, or None."""
    found = player_queries.player_by_name(transaction.connection, name)
    return None if found is None else Person(found.id, found.name)


def report(
    transaction: Transaction, player: Player, reported_id: int, event: ReportedEvent, text: str
) -> None:
    """Report another player to the operator, for something in a game, a tournament or a profile.

    Raises `TextRefused` if the text is unfit or the player has reported too often today.
    """
    connection, now = transaction.connection, transaction.now
    line = clean_line(text)
    reason = DAILY_LIMIT.refusal(connection, player, report_queries.times_by(player.id), now)
    if reason is not None:
        raise TextOverLimit(reason)
    report_queries.add_report(connection, NewReport(player.id, reported_id, event, line, now))
