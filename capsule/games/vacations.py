"""Vacations, during which a player's clocks are stopped in every game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capsule.accounts.actions import consume_action
from capsule.errors import OutdatedAction, Refused
from capsule.games import vacation_queries
from capsule.games.clock import DAY, Vacation, current_vacation, days_to_take
from engine.game import message

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import Connection

    from capsule.accounts.model import Player
    from capsule.context import AppContext


class VacationRefused(Refused):
    """A vacation that cannot be taken; `message` says why."""


def vacation_of(
    context: AppContext, connection: Connection, player: Player
) -> tuple[Vacation | None, int]:
    """Return the player's current vacation, and the days that they may take from now on."""
    now = context.clock()
    taken = _this_year(context, connection, player)
    return current_vacation(taken, now), days_to_take(taken, now)


def take(context: AppContext, player: Player, typed: str) -> None:
    """Take as many days of vacation as the player typed, from now on.

    Raises `VacationRefused`, or `OutdatedAction` if the player is away already or has acted
    meanwhile.
    """
    now = context.clock()
    with context.database.writing() as connection:
        consume_action(connection, player)
        taken = _this_year(context, connection, player)
        if current_vacation(taken, now) is not None:
            raise OutdatedAction
        limit = days_to_take(taken, now)
        days = int(typed) if typed.strip().isdecimal() and len(typed) < 9 else 0
        if not limit:
            raise VacationRefused(message("You have no vacation left this year"))
        if not 1 <= days <= limit:
            raise VacationRefused(
                message("Type a whole number of days from 1 to {limit}", limit=limit)
            )
        vacation_queries.add_vacation(connection, player.id, Vacation(now, now + days * DAY))


def come_back(context: AppContext, player: Player) -> None:
    """End the player's current vacation; the days not used are kept for later."""
    with context.database.writing() as connection:
        consume_action(connection, player)
        vacation_queries.end_vacation(connection, player.id, context.clock())


def _this_year(context: AppContext, connection: Connection, player: Player) -> Sequence[Vacation]:
    now = context.clock()
    begins = now.replace(month=1, day=1, hour=0, minute=0, second=0, microsecond=0)
    return vacation_queries.vacations_of(connection, [player.id], begins).get(player.id, ())
