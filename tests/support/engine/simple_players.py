"""Players by whom the novice is measured: one who plays at random, and one who takes a win."""

from engine.bots import Bot
from engine.bots.handicaps import GlanceBot, RandomBot
from tests.support.engine.careless_builders import CarelessBuilder


def who_plays_at_random() -> Bot:
    """Return a player of any variant."""
    return RandomBot()


def who_takes_a_win(variant: str) -> Bot:
    """Return a player of a variant who wins at once where that is possible, else plays at random.

    In tinc such a player never wins: the grid outgrows what chance builds. So there it also goes on
    with its longest line, every second turn.
    """
    return CarelessBuilder(whims=0.5) if variant == "tinc" else GlanceBot(ahead=1)
