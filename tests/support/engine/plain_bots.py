"""Good and bad bots of our own protocol, for the tests of what plays them."""

import time
from random import Random

from engine import Position
from engine.bots.bot import Choice
from engine.bots.means import Clock, Means, Timepiece


class FirstMove:
    """Plays the first move that there is."""

    def choose(self, position: Position, seconds: float, rng: Random) -> Choice:
        return Choice(next(iter(position.legal_moves())), 0.5, simulations=1)


class AnyMove:
    """Plays any move at all."""

    def choose(self, position: Position, seconds: float, rng: Random) -> Choice:
        return Choice(rng.choice(list(position.legal_moves())), 0.5, simulations=2)


class Stubborn:
    def choose(self, position: Position, seconds: float, rng: Random) -> Choice:
        return Choice("e5", 0.5)


class Wordless:
    def choose(self, position: Position, seconds: float, rng: Random) -> str:
        return "e5"


class Sleepy:
    def choose(self, position: Position, seconds: float, rng: Random) -> Choice:
        time.sleep(600)
        raise AssertionError


class Spins:
    """Never stops thinking, and never lets its process rest."""

    def choose(self, position: Position, seconds: float, rng: Random) -> Choice:
        while True:
            pass


class Minds:
    """Thinks until the clock that it was given says that its seconds are over."""

    def __init__(self, clock: Clock = Timepiece.WALL) -> None:
        self.clock = clock

    def with_means(self, means: Means) -> "Minds":
        return Minds(means.clock)

    def choose(self, position: Position, seconds: float, rng: Random) -> Choice:
        until = self.clock() + seconds
        while self.clock() < until:
            pass
        return FirstMove().choose(position, seconds, rng)
