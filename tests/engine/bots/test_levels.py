"""The levels: each plays by the rules, in its time, varies, and is better than the one below."""

import gc
import time
from collections.abc import Iterator
from itertools import pairwise
from random import Random

import pytest

from engine import VARIANTS, Variant
from engine.bots import LEVELS, MAIN_LEVELS, Bot, Level, level, level_label, levels_of
from engine.bots.handicaps import GlanceBot, WaveringBot
from engine.bots.levels import MAX_SECONDS
from engine.bots.means import Means, Timepiece, equipped
from engine.bots.solvers.numeric import PerfectNumeric
from engine.testing import is_legal
from tests.bench.characters import beginnings
from tests.support.engine.matches import Player, match
from tests.support.engine.playouts import a_few, each_level, each_registered_variant, playout

BRIEFLY = 0.005
"""Seconds that a test lets a level think which would think for longer."""

GRACE = 0.3
"""Seconds of the processor by which a bot may be late."""


def briefly(each: Level) -> Player:
    """Return a level's bot with seconds of the processor, whatever else the machine does."""
    return Player(timed(each.bot), min(BRIEFLY, each.seconds))


def timed(bot: Bot) -> Bot:
    return equipped(bot, Means(Timepiece.PROCESSOR))


@each_registered_variant
def test_there_are_five_to_nine_levels_that_say_how_they_play(variant: Variant) -> None:
    levels = levels_of(variant.key)
    assert [*levels] == [name for name in LEVELS if name in levels]
    assert {*MAIN_LEVELS} <= levels.keys()
    texts = {name: str(each.description) for name, each in levels.items()}
    assert len({*texts.values()}) == len(levels)
    assert all(text[0].islower() and not text.endswith(".") for text in texts.values())
    labels = [f"{level_label(name)} bot, 1500, casual: {text}" for name, text in texts.items()]
    assert max(map(len, labels)) <= 56, "a line of Amfora's in a terminal of 80 columns"
    assert all(0 < each.seconds <= MAX_SECONDS for each in levels.values())


def test_a_level_that_does_not_exist_is_named() -> None:
    with pytest.raises(ValueError, match="'chess'"):
        level("chess", "club")
    with pytest.raises(ValueError, match="'club-plus' of tinc; there are novice, casual, club,"):
        level("tinc", "club-plus")


@pytest.fixture
def uncollected() -> Iterator[None]:
    """Keep garbage from being collected meanwhile: the bot would be charged for that time."""
    gc.disable()
    yield
    gc.enable()


@pytest.mark.usefixtures("uncollected")
@each_level
def test_its_moves_are_legal_and_in_time(variant: Variant, name: str) -> None:
    bot, seconds = briefly(level(variant.key, name))
    # The first answers may need to read tables.
    for each in (bot, timed(level(variant.key, name).judge)):
        each.choose(variant.start, seconds, Random(0))
    for position in a_few(playout(variant, Random(name))):
        if position.outcome is None:
            start = time.process_time()
            choice = bot.choose(position, seconds, Random(1))
            assert time.process_time() - start < seconds + GRACE
            assert is_legal(position, choice.move)
            assert 0 <= choice.win_probability <= 1


@pytest.mark.slow
@each_level
def test_its_openings_vary(variant: Variant, name: str) -> None:
    bot, seconds = briefly(level(variant.key, name))
    openings, seed = set(), 0
    while len(openings) < 3:
        assert seed < 6, openings
        position, moves, rng = variant.start, [], Random(seed)
        while len(moves) < 4:
            moves.append(bot.choose(position, seconds, rng).move)
            position = position.play(moves[-1])
        openings.add(" ".join(moves))
        seed += 1


WITHOUT_TIME = [
    (key, name)
    for key in VARIANTS
    for name in levels_of(key)
    if not (key in {"ultimate", "extreme"} and name == "master")
]
"""The levels that think as far as they think, however long that takes."""


@pytest.mark.parametrize(("key", "name"), WITHOUT_TIME)
def test_the_same_seed_plays_the_same_game(key: str, name: str) -> None:
    each = level(key, name)
    player = Player(each.bot, 60)
    position = VARIANTS[key].start.play(VARIANTS[key].start.example())
    for seed in (1, 2):
        moves = [player.bot.choose(position, 60, Random(seed)).move for _ in range(2)]
        assert moves[0] == moves[1]


@pytest.mark.parametrize("games", [20, pytest.param(50, marks=pytest.mark.deep)])
@pytest.mark.parametrize("key", VARIANTS)
def test_most_games_of_a_master_with_itself_begin_differently(key: str, games: int) -> None:
    # In ultimate and extreme a master begins by its openings, which take no time.
    seconds = 0 if key in ("ultimate", "extreme") else 1
    assert beginnings(key, games, seed=1, seconds=seconds) >= 0.8 * games


@pytest.mark.parametrize("key", ["tinc", "numeric", "quantum"])
def test_the_master_beats_the_novice_soundly(key: str) -> None:
    score = match(key, briefly(level(key, "master")), briefly(level(key, "novice")), 20)
    assert score.score > 0.8
    assert score.losses <= 2


@pytest.mark.parametrize("key", ["ultimate", "extreme"])
def test_who_looks_ahead_beats_the_novice(key: str) -> None:
    score = match(key, briefly(level(key, "club")), briefly(level(key, "novice")), 6)
    assert score.score > 0.8


@pytest.mark.deep
@pytest.mark.parametrize("games", [20, pytest.param(100, marks=pytest.mark.deep)])
@pytest.mark.parametrize("key", ["tinc", "numeric"])
def test_each_level_beats_the_one_below(key: str, games: int) -> None:
    """A small sample: `oxonaut arena --ladder` measures it with more games."""
    for lower, upper in pairwise(levels_of(key).values()):
        assert match(key, briefly(upper), briefly(lower), games, seed=1).score > 0.6


class TestGlance:
    def test_it_takes_a_line_at_once(self) -> None:
        position = VARIANTS["numeric"].replay(["a1=1", "b1=6"])
        choice = GlanceBot(ahead=1).choose(position, 1, Random(1))
        assert choice.win_probability == 0.5
        position = VARIANTS["numeric"].replay(["a1=5", "b1=2", "b2=7", "a3=8"])
        assert GlanceBot(ahead=1).choose(position, 1, Random(1)).move == "c3=3"

    def test_looking_two_moves_ahead_it_lets_no_line_be_made(self) -> None:
        position = VARIANTS["numeric"].replay(["a1=5", "b1=4"])
        for seed in range(10):
            move = GlanceBot(ahead=2).choose(position, 1, Random(seed)).move
            after = position.play(move)
            assert not any(after.play(reply).outcome for reply in after.legal_moves())

    def test_one_that_overlooks_everything_plays_anything(self) -> None:
        position = VARIANTS["numeric"].replay(["a1=5", "b1=2", "b2=7", "a3=8"])
        blind = GlanceBot(ahead=2, overlooks=1.0)
        assert len({blind.choose(position, 1, Random(seed)).move for seed in range(20)}) > 8

    def test_a_wavering_bot_is_now_one_and_now_the_other(self) -> None:
        position = VARIANTS["numeric"].replay(["a1=5", "b1=2", "b2=7", "a3=8"])
        blind = GlanceBot(ahead=1, overlooks=1.0)
        bot = WaveringBot(PerfectNumeric(), blind, 0.5)
        wins = sum(bot.choose(position, 1, Random(seed)).move == "c3=3" for seed in range(40))
        assert 10 < wins < 32
