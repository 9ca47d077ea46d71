"""The levels of each variant: how strong they are, how long they think, how they play in words."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import TYPE_CHECKING, TypeAlias

from engine.bots.handicaps import GlanceBot, RandomBot, WaveringBot
from engine.bots.mcts import SearchBot
from engine.bots.solvers.numeric import PerfectNumeric
from engine.bots.solvers.quantum import PerfectQuantum
from engine.bots.solvers.tinc import TincBot
from engine.game import Message, message

if TYPE_CHECKING:
    from collections.abc import Callable

    from engine.bots.bot import Bot

LEVELS: tuple[str, ...] = ("novice", "casual", "club", "expert", "master")
"""The levels of every variant, from the weakest to the strongest."""

MAX_SECONDS = 2.0
"""The longest that any level thinks of a move."""

_THROUGHOUT = 1000
"""More cells than any board has: a bot that misjudges moves does so throughout the game."""


@dataclass(frozen=True)
class Level:
    """An opponent: how to make its bot, the seconds that it may think, a line on how it plays."""

    make: Callable[[], Bot]
    seconds: float
    description: Message

    @cached_property
    def bot(self) -> Bot:
        """The bot, made when it is first asked for; it keeps what it learns of positions."""
        return self.make()


Levels: TypeAlias = "tuple[Level, Level, Level, Level, Level]"
"""A level for each of `LEVELS`, in their order."""


@cache
def perfect_numeric() -> PerfectNumeric:
    """Return the solver of numeric: one for all levels, which share what it learns."""
    return PerfectNumeric()


@cache
def perfect_quantum() -> PerfectQuantum:
    """Return the solver of quantum."""
    return PerfectQuantum()


def boards_bot(depth: int | None = None, noise: float | None = None, slips: float = 0.0) -> Bot:
    """Return a bot for ultimate and extreme, with its own defaults for what is None."""
    # Imported late, since it is compiled where that is possible: a process that only reads of
    # levels needs neither the time nor the memory that this takes.
    from engine.bots.local_boards.bot import BoardsBot  # noqa: PLC0415

    bot = BoardsBot(slips=slips)
    if depth is not None:
        bot = replace(bot, depth=depth)
    if noise is not None:
        bot = replace(bot, noise=noise, opening=_THROUGHOUT)
    return bot


TINC: Levels = (
    Level(
        lambda: TincBot(overlooks=0.93, forgets=0.9),
        0.5,
        message(
            "Hardly looks at your lines, and mostly forgets the edge: fill a line but for its "
            "two ends, and the game is likely yours."
        ),
    ),
    Level(
        lambda: TincBot(overlooks=0.82, forgets=0.65),
        0.5,
        message("Misses most of your lines, and forgets the edge more often than not."),
    ),
    Level(
        lambda: TincBot(overlooks=0.62, forgets=0.42),
        0.5,
        message("Sees a fair number of your lines, and forgets the edge two turns in five."),
    ),
    Level(
        lambda: TincBot(overlooks=0.32, forgets=0.14),
        0.5,
        message("Sees most of your lines, and forgets the edge one turn in seven: set many traps."),
    ),
    Level(
        TincBot,
        0.5,
        message(
            "Never loses, and sees every win. Remember the edge every turn, and you cannot lose "
            "either."
        ),
    ),
)

ULTIMATE: Levels = (
    Level(
        lambda: boards_bot(depth=1, noise=3.0, slips=0.6),
        0.5,
        message("Makes more than half of its moves without a thought, and never looks ahead."),
    ),
    Level(
        lambda: boards_bot(depth=1, noise=1.5, slips=0.25),
        0.5,
        message("Looks only at its own move, and makes every fourth without a thought."),
    ),
    Level(
        lambda: boards_bot(depth=2, noise=0.8, slips=0.05),
        0.5,
        message("Thinks of your reply to each of its moves, but judges boards roughly."),
    ),
    Level(
        lambda: boards_bot(depth=5, noise=0.3),
        1.0,
        message("Looks five moves ahead, and judges boards well."),
    ),
    Level(
        boards_bot,
        2.0,
        message("Looks as far ahead as two seconds allow: the best that we know how to make."),
    ),
)

NUMERIC: Levels = (
    Level(
        lambda: GlanceBot(ahead=1, overlooks=0.88),
        0.5,
        message("Plays nearly at random: it seldom sees a line of 15, and never looks for yours."),
    ),
    Level(
        lambda: GlanceBot(ahead=2, overlooks=0.34),
        0.5,
        message("Looks at its lines of 15 and at yours, one move ahead, and overlooks a third."),
    ),
    Level(
        lambda: GlanceBot(ahead=2, overlooks=0.07),
        0.5,
        message("Sees most lines of 15, yours and its own, one move ahead."),
    ),
    Level(
        lambda: WaveringBot(perfect_numeric(), GlanceBot(ahead=2, overlooks=0.05), 0.5),
        0.5,
        message("Plays every other move perfectly, the rest with one look at your replies."),
    ),
    Level(
        perfect_numeric,
        0.5,
        message(
            "Plays perfectly: as Odd it always wins, and as Even it loses only if you find "
            "every right move."
        ),
    ),
)

QUANTUM: Levels = (
    Level(
        lambda: GlanceBot(ahead=1, overlooks=0.93),
        0.5,
        message("Marks squares at random, and seldom sees the line that a measurement gives it."),
    ),
    Level(
        lambda: GlanceBot(ahead=1, overlooks=0.2),
        0.5,
        message(
            "Takes most of the lines that a measurement gives it, but marks squares without a plan."
        ),
    ),
    Level(
        lambda: GlanceBot(ahead=2, overlooks=0.02),
        0.5,
        message("Sees what you can do with your next mark, and nothing beyond."),
    ),
    Level(
        lambda: WaveringBot(perfect_quantum(), GlanceBot(ahead=2, overlooks=0.03), 0.44),
        0.5,
        message("Plays every other move perfectly, the rest with a short look ahead."),
    ),
    Level(
        perfect_quantum,
        0.5,
        message("Plays perfectly: as X it wins by half a point at least, however you reply."),
    ),
)

EXTREME: Levels = (
    Level(
        lambda: boards_bot(depth=1, noise=3.0, slips=0.6),
        0.5,
        message("Makes more than half of its moves without a thought, and never looks ahead."),
    ),
    Level(
        lambda: boards_bot(depth=1, noise=1.5, slips=0.25),
        0.5,
        message("Looks only at its own move, and makes every fourth without a thought."),
    ),
    Level(
        lambda: boards_bot(depth=2, noise=0.8, slips=0.05),
        0.5,
        message("Thinks of your reply to each of its moves, but judges boards roughly."),
    ),
    Level(
        lambda: boards_bot(depth=4, noise=0.3),
        1.0,
        message("Looks four moves ahead, and judges boards well."),
    ),
    Level(
        boards_bot,
        2.0,
        message("Looks as far ahead as two seconds allow: the best that we know how to make."),
    ),
)

ANY_VARIANT: Levels = (
    Level(
        lambda: WaveringBot(SearchBot(simulations=20), RandomBot(), 0.6),
        0.5,
        message("Plays more than half of its moves at random, and barely looks at the rest."),
    ),
    Level(
        lambda: WaveringBot(SearchBot(simulations=60), RandomBot(), 0.25),
        0.5,
        message("Plays every fourth move at random, and looks briefly at the others."),
    ),
    Level(
        lambda: WaveringBot(SearchBot(simulations=200), RandomBot(), 0.05),
        0.5,
        message("Imagines some two hundred games before it moves, and slips now and then."),
    ),
    Level(
        lambda: SearchBot(simulations=1000),
        1.0,
        message("Imagines up to a thousand games before it moves."),
    ),
    Level(
        SearchBot,
        2.0,
        message("Imagines as many games as two seconds allow."),
    ),
)
"""The levels of a variant that has no bots of its own: a search that needs only the rules."""
