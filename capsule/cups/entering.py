"""Entering cups, and reading them."""

from datetime import datetime

import sqlalchemy as sa

from capsule.accounts.model import Player
from capsule.accounts.queries import blocked_ids
from capsule.context import Transaction
from capsule.cups import queries
from capsule.cups.model import Cup, CupStatus
from capsule.errors import OutdatedAction, OverLimit
from capsule.games.eligibility import is_eligible
from capsule.games.player_queries import MAX_IN_CUP_GROUP
from capsule.tournaments.actions import require_room
from engine import Message
from engine.game import message

MAX_AHEAD = 3
"""The number of cups ahead that are read: one is open, and one is to come."""

PROGRAMS_MAY_NOT = message("A cup is for people. Programs may not enter")
NOT_ELIGIBLE = message(
    "To enter, first finish a game against a person, or three against bots. You can enter a day "
    "after you first played here"
)
BLOCKED = message(
    "You cannot play against one of its entrants, since one of you has blocked the other"
)


def open_cup(connection: sa.Connection, now: datetime) -> Cup | None:
    """Return the cup that may be entered at a time, or None."""
    found = queries.cups_with(connection, (CupStatus.ENTERING,), MAX_AHEAD)
    return next((cup for cup in found if cup.may_be_entered(now)), None)


def cup_entered(connection: sa.Connection, player: Player, now: datetime) -> Cup | None:
    """Return the cup that has not begun and that a player has entered, or None."""
    entered = queries.cups_entered_ahead(connection, player.id, MAX_AHEAD)
    return next((cup for cup in entered if cup.may_be_left(now)), None)


def obstacle(connection: sa.Connection, player: Player, cup: Cup, now: datetime) -> Message | None:
    """Return why a player may not enter a cup, or None if they may."""
    if player.is_program:
        return PROGRAMS_MAY_NOT
    if not is_eligible(connection, player, now):
        return NOT_ELIGIBLE
    blocked = blocked_ids(connection, player.id)
    if blocked and queries.have_entered(connection, cup.month, blocked):
        return BLOCKED
    try:
        require_room(connection, player, MAX_IN_CUP_GROUP, MAX_IN_CUP_GROUP, None)
    except OverLimit as error:
        return error.message
    return None


def enter(transaction: Transaction, player: Player) -> None:
    """Enter a player into the cup whose entry is open.

    Raises `OverLimit` if they may not enter at present, or `OutdatedAction` if no entry is open or
    the player is entered already.
    """
    connection, now = transaction.connection, transaction.now
    found = open_cup(connection, now)
    cup = found and queries.cup_of(connection, found.month, to_change=True)
    if cup is None or not cup.may_be_entered(now):
        raise OutdatedAction
    if queries.have_entered(connection, cup.month, [player.id]):
        raise OutdatedAction
    reason = obstacle(connection, player, cup, now)
    if reason is not None:
        raise OverLimit(reason)
    queries.add_entries(connection, cup.month, [player.id], now)


def leave(transaction: Transaction, player: Player) -> None:
    """Take back a player's entry to a cup that has not begun; raises `OutdatedAction`."""
    connection, now = transaction.connection, transaction.now
    found = cup_entered(connection, player, now)
    cup = found and queries.cup_of(connection, found.month, to_change=True)
    if cup is None or not cup.may_be_left(now):
        raise OutdatedAction
    queries.remove_entries(connection, cup.month, [player.id])
