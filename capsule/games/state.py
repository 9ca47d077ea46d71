"""The state of a game, as far as somebody who follows it needs to hear of its changes."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from capsule.games.model import StoredGame
    from capsule.games.status import GameStatus
    from engine import Side


class GameState(NamedTuple):
    """The state of a game; two states of one game are equal if nothing has happened in between."""

    turn_counter: int
    ply: int
    takebacks: int
    status: GameStatus
    draw_offered_by: Side | None
    takeback_asked_by: Side | None


def state_of(game: StoredGame) -> GameState:
    """Return the state of a game as it is stored."""
    return GameState(
        game.turn_counter,
        game.ply,
        game.takebacks,
        game.status,
        game.draw_offered_by,
        game.takeback_asked_by,
    )
