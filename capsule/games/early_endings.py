"""Endings by a player's decision: resigning, claiming a win on time, aborting the game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capsule.errors import OutdatedAction, Refused
from capsule.games.finish import end
from capsule.games.reading import player_action
from capsule.games.status import Ending, EndReason
from engine.game import message

if TYPE_CHECKING:
    from capsule.accounts.model import Player
    from capsule.context import AppContext


class NobodyToResignTo(Refused):
    """A game cannot be resigned yet; `message` says why."""


def resign(context: AppContext, player: Player, game_id: str, turn_counter: int) -> None:
    """Resign the game to the opponent; in a solo game the side to move resigns.

    Raises `NobodyToResignTo` while the other seat is open.
    """
    with player_action(context, player, game_id, turn_counter) as (connection, view):
        if not view.may_resign:
            raise NobodyToResignTo(message("Nobody has the other seat yet. Abort the game instead"))
        end(connection, view.game, Ending.resignation(view.side))


def claim(context: AppContext, player: Player, game_id: str, turn_counter: int) -> None:
    """Claim the win in a game in which the opponent has run out of time for a move."""
    with player_action(context, player, game_id, turn_counter) as (connection, view):
        if not view.may_claim:
            raise OutdatedAction
        end(connection, view.game, Ending.timeout(view.side.other))


def abort(context: AppContext, player: Player, game_id: str, turn_counter: int) -> None:
    """Abort a game before its second move; nobody wins or loses by it."""
    with player_action(context, player, game_id, turn_counter) as (connection, view):
        if not view.game.stored.can_be_aborted:
            raise OutdatedAction
        is_playing = view.game.stored.is_playing
        reason = EndReason.ABORTED if is_playing else EndReason.WITHDRAWN
        end(connection, view.game, Ending.aborted(reason, view.side))
