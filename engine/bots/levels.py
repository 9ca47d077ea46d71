"""One table of levels: how strong each is, how long it thinks, and what a player should know."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING

from engine.bots.handicaps import GlanceBot, WaveringBot
from engine.bots.solvers.numeric import PerfectNumeric
from engine.bots.solvers.quantum import PerfectQuantum
from engine.bots.solvers.tinc import TincBot
from engine.game import Message, message

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from engine.bots.bot import Bot

LEVELS: tuple[str, ...] = ("novice", "casual", "club", "expert", "master")
"""The levels of every variant, from the weakest to the strongest."""

_THROUGHOUT = 1000
"""More cells than any board has: a bot that misjudges moves does so throughout the game."""

LONGEST = 2.0
"""The most seconds that any level thinks."""


@dataclass(frozen=True)
class Level:
    """An opponent: its bot, the seconds that it may think, and a line on how it plays."""

    bot: Bot
    seconds: float
    description: Message


@cache
def level(variant: str, name: str) -> Level:
    """Return a level of a variant by their keys; the same one each time, with what it remembers.

    Raises `ValueError` where there is no such variant or level.
    """
    if variant not in _LEVELS:
        raise ValueError(f"There is no variant {variant!r}; there are {', '.join(_LEVELS)}")
    if name not in LEVELS:
        raise ValueError(f"There is no level {name!r}; there are {', '.join(LEVELS)}")
    make, seconds, description = _LEVELS[variant][LEVELS.index(name)]
    return Level(make(), seconds, description)


def warm() -> None:
    """Think over what takes long the first time, before anybody waits for it."""
    _perfect_numeric().warm()
    _perfect_quantum().warm()


def _boards(depth: int | None = None, noise: float | None = None, slips: float = 0.0) -> Bot:
    # Imported late, since it is compiled where that is possible: who only reads of levels needs
    # neither the time nor the memory that this takes.
    from engine.bots.local_boards.bot import BoardsBot  # noqa: PLC0415

    bot = BoardsBot(slips=slips)
    if depth is not None:
        bot = replace(bot, depth=depth)
    if noise is not None:
        bot = replace(bot, noise=noise, opening=_THROUGHOUT)
    return bot


@cache
def _perfect_numeric() -> PerfectNumeric:
    return PerfectNumeric()


@cache
def _perfect_quantum() -> PerfectQuantum:
    return PerfectQuantum()


_Row = tuple["Callable[[], Bot]", float, Message]

_LEVELS: Mapping[str, tuple[_Row, ...]] = {
    "tinc": (
        (
            lambda: TincBot(overlooks=0.93, forgets=0.9),
            0.5,
            message(
                "Hardly looks at your lines, and mostly forgets the edge: fill a line but for its "
                "two ends, and the game is likely yours."
            ),
        ),
        (
            lambda: TincBot(overlooks=0.82, forgets=0.65),
            0.5,
            message("Misses most of your lines, and forgets the edge more often than not."),
        ),
        (
            lambda: TincBot(overlooks=0.62, forgets=0.42),
            0.5,
            message("Sees a good part of your lines, and forgets the edge two times in five."),
        ),
        (
            lambda: TincBot(overlooks=0.32, forgets=0.14),
            0.5,
            message(
                "Sees most of your lines, and forgets the edge one time in seven: set many traps."
            ),
        ),
        (
            TincBot,
            0.5,
            message(
                "Never loses, and sees every win. Remember the edge every turn, and neither do you."
            ),
        ),
    ),
    "ultimate": (
        (
            lambda: _boards(depth=1, noise=3.0, slips=0.6),
            0.5,
            message("Makes more than half of its moves without a thought, and never looks ahead."),
        ),
        (
            lambda: _boards(depth=1, noise=1.5, slips=0.25),
            0.5,
            message("Looks at its own move alone, and makes every fourth without a thought."),
        ),
        (
            lambda: _boards(depth=2, noise=0.8, slips=0.05),
            0.5,
            message("Thinks of your reply to each of its moves, but judges boards roughly."),
        ),
        (
            lambda: _boards(depth=5, noise=0.3),
            1.0,
            message("Looks five moves ahead, and judges boards well."),
        ),
        (
            _boards,
            2.0,
            message("Looks as far ahead as two seconds allow: the best that we know how to make."),
        ),
    ),
    "numeric": (
        (
            lambda: GlanceBot(ahead=1, overlooks=0.88),
            0.5,
            message(
                "Plays nearly at random: it seldom sees a line of 15, and never looks for yours."
            ),
        ),
        (
            lambda: GlanceBot(ahead=2, overlooks=0.34),
            0.5,
            message(
                "Looks at its lines of 15 and at yours, one move ahead, and overlooks a third."
            ),
        ),
        (
            lambda: GlanceBot(ahead=2, overlooks=0.07),
            0.5,
            message("Sees most lines of 15, yours and its own, one move ahead."),
        ),
        (
            lambda: WaveringBot(_perfect_numeric(), GlanceBot(ahead=2, overlooks=0.05), 0.5),
            0.5,
            message("Plays every other move perfectly, the rest with one look at your replies."),
        ),
        (
            _perfect_numeric,
            0.5,
            message(
                "Plays perfectly: as Odd it always wins, and as Even it loses only if you find "
                "every right move."
            ),
        ),
    ),
    "quantum": (
        (
            lambda: GlanceBot(ahead=1, overlooks=0.93),
            0.5,
            message(
                "Marks squares at random, and seldom sees the line that a measurement gives it."
            ),
        ),
        (
            lambda: GlanceBot(ahead=1, overlooks=0.2),
            0.5,
            message(
                "Takes most lines that a measurement gives it, but marks squares without a plan."
            ),
        ),
        (
            lambda: GlanceBot(ahead=2, overlooks=0.02),
            0.5,
            message("Sees what you can do with your next mark, and nothing beyond."),
        ),
        (
            lambda: WaveringBot(_perfect_quantum(), GlanceBot(ahead=2, overlooks=0.03), 0.44),
            0.5,
            message("Plays every other move perfectly, the rest with a short look ahead."),
        ),
        (
            _perfect_quantum,
            0.5,
            message("Plays perfectly: as X it wins by half a point at least, however you reply."),
        ),
    ),
    "extreme": (
        (
            lambda: _boards(depth=1, noise=3.0, slips=0.6),
            0.5,
            message("Makes more than half of its moves without a thought, and never looks ahead."),
        ),
        (
            lambda: _boards(depth=1, noise=1.5, slips=0.25),
            0.5,
            message("Looks at its own move alone, and makes every fourth without a thought."),
        ),
        (
            lambda: _boards(depth=2, noise=0.8, slips=0.05),
            0.5,
            message("Thinks of your reply to each of its moves, but judges boards roughly."),
        ),
        (
            lambda: _boards(depth=4, noise=0.3),
            1.0,
            message("Looks four moves ahead, and judges boards well."),
        ),
        (
            _boards,
            2.0,
            message("Looks as far ahead as two seconds allow: the best that we know how to make."),
        ),
    ),
}
