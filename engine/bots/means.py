"""The means of bots: the clock that counts their seconds, and memory."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from time import monotonic, process_time
from typing import Protocol, TypeAlias, runtime_checkable

from engine.bots.bot import Bot

Clock: TypeAlias = Callable[[], float]
"""Returns seconds that never go back, from wherever they are counted."""


class Timepiece(Enum):
    """The two clocks, each of them a `Clock`."""

    WALL = "wall"
    """The time of the wall clock."""

    PROCESSOR = "processor"
    """Processor time of this process, in all of its threads: the same number of seconds
    is the same amount of work, whatever else the machine does."""

    def __call__(self) -> float:
        """Return the seconds that it shows."""
        return monotonic() if self is Timepiece.WALL else process_time()


@dataclass(frozen=True)
class Means:
    """The means that a bot may think with.

    `clock` counts the seconds that it is given for a move. `memory` is how many megabytes its tree
    of moves may take, if it has one; None leaves it to the bot.
    """

    clock: Clock = Timepiece.WALL
    memory: float | None = None


@runtime_checkable
class Equippable(Protocol):
    """A bot that can be given means, since it observes limits of time or memory."""

    def with_means(self, means: Means) -> Bot:
        """Return a bot that plays like this one by these means."""


def equipped(bot: Bot, means: Means) -> Bot:
    """Return a bot with these means, or itself if it has no use for any."""
    return bot.with_means(means) if isinstance(bot, Equippable) else bot
