"""What players tell the operator of those they play with; who is reported is not told."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capsule.accounts.actions import consume_action
from capsule.games.clock import DAY
from capsule.moderation import report_queries
from capsule.ui.time_zones import local_time
from capsule.ui.user_text import TextRefused, clean_line
from engine.game import message

if TYPE_CHECKING:
    from capsule.accounts.model import Player
    from capsule.context import AppContext
    from capsule.social.panel import Person


MAX_PER_DAY = 5
"""Reports that a player may make."""


def report(context: AppContext, player: Player, game_id: str, reported: Person, text: str) -> None:
    """Tell the operator what happened between a player and the opponent of a game.

    Raises `TextRefused` where the text is not fit or one too many, and `OutdatedAction` where the
    player has acted since `player` was read.
    """
    with context.database.writing() as connection:
        consume_action(connection, player)
        line = clean_line(text)
        now = context.clock()
        today = report_queries.reported_since(connection, player.id, now - DAY, MAX_PER_DAY)
        if len(today) == MAX_PER_DAY:
            raise TextRefused(
                message(
                    "In a day, {count} reports are the most: the next may follow on {when}",
                    count=MAX_PER_DAY,
                    when=local_time(today[-1] + DAY, player.time_zone),
                )
            )
        report_queries.add_report(
            connection,
            reporter_id=player.id,
            reported_id=reported.id,
            game_id=game_id,
            text=line,
            made_at=now,
        )
