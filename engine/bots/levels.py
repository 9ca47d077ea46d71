"""The levels of each variant: how strong they are, how long they think, how they play in words."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property
from typing import TYPE_CHECKING, TypeAlias

from engine.bots.handicaps import (
    BewilderedBot,
    GlanceBot,
    IndulgentBot,
    RandomBot,
    WaveringBot,
)
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


@dataclass(frozen=True)
class Level:
    """An opponent: how to make its bot, how it plays, and the seconds that it may think.

    The description goes on where the bot has been named: "the club bot: thinks of your reply".
    `make_judge` makes the bot that judges positions for it, if its own leaves something to luck.
    """

    make: Callable[[], Bot]
    description: Message
    make_judge: Callable[[], Bot] | None = None
    seconds: float = 0.5

    @cached_property
    def bot(self) -> Bot:
        """The bot, made when it is first asked for; it keeps what it learns of positions."""
        return self.make()

    @cached_property
    def judge(self) -> Bot:
        """The bot whose judgement of positions is the level's own; of moves, it picks the best."""
        return self.bot if self.make_judge is None else self.make_judge()


Levels: TypeAlias = "tuple[Level, Level, Level, Level, Level]"
"""A level for each of `LEVELS`, in their order."""


@cache
def perfect_numeric() -> PerfectNumeric:
    """Return the solver of numeric that plays: one for all levels, which share what it learns."""
    return PerfectNumeric(varies=True)


@cache
def perfect_quantum() -> PerfectQuantum:
    """Return the solver of quantum."""
    return PerfectQuantum()


def boards_bot(
    depth: int | None = None,
    noise: float = 0.0,
    slips: float = 0.0,
    *,
    varies: bool = False,
) -> Bot:
    """Return a bot for ultimate and extreme, as `BoardsBot` says."""
    # Imported late, since it is compiled if that is possible: a process that only reads of levels
    # needs neither the time nor the memory that this takes.
    from engine.bots.local_boards.bot import BoardsBot  # noqa: PLC0415

    return BoardsBot(depth=depth, noise=noise, slips=slips, varies=varies)


def boards_level(
    description: Message,
    depth: int,
    noise: float,
    slips: float = 0.0,
    seconds: float = Level.seconds,
) -> Level:
    """Return a level of `boards_bot`, which judges positions without its noise and slips."""
    return Level(
        lambda: boards_bot(depth, noise, slips),
        description,
        lambda: boards_bot(depth),
        seconds,
    )


def bewildered_level(bewildered: Bot, few: int) -> Level:
    """Return the lowest level of a game on local boards, as `BewilderedBot` says."""
    return Level(
        lambda: BewilderedBot(GlanceBot(ahead=1), bewildered, few),
        message("plays most moves without a thought"),
        lambda: boards_bot(depth=1),
    )


def search_level(description: Message, simulations: int, wavers: float) -> Level:
    """Return a level of a search that makes random moves with a probability."""
    return Level(
        lambda: WaveringBot(SearchBot(simulations=simulations), RandomBot(), wavers),
        description,
        lambda: SearchBot(simulations=simulations),
    )


def boards_master() -> Level:
    """Return the highest level of a game on local boards."""
    return Level(
        lambda: boards_bot(varies=True),
        message("looks as far as two seconds allow"),
        boards_bot,
        seconds=2.0,
    )


TINC: Levels = (
    Level(lambda: TincBot(overlooks=0.93, forgets=0.9), message("hardly looks at your lines")),
    Level(lambda: TincBot(overlooks=0.82, forgets=0.65), message("misses most of your lines")),
    Level(
        lambda: TincBot(overlooks=0.62, forgets=0.42), message("sees a fair number of your lines")
    ),
    Level(lambda: TincBot(overlooks=0.32, forgets=0.14), message("sees most of your lines")),
    Level(TincBot, message("sees every win, and never loses")),
)

ULTIMATE: Levels = (
    bewildered_level(IndulgentBot(), few=4),
    boards_level(message("looks only at its own move"), depth=1, noise=1.5, slips=0.4),
    boards_level(message("thinks of your reply"), depth=2, noise=0.8, slips=0.05),
    boards_level(message("looks five moves ahead"), depth=5, noise=0.3, seconds=1.0),
    boards_master(),
)

NUMERIC: Levels = (
    Level(lambda: GlanceBot(ahead=1, overlooks=0.86), message("plays nearly at random")),
    Level(lambda: GlanceBot(ahead=2, overlooks=0.34), message("overlooks every third line of 15")),
    Level(lambda: GlanceBot(ahead=2, overlooks=0.07), message("sees most lines of 15")),
    Level(
        lambda: WaveringBot(perfect_numeric(), GlanceBot(ahead=2, overlooks=0.05), 0.5),
        message("plays every other move perfectly"),
        perfect_numeric,
    ),
    Level(perfect_numeric, message("plays perfectly, and wins as Odd"), PerfectNumeric),
)

QUANTUM: Levels = (
    Level(lambda: GlanceBot(ahead=1, overlooks=0.78), message("marks cells at random")),
    Level(lambda: GlanceBot(ahead=1, overlooks=0.15), message("takes lines, but has no plan")),
    Level(lambda: GlanceBot(ahead=2, overlooks=0.02), message("sees what you can do next")),
    Level(
        lambda: WaveringBot(perfect_quantum(), GlanceBot(ahead=2, overlooks=0.03), 0.44),
        message("plays every other move perfectly"),
        perfect_quantum,
    ),
    Level(perfect_quantum, message("plays perfectly, and wins as X")),
)

EXTREME: Levels = (
    bewildered_level(RandomBot(), few=5),
    boards_level(message("looks at every third of its moves"), depth=1, noise=1.5, slips=0.65),
    boards_level(message("mostly thinks of your reply"), depth=2, noise=0.8, slips=0.25),
    boards_level(message("looks four moves ahead"), depth=4, noise=0.3, seconds=1.0),
    boards_master(),
)

ANY_VARIANT: Levels = (
    search_level(message("plays mostly at random"), simulations=20, wavers=0.6),
    search_level(message("plays every fourth move at random"), simulations=60, wavers=0.25),
    search_level(message("imagines some two hundred games"), simulations=200, wavers=0.05),
    Level(
        lambda: SearchBot(simulations=1000), message("imagines up to a thousand games"), seconds=1.0
    ),
    Level(SearchBot, message("imagines all that two seconds allow"), seconds=2.0),
)
"""The levels of a variant that has no bots of its own: a search that needs only the rules."""
