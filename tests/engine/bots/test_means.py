"""The clock by which bots think: the wall's, or the processor's, which knows no other programs."""

import time
from random import Random

import pytest

from engine import VARIANTS, Variant
from engine.bots import Bot, means
from engine.bots.handicaps import RandomBot, WaveringBot
from engine.bots.hosting.course import Forfeit
from engine.bots.hosting.outside import HostedBot
from engine.bots.local_boards.bot import BoardsBot
from engine.bots.mcts import SearchBot
from engine.bots.means import Means, Timepiece, equipped
from engine.bots.registry import level, levels_of
from tests.support.engine.playouts import each_level, playout

PLAIN = "tests.support.engine.plain_bots"

SECONDS = 0.05

each_that_minds_its_seconds = pytest.mark.parametrize(
    "bot",
    [SearchBot(), WaveringBot(SearchBot(), RandomBot(), 0.0), BoardsBot()],
    ids=["search", "wavering", "boards"],
)


class Steps:
    """A clock that goes on by a step whenever somebody looks at it."""

    def __init__(self, step: float) -> None:
        self._step, self.looks = step, 0

    def __call__(self) -> float:
        self.looks += 1
        return self.looks * self._step


@each_that_minds_its_seconds
def test_a_bot_stops_by_the_clock_that_it_is_given(bot: Bot) -> None:
    position = VARIANTS["ultimate"].start
    for steps in (1, 10):
        clock = Steps(SECONDS / steps)
        equipped(bot, Means(clock)).choose(position, SECONDS, Random(1))
        # It looks when it begins, and once more where the steps do not add up exactly.
        assert 1 + steps <= clock.looks <= 2 + steps


@each_that_minds_its_seconds
def test_it_gets_its_time_of_the_processor_where_it_has_to_share_it(bot: Bot) -> None:
    position = VARIANTS["ultimate"].start
    bot.choose(position, 0.01, Random(1))
    begin = time.process_time()
    equipped(bot, Means(Timepiece.PROCESSOR)).choose(position, SECONDS, Random(1))
    assert time.process_time() - begin >= SECONDS


@each_level
def test_no_level_looks_at_the_wall_s_clock_if_it_has_another(
    variant: Variant, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    bot = equipped(level(variant.key, name).bot, Means(Timepiece.PROCESSOR))
    looked = []
    monkeypatch.setattr(means, "monotonic", lambda: looked.append(name) or time.monotonic())
    for position in playout(variant, Random(name)).positions[::15]:
        if position.outcome is None:
            for seed in range(3):
                bot.choose(position, 0.005, Random(seed))
    assert not looked


@pytest.mark.parametrize(
    ("variant", "name"), [(key, name) for key in VARIANTS for name in levels_of(key)]
)
def test_a_level_plays_the_same_move_by_another_clock(variant: str, name: str) -> None:
    bot, position = level(variant, name).bot, VARIANTS[variant].start
    moves = {
        equipped(bot, Means(clock)).choose(position, 60, Random(3)).move for clock in Timepiece
    }
    assert len(moves) == 1


def test_a_bot_that_keeps_a_tree_is_given_memory_for_it() -> None:
    own = BoardsBot()
    for bot in (own, WaveringBot(own, RandomBot(), 0.0)):
        given = equipped(bot, Means(memory=7))
        kept = given.better if isinstance(given, WaveringBot) else given
        assert isinstance(kept, BoardsBot)
        assert kept.memory == 7
    assert equipped(own, Means(memory=None)) == own


def hosted(name: str, limit: float = 24.0) -> HostedBot:
    bot = HostedBot("ultimate", f"{PLAIN}:{name}", limit, Timepiece.PROCESSOR)
    bot.new_game("1")
    return bot


def test_a_bot_from_outside_can_be_given_the_clock() -> None:
    with hosted("Minds") as bot:
        assert bot.choose([], 0.3).seconds == pytest.approx(0.3, abs=0.1)


def test_a_bot_that_never_stops_forfeits_by_the_processor_s_clock() -> None:
    with hosted("Spins", limit=0.1) as bot:
        with pytest.raises(Forfeit, match=r"^took more than 0.15 seconds of the processor$"):
            bot.choose([], 0.05)
        bot.new_game("2")
        with pytest.raises(Forfeit, match="of the processor"):
            bot.choose([], 0.05)


@pytest.mark.slow
def test_a_bot_that_hangs_asleep_forfeits_in_the_end() -> None:
    with (
        hosted("Sleepy", limit=0.1) as bot,
        pytest.raises(Forfeit, match=r"^took more than 2 seconds, most of them asleep$"),
    ):
        bot.choose([], 0.1)
