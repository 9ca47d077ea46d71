"""Reporting a player to the operator; the player does not learn of it."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from capsule.accounts import player_queries
from capsule.accounts.actions import consume_action
from capsule.moderation import report_queries
from capsule.moderation.model import NewReport, ReportedEvent
from capsule.social.model import Person
from capsule.social.rate_limit import RateLimit
from capsule.ui.user_text import TextOverLimit, clean_line, visible_line
from engine.game import message

if TYPE_CHECKING:
    from capsule.accounts.model import Player
    from capsule.context import AppContext


DAILY_LIMIT = RateLimit(
    5, timedelta(days=1), message("You can make {count} reports a day. Try again on {when}")
)
"""Reports that a player may make."""


def is_last_report(
    context: AppContext, player: Player, reported_id: int, event: ReportedEvent, text: str
) -> bool:
    """Return whether the player's last report says just that about another, or a tournament."""
    with context.database.reading() as connection:
        last = report_queries.last_report_by(connection, player.id)
    if last is None:
        return False
    said = (last.reported_id, last.event, last.text)
    return said == (reported_id, event, visible_line(text))


def person_called(context: AppContext, name: str) -> Person | None:
    """Return the player whose page has this name in its address, or None."""
    with context.database.reading() as connection:
        found = player_queries.player_by_name(connection, name)
    return None if found is None else Person(found.id, found.name)


def report(
    context: AppContext, player: Player, reported_id: int, event: ReportedEvent, text: str
) -> None:
    """Report another player to the operator, for something in a game, a tournament or a profile.

    Raises `TextRefused` if the text is unfit or the player has reported too often today, and
    `OutdatedAction` if the player has acted since `player` was read.
    """
    with context.database.writing() as connection:
        consume_action(connection, player)
        line = clean_line(text)
        now = context.clock()
        reason = DAILY_LIMIT.refusal(connection, player, report_queries.times_by(player.id), now)
        if reason is not None:
            raise TextOverLimit(reason)
        report_queries.add_report(connection, NewReport(player.id, reported_id, event, line, now))
