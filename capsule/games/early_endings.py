"""Endings that a player brings about: resigning, claiming a win on time, calling a game off."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capsule.errors import OutdatedAction
from capsule.games.finish import end, ending_of, win_of
from capsule.games.reading import load_for_action
from capsule.games.status import ABORTED, PLAYING, RESIGNED, TIMED_OUT

if TYPE_CHECKING:
    from capsule.accounts.model import Player
    from capsule.context import AppContext


def resign(context: AppContext, player: Player, game_id: str, turn_counter: int) -> None:
    """Give the game to the opponent; in a solo game the side to move gives up."""
    with context.database.writing() as connection:
        game = load_for_action(context, connection, game_id, turn_counter)
        side = game.side_acting_for(player)
        if side is None or game.stored.status != PLAYING:
            raise OutdatedAction
        end(connection, game, ending_of(RESIGNED, *win_of(side.other)))


def claim(context: AppContext, player: Player, game_id: str, turn_counter: int) -> None:
    """Win a game in which the opponent's time for a move is up."""
    with context.database.writing() as connection:
        game = load_for_action(context, connection, game_id, turn_counter)
        if not game.may_claim(player):
            raise OutdatedAction
        end(connection, game, ending_of(TIMED_OUT, *win_of(game.position.turn.other)))


def abort(context: AppContext, player: Player, game_id: str, turn_counter: int) -> None:
    """Call off a game before its second move; nobody wins or loses by it."""
    with context.database.writing() as connection:
        game = load_for_action(context, connection, game_id, turn_counter)
        if not game.seats_of(player) or not game.can_be_aborted:
            raise OutdatedAction
        end(connection, game, {"status": ABORTED})
