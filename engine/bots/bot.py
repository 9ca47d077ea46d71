"""The protocol of bots: choose a move in a position, and say how good the position is."""

from dataclasses import dataclass
from random import Random
from typing import Protocol

from engine.game import Position
from engine.messages import Message


@dataclass(frozen=True)
class Choice:
    """A move and what the bot knows of it.

    `win_probability` is what the side to move may expect of the game, from 0 (lost) to 1 (won), as
    `Outcome.value_for` counts it: a draw is half a win. `is_exact` says that it is proven and no
    estimate. `reason` says why this move, if the bot can say, in words that continue from the move
    ("blocks 15 in row 2"); `simulations` counts what it tried out.
    """

    move: str
    win_probability: float
    is_exact: bool = False
    reason: Message | None = None
    simulations: int = 0


class Bot(Protocol):
    """Chooses moves. A bot stores no game, but it may store what it learned of positions."""

    def choose(self, position: Position, seconds: float, rng: Random) -> Choice:
        """Return a legal move of a position that is not over.

        `seconds` is how long it may think; a bot that needs no search may answer at once. All that
        it leaves to luck it takes from `rng`, so that the same seed plays the same game unless time
        decides.
        """


def require_running(position: Position) -> None:
    """Raise `ValueError` for a position that is over."""
    if position.outcome is not None:
        raise ValueError("The game is over: there is no move to choose")
