"""Bots of our own protocol, good and bad, for the tests of those who play them."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from engine.bots.bot import Choice

if TYPE_CHECKING:
    from random import Random

    from engine.game import Position


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
        time.sleep(60)
        raise AssertionError
