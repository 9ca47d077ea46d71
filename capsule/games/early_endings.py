"""Endings by a player's decision: resigning, claiming a win on time, aborting the game.

The transaction holds the running game that is seen from the player's seat.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from capsule.errors import OutdatedAction, Refused
from capsule.games.finish import end
from capsule.games.status import Ending, EndReason
from engine.game import message

if TYPE_CHECKING:
    from capsule.context import Transaction
    from capsule.games.point_of_view import PointOfView


class NobodyToResignTo(Refused):
    """A game cannot be resigned yet; `message` says why."""


def resign(transaction: Transaction, view: PointOfView) -> None:
    """Resign the game to the opponent; in a solo game the side to move resigns.

    Raises `NobodyToResignTo` while the other seat is open.
    """
    if not view.may_resign:
        raise NobodyToResignTo(message("Nobody has the other seat yet. Abort the game instead"))
    end(transaction.connection, view.game, Ending.resignation(view.side))


def claim(transaction: Transaction, view: PointOfView) -> None:
    """Claim the win in a game in which the opponent has run out of time for a move."""
    if not view.may_claim:
        raise OutdatedAction
    end(transaction.connection, view.game, Ending.timeout(view.side.other))


def abort(transaction: Transaction, view: PointOfView) -> None:
    """Abort a game before its second move; nobody wins or loses by it."""
    if not view.game.stored.can_be_aborted:
        raise OutdatedAction
    is_playing = view.game.stored.is_playing
    reason = EndReason.ABORTED if is_playing else EndReason.WITHDRAWN
    end(transaction.connection, view.game, Ending.aborted(reason, view.side))
