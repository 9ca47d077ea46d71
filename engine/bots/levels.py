"""The levels of each variant: how strong they are, how long they think, how they play in words."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from typing import TypeAlias

from engine.bots.bot import Bot
from engine.bots.handicaps import BewilderedBot, GlanceBot, IndulgentBot, RandomBot, WaveringBot
from engine.bots.mcts import SearchBot
from engine.bots.solvers.numeric import PerfectNumeric
from engine.bots.solvers.quantum import PerfectQuantum
from engine.bots.solvers.tinc import TincBot
from engine.messages import Message, Words, in_context, plural_in_context

LEVELS: tuple[str, ...] = (
    "novice",
    "novice-plus",
    "casual",
    "casual-plus",
    "club",
    "club-plus",
    "expert",
    "expert-plus",
    "master",
)
"""The names of levels, from the weakest to the strongest; a variant has five of them or more."""

MAIN_LEVELS: tuple[str, ...] = ("novice", "casual", "club", "expert", "master")
"""The levels that every variant has; the others stand between two whose step would be too large."""

MAX_SECONDS = 2.0
"""The longest that any level thinks of a move."""


@dataclass(frozen=True)
class Level:
    """An opponent: how to make its bot, how it plays, and the seconds that it may think.

    The description follows the name of the bot: "Club bot, 1212: thinks of your reply".
    `make_judge` makes the bot that judges positions for it, if its own leaves something to luck.
    """

    make: Callable[[], Bot]
    description: Message
    make_judge: Callable[[], Bot] | None = None
    seconds: float = 0.5

    @cached_property
    def bot(self) -> Bot:
        """The bot, made on first use; it stores what it learns of positions."""
        return self.make()

    @cached_property
    def judge(self) -> Bot:
        """The bot whose judgement of positions is the level's own; of moves, it picks the best."""
        return self.bot if self.make_judge is None else self.make_judge()


Levels: TypeAlias = Mapping[str, Level]
"""The levels of a variant by their names, from the weakest to the strongest."""


_NAMES: Mapping[str, Message] = {
    # Translators: the levels of bots, as in “the club bot”.
    "novice": in_context("a level of bots", "novice"),
    "novice-plus": in_context("a level of bots", "novice+"),
    "casual": in_context("a level of bots", "casual"),
    "casual-plus": in_context("a level of bots", "casual+"),
    "club": in_context("a level of bots", "club"),
    "club-plus": in_context("a level of bots", "club+"),
    "expert": in_context("a level of bots", "expert"),
    "expert-plus": in_context("a level of bots", "expert+"),
    "master": in_context("a level of bots", "master"),
}
"""The names of the levels in words."""


@cache
def level_label(name: str) -> Words:
    """Return the name of a level as people read it; a plug-in's own level is called as it is.

    >>> level_label("club"), level_label("club-plus"), level_label("grandmaster")
    ('club', 'club+', 'grandmaster')
    """
    return Words(_NAMES.get(name) or Message(name.replace("-plus", "+"), context="a level of bots"))


@cache
def perfect_numeric() -> PerfectNumeric:
    """Return the solver of numeric that plays: one for all levels, which share what it learns."""
    return PerfectNumeric(varies=True)


@cache
def perfect_quantum() -> PerfectQuantum:
    """Return the solver of quantum."""
    return PerfectQuantum()


def boards_bot(
    *,
    depth: int | None = None,
    nodes: int | None = None,
    noise: float = 0.0,
    slips: float = 0.0,
    varies: bool = False,
) -> Bot:
    """Return a bot for ultimate and extreme, as `BoardsBot` says; None is no limit."""
    # Imported late, since it is compiled if that is possible: a process that only reads of levels
    # needs neither the time nor the memory that this takes.
    from engine.bots.local_boards.bot import UNLIMITED, BoardsBot  # noqa: PLC0415

    return BoardsBot(
        UNLIMITED if nodes is None else nodes, depth, noise=noise, slips=slips, varies=varies
    )


def shallow_level(
    description: Message,
    depth: int,
    noise: float,
    slips: float = 0.0,
    seconds: float = Level.seconds,
) -> Level:
    """Return a level of `boards_bot` that looks some moves ahead, and judges without its errors."""
    return Level(
        lambda: boards_bot(depth=depth, noise=noise, slips=slips),
        description,
        lambda: boards_bot(depth=depth),
        seconds,
    )


def deep_level(description: Message, nodes: int, slips: float = 0.0) -> Level:
    """Return a level of `boards_bot` that looks into as many positions a move on any machine."""
    return Level(
        lambda: boards_bot(nodes=nodes, slips=slips, varies=True),
        description,
        lambda: boards_bot(nodes=nodes),
        MAX_SECONDS,
    )


def bewildered_level(bewildered: Bot, few: int) -> Level:
    """Return the lowest level of a game on local boards, as `BewilderedBot` says."""
    return Level(
        lambda: BewilderedBot(GlanceBot(ahead=1), bewildered, few),
        # Translators: a few words after the name of a bot: “Club bot, 1212: thinks of your reply”.
        in_context("how a bot plays", "mostly plays without a thought"),
        lambda: boards_bot(depth=1),
    )


def search_level(description: Message, simulations: int, wavers: float) -> Level:
    """Return a level of a search that makes random moves with a probability."""
    return Level(
        lambda: WaveringBot(SearchBot(simulations=simulations), RandomBot(), wavers),
        description,
        lambda: SearchBot(simulations=simulations),
    )


def boards_master(description: Message, nodes: int) -> Level:
    """Return the highest level of a game on local boards.

    Its games are limited in positions a move, so that the step below is the same on any machine; it
    judges positions for as long as it may.
    """
    return Level(lambda: boards_bot(nodes=nodes, varies=True), description, boards_bot, MAX_SECONDS)


def _searches(positions: int) -> Message:
    return plural_in_context(
        "how a bot plays",
        "searches {count} position",
        "searches {count} positions",
        count=positions,
    )


TINC: Levels = {
    "novice": Level(
        lambda: TincBot(overlooks=0.93, forgets=0.9),
        in_context("how a bot plays", "hardly looks at your lines"),
    ),
    "casual": Level(
        lambda: TincBot(overlooks=0.82, forgets=0.65),
        in_context("how a bot plays", "misses most of your lines"),
    ),
    "club": Level(
        lambda: TincBot(overlooks=0.62, forgets=0.42),
        in_context("how a bot plays", "sees a fair number of your lines"),
    ),
    "expert": Level(
        lambda: TincBot(overlooks=0.32, forgets=0.14),
        in_context("how a bot plays", "sees most of your lines"),
    ),
    "master": Level(TincBot, in_context("how a bot plays", "sees every win, never loses")),
}

ULTIMATE: Levels = {
    "novice": bewildered_level(IndulgentBot(), few=4),
    "novice-plus": shallow_level(
        in_context("how a bot plays", "thinks on every third move"), depth=1, noise=1.5, slips=0.7
    ),
    "casual": shallow_level(
        in_context("how a bot plays", "looks only at its own move"), depth=1, noise=1.5, slips=0.4
    ),
    "casual-plus": shallow_level(
        in_context("how a bot plays", "mostly sees your reply"), depth=2, noise=0.8, slips=0.25
    ),
    "club": shallow_level(
        in_context("how a bot plays", "thinks of your reply"), depth=2, noise=0.8, slips=0.05
    ),
    "club-plus": shallow_level(
        in_context("how a bot plays", "looks five ahead, but slips"),
        depth=5,
        noise=0.3,
        slips=0.15,
        seconds=1.0,
    ),
    "expert": shallow_level(
        in_context("how a bot plays", "looks five moves ahead"), depth=5, noise=0.3, seconds=1.0
    ),
    "expert-plus": deep_level(_searches(500), nodes=500),
    "master": boards_master(_searches(8_000), nodes=8_000),
}

NUMERIC: Levels = {
    "novice": Level(
        lambda: GlanceBot(ahead=1, overlooks=0.86),
        in_context("how a bot plays", "plays nearly at random"),
    ),
    "casual": Level(
        lambda: GlanceBot(ahead=2, overlooks=0.34),
        in_context("how a bot plays", "misses every third line of 15"),
    ),
    "club": Level(
        lambda: GlanceBot(ahead=2, overlooks=0.07),
        in_context("how a bot plays", "sees most lines of 15"),
    ),
    "expert": Level(
        lambda: WaveringBot(perfect_numeric(), GlanceBot(ahead=2, overlooks=0.05), 0.5),
        in_context("how a bot plays", "plays half its moves perfectly"),
        perfect_numeric,
    ),
    "master": Level(
        perfect_numeric,
        in_context("how a bot plays", "plays perfectly, wins as Odd"),
        PerfectNumeric,
    ),
}

QUANTUM: Levels = {
    "novice": Level(
        lambda: GlanceBot(ahead=1, overlooks=0.78),
        in_context("how a bot plays", "marks cells at random"),
    ),
    "casual": Level(
        lambda: GlanceBot(ahead=1, overlooks=0.15),
        in_context("how a bot plays", "takes lines, but has no plan"),
    ),
    "club": Level(
        lambda: GlanceBot(ahead=2, overlooks=0.02),
        in_context("how a bot plays", "sees what you can do next"),
    ),
    "expert": Level(
        lambda: WaveringBot(perfect_quantum(), GlanceBot(ahead=2, overlooks=0.03), 0.44),
        in_context("how a bot plays", "plays half its moves perfectly"),
        perfect_quantum,
    ),
    "master": Level(perfect_quantum, in_context("how a bot plays", "plays perfectly, wins as X")),
}

EXTREME: Levels = {
    "novice": bewildered_level(RandomBot(), few=5),
    "novice-plus": shallow_level(
        in_context("how a bot plays", "thinks on one move in five"), depth=1, noise=1.5, slips=0.8
    ),
    "casual": shallow_level(
        in_context("how a bot plays", "thinks on every third move"), depth=1, noise=1.5, slips=0.65
    ),
    "casual-plus": shallow_level(
        in_context("how a bot plays", "sees half of your replies"), depth=2, noise=0.8, slips=0.46
    ),
    "club": shallow_level(
        in_context("how a bot plays", "mostly thinks of your reply"), depth=2, noise=0.8, slips=0.25
    ),
    "club-plus": deep_level(
        in_context("how a bot plays", "slips on every fifth move"), nodes=400, slips=0.2
    ),
    "expert": shallow_level(
        in_context("how a bot plays", "looks four moves ahead"), depth=4, noise=0.3, seconds=1.0
    ),
    "expert-plus": deep_level(
        in_context("how a bot plays", "searches deep, seldom slips"), nodes=3000, slips=0.04
    ),
    "master": boards_master(_searches(5_000), nodes=5_000),
}

ANY_VARIANT: Levels = {
    "novice": search_level(
        in_context("how a bot plays", "plays mostly at random"), simulations=20, wavers=0.6
    ),
    "casual": search_level(
        in_context("how a bot plays", "plays one in four at random"), simulations=60, wavers=0.25
    ),
    "club": search_level(
        plural_in_context(
            "how a bot plays",
            "imagines about {count} game",
            "imagines about {count} games",
            count=200,
        ),
        simulations=200,
        wavers=0.05,
    ),
    "expert": Level(
        lambda: SearchBot(simulations=1000),
        plural_in_context(
            "how a bot plays", "imagines {count} game", "imagines {count} games", count=1000
        ),
        seconds=1.0,
    ),
    "master": Level(
        SearchBot, in_context("how a bot plays", "thinks for up to two seconds"), seconds=2.0
    ),
}
"""The levels of a variant that has no bots of its own: a search that needs only the rules."""
