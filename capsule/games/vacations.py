"""Vacations, during which a player's clocks are stopped in every game."""

from capsule.accounts.model import Player
from capsule.context import Transaction
from capsule.errors import OutdatedAction, Refused
from capsule.games import player_queries
from capsule.games.clock import DAY, Vacation, beginning_of_year, current_vacation, days_to_take
from engine.game import message


class VacationRefused(Refused):
    """A vacation that cannot be taken; `message` says why."""


def vacation_of(transaction: Transaction, player: Player) -> tuple[Vacation | None, int]:
    """Return the player's current vacation, and the days that they may take from now on."""
    since = beginning_of_year(transaction.now)
    found = player_queries.vacations_of(transaction.connection, [player.id], since)
    taken = found.get(player.id, ())
    return current_vacation(taken, transaction.now), days_to_take(taken, transaction.now)


def limit(transaction: Transaction, player: Player) -> int:
    """Return the days that the player may take; raises `OutdatedAction` if they are away."""
    current, days = vacation_of(transaction, player)
    if current is not None:
        raise OutdatedAction
    return days


def take(transaction: Transaction, player: Player, typed: str) -> None:
    """Take as many days of vacation as the player typed, from now on.

    Raises `VacationRefused`, or `OutdatedAction` if the player is away already.
    """
    most = limit(transaction, player)
    days = int(typed) if typed.isdecimal() and len(typed) < 9 else 0
    if not most:
        raise VacationRefused(message("You have no vacation left this year"))
    if not 1 <= days <= most:
        raise VacationRefused(message("Type a whole number of days from 1 to {limit}", limit=most))
    vacation = Vacation(transaction.now, transaction.now + days * DAY)
    player_queries.add_vacation(transaction.connection, player.id, vacation)


def come_back(transaction: Transaction, player: Player) -> None:
    """End the player's current vacation; the days not used are kept for later."""
    player_queries.end_vacation(transaction.connection, player.id, transaction.now)
