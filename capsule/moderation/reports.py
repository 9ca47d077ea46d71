"""Reporting an opponent to the operator; the opponent does not learn of it."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from capsule.accounts.actions import consume_action
from capsule.moderation import report_queries
from capsule.moderation.model import NewReport
from capsule.social.rate_limit import RateLimit
from capsule.ui.user_text import TextRefused, clean_line
from engine.game import message

if TYPE_CHECKING:
    from capsule.accounts.model import Player
    from capsule.context import AppContext
    from capsule.social.model import Person


DAILY_LIMIT = RateLimit(
    5, timedelta(days=1), message("You can make {count} reports a day; try again on {when}")
)
"""Reports that a player may make."""


def report(context: AppContext, player: Player, game_id: str, reported: Person, text: str) -> None:
    """Report the player's opponent in a game to the operator.

    Raises `TextRefused` if the text is not fit or the player has reported too often today, and
    `OutdatedAction` if the player has acted since `player` was read.
    """
    with context.database.writing() as connection:
        consume_action(connection, player)
        line = clean_line(text)
        now = context.clock()
        reason = DAILY_LIMIT.refusal(connection, player, report_queries.times_by(player.id), now)
        if reason is not None:
            raise TextRefused(reason)
        report_queries.add_report(connection, NewReport(player.id, reported.id, game_id, line, now))
