"""What players tell the operator of those they play with; who is reported is not told."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capsule.clock import DAY
from capsule.seating import count_action
from capsule.store import reports as stored
from capsule.time_zones import moment
from capsule.typed import TextRefused, readable
from engine.game import message

if TYPE_CHECKING:
    from capsule.manners import Person
    from capsule.site import Site
    from capsule.store.players import Player

MOST_A_DAY = 5
"""Reports that a player may make."""


def report(site: Site, player: Player, game_id: str, reported: Person, text: str) -> None:
    """Tell the operator what happened between a player and the opponent of a game.

    Raises `TextRefused` where the text is not fit or one too many, and `OutdatedAction` where the
    player has acted since `player` was read.
    """
    with site.store.writing() as connection:
        count_action(connection, player)
        line = readable(text)
        now = site.clock()
        today = stored.reported_since(connection, player.id, now - DAY, MOST_A_DAY)
        if len(today) == MOST_A_DAY:
            raise TextRefused(
                message(
                    "In a day, {count} reports are the most: the next may follow on {when}",
                    count=MOST_A_DAY,
                    when=moment(today[-1] + DAY, player.time_zone),
                )
            )
        stored.add_report(
            connection,
            reporter_id=player.id,
            reported_id=reported.id,
            game_id=game_id,
            text=line,
            made_at=now,
        )
