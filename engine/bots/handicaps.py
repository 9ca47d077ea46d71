"""Bots that play as people do: they look a little ahead, overlook things, and have weak moments."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.bots.bot import Bot, Choice

if TYPE_CHECKING:
    from random import Random

    from engine.game import Outcome, Position, Side


@dataclass(frozen=True)
class GlanceBot:
    """Looks a few moves ahead, and on any sure result prefers the better; else it plays at random.

    It plays every variant whose moves are few enough to be gone through. `ahead` is how many moves
    it looks ahead, 1 being its own; a move that leaves the choice between two does not count.
    `overlooks` is how likely it is to overlook a move, at each place where it thinks of one.
    """

    ahead: int
    overlooks: float = 0.0

    def choose(self, position: Position, seconds: float, chance: Random) -> Choice:  # noqa: ARG002 - its depth is its limit
        """Return a move that looks best at a glance; `chance` decides between equal ones.

        Raises `ValueError` for a position that is over.
        """
        if position.outcome is not None:
            raise ValueError("The game is over: there is no move to choose")
        moves = list(position.legal_moves())
        chance.shuffle(moves)
        judged = {move: self._judged(position, move, self.ahead, chance) for move in moves}
        move = max(moves, key=judged.__getitem__)
        return Choice(move, judged[move])

    def _judged(self, position: Position, move: str, ahead: int, chance: Random) -> float:
        """Return what a move promises the side that makes it, from 0 to 1."""
        if self.overlooks and chance.random() < self.overlooks:
            return 0.5
        after = position.play(move)
        if after.outcome is not None:
            return _result(after.outcome, position.turn)
        moves = tuple(after.legal_moves())
        left = ahead - (len(moves) > 2)
        if left <= 0:
            return 0.5
        best = 0.0
        for reply in moves:
            best = max(best, self._judged(after, reply, left, chance))
            if best == 1.0:
                break
        return best if after.turn is position.turn else 1 - best


@dataclass(frozen=True)
class WaveringBot:
    """Plays like `better`, but with probability `wavers` makes a move like `worse`."""

    better: Bot
    worse: Bot
    wavers: float

    def choose(self, position: Position, seconds: float, chance: Random) -> Choice:
        """Return the choice of one of the two."""
        bot = self.worse if chance.random() < self.wavers else self.better
        return bot.choose(position, seconds, chance)


def _result(outcome: Outcome, side: Side) -> float:
    x, o = outcome.points
    return (1 + x - o) / 2 if side.value == "X" else (1 + o - x) / 2
