"""The generic search: it finds what is near in every variant, in time, the same for a seed."""

import time
from random import Random

import pytest

from engine import VARIANTS, Position, Side, Variant
from engine.bots.mcts import SearchBot
from engine.bots.solvers.numeric import values
from engine.testing import is_legal
from engine.variants.numeric import NumericPosition
from tests.support.engine.playouts import each_variant, playout


@each_variant
def test_its_moves_are_legal_all_through_random_games(variant: Variant) -> None:
    bot = SearchBot(simulations=3)
    for seed in range(6):
        for position in playout(variant, Random(seed)).positions:
            if position.outcome is None:
                assert is_legal(position, bot.choose(position, 1, Random(seed)).move)


@each_variant
def test_the_same_seed_plays_the_same_move(variant: Variant) -> None:
    position = playout(variant, Random(1)).positions[3]
    bot = SearchBot(simulations=60)
    choices = [bot.choose(position, 60, Random(5)) for _ in range(2)]
    assert choices[0] == choices[1]
    assert choices[0].simulations <= 60
    assert 0 <= choices[0].win_probability <= 1


@each_variant
def test_it_answers_in_time(variant: Variant) -> None:
    position = playout(variant, Random(1)).positions[2]
    # The processor's time: on a busy machine the wall clock counts other programs' work, too.
    start = time.thread_time()
    choice = SearchBot().choose(position, 0.1, Random(1))
    assert time.thread_time() - start < 0.25
    assert choice.simulations > 10


@each_variant
def test_without_time_it_still_has_a_move(variant: Variant) -> None:
    assert is_legal(variant.start, SearchBot().choose(variant.start, 0, Random(1)).move)


@pytest.mark.parametrize(
    ("position", "win"),
    [
        (VARIANTS["tinc"].replay(["a1", "a1+c1", "b3+d3", "b4"]), "a3+e3"),
        (NumericPosition.set_up([9, None, 2] + [None] * 6, (4, 7), (6, 8), Side.X), "b1=4"),
    ],
    ids=["tinc", "numeric"],
)
def test_it_takes_a_win_and_says_that_it_is_sure(position: Position, win: str) -> None:
    choice = SearchBot(simulations=3000).choose(position, 20, Random(1))
    assert (choice.move, choice.win_probability, choice.is_exact) == (win, 1.0, True)


def test_what_it_is_sure_of_is_what_theory_says() -> None:
    sure = 0
    for seed in range(12):
        game = playout(VARIANTS["numeric"], Random(seed)).positions
        position = game[min(5, len(game) - 2)]
        assert isinstance(position, NumericPosition)
        choice = SearchBot(simulations=4000).choose(position, 20, Random(seed))
        if choice.is_exact:
            best = values(position)
            assert best[choice.move] == max(best.values()) == 2 * choice.win_probability - 1
            sure += 1
    assert sure > 5


def test_it_is_never_sure_of_a_draw_in_tinc() -> None:
    choice = SearchBot(simulations=500).choose(
        VARIANTS["tinc"].replay(["a1", "a1+c1"]), 20, Random(1)
    )
    assert not choice.is_exact
