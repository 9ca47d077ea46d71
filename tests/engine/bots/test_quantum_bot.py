"""The perfect player of quantum, its values, and its table of openings."""

import zlib
from random import Random

import pytest
from hypothesis import given, settings, strategies as st

from engine.bots.solvers.quantum import PerfectQuantum, solve, values
from engine.bots.solvers.quantum_values import opening_key, opening_table, searched, value, wins_by
from engine.game import Side
from engine.variants.quantum import QUANTUM, QuantumPosition
from tests.bench.learning import quantum_openings

BOT = PerfectQuantum()


def after(moves: str) -> QuantumPosition:
    return QuantumPosition.of(QUANTUM.replay(moves.split()))


def random_moves(random: Random, marks: int) -> list[str]:
    """Return random moves that make this many marks and leave the game going on."""
    while True:
        position, moves = after(""), list[str]()
        while position.outcome is None and len(position.spooky) < marks:
            moves.append(random.choice(list(position.legal_moves())))
            position = position.play(moves[-1])
        if position.outcome is None:
            return moves


def random_position(random: Random, marks: int) -> QuantumPosition:
    return QuantumPosition.of(QUANTUM.replay(random_moves(random, marks)))


def worth_of(position: QuantumPosition, side: Side) -> float:
    return solve(position) if position.turn is side else -solve(position)


def plain(position: QuantumPosition) -> float:
    """Return X's points less O's with best play, by trying out every game."""
    if position.outcome is not None:
        x_points, o_points = position.outcome.points
        return x_points - o_points
    best = max if position.turn is Side.X else min
    return best(plain(position.play(move)) for move in position.legal_moves())


def choose(position: QuantumPosition, seed: int = 0) -> str:
    return BOT.choose(position, 1.0, Random(seed)).move


def reason(position: QuantumPosition) -> str:
    return str(BOT.choose(position, 1.0, Random(0)).reason)


# The truth


def test_x_wins_by_half_a_point_with_opposite_corners_and_draws_with_every_other_pair() -> None:
    assert solve(after("")) == 0.5
    assert values(after("")) == {
        move: 0.5 if move in {"a1+c3", "c1+a3"} else 0 for move in QUANTUM.start.legal_moves()
    }


@settings(max_examples=20, deadline=None)
@given(st.integers(7, 9), st.randoms(use_true_random=False))
def test_a_late_position_is_worth_what_trying_out_every_game_says(
    marks: int, random: Random
) -> None:
    position = random_position(random, marks)
    sign = 1 if position.turn is Side.X else -1
    assert solve(position) == sign * plain(position)
    assert values(position) == {
        move: sign * plain(position.play(move)) for move in position.legal_moves()
    }


@pytest.mark.parametrize(
    ("marks", "seed"),
    [
        *(pytest.param(6, seed, marks=pytest.mark.slow) for seed in range(2)),
        *(pytest.param(5, seed, marks=pytest.mark.deep) for seed in range(6)),
    ],
)
def test_so_is_a_position_after_five_or_six_moves(marks: int, seed: int) -> None:
    position = random_position(Random(seed), marks)
    assert value(position) == 2 * plain(position)


def test_a_win_by_a_certain_move_is_a_win_by_any_later_one() -> None:
    random = Random(4)
    for _ in range(40):
        position = random_position(random, 6)
        for side in Side:
            by = [wins_by(position, side, limit) for limit in (6, 7, 8, 9)]
            assert by == sorted(by)
            assert by[-1] == (worth_of(position, side) == 1)


# The table of openings


@pytest.mark.slow
def test_the_table_has_a_value_for_every_opening_and_for_nothing_else() -> None:
    openings = quantum_openings.openings()
    assert [len(level) for level in openings] == [1, 8, 186, 3068, 49049]
    keys = {key for level in openings for key in level}
    assert {key for key, value in enumerate(opening_table()) if value} == keys


def test_the_values_after_four_moves_are_those_that_the_search_finds() -> None:
    random, seen = Random(1), 0
    *_, after_three = quantum_openings.openings(3)
    for before in random.sample(list(after_three.values()), 50):
        position = before.play(random.choice(list(before.legal_moves())))
        if not position.measuring:
            assert searched(position) == opening_table()[opening_key(position)] - 3
            seen += 1
    assert seen > 30


def test_the_values_before_follow_from_them() -> None:
    *earlier, after_three = quantum_openings.openings(3)
    sample = [position for level in earlier for position in level.values()]
    sample += Random(2).sample(list(after_three.values()), 100)
    for position in sample:
        assert solve(position) == max(values(position).values())


@pytest.mark.deep
def test_the_table_can_be_made_again() -> None:
    assert zlib.decompress(quantum_openings.generate()) == opening_table()


# Playing


def test_it_opens_with_either_pair_of_opposite_corners() -> None:
    assert {choose(after(""), seed) for seed in range(20)} == {"a1+c3", "c1+a3"}


def test_a_sure_win_is_won_soon() -> None:
    random = Random(5)
    won = 0
    while won < 10:
        position = random_position(random, 6)
        side = position.turn
        if solve(position) == 1:
            won += 1
            soonest = min(
                limit
                for limit in range(6, 10)
                for move in position.legal_moves()
                if wins_by(position.play(move), side, limit)
            )
            assert wins_by(position.play(choose(position)), side, soonest)


def test_it_says_why() -> None:
    assert reason(after("")) == "wins by half a point whatever O replies"
    assert reason(after("a1+b1")) == "keeps the draw and sets X a trap"
    closing = after("b1+c2 c1+a2 a1+c1 a1+a3 a1+c3 a1+c2")
    assert reason(closing) == "closes a cycle and wins whatever O replies"
    losing = after("c1+b2 b1+a2 b2+c2 a2+a3 c1+b2 c1")
    assert reason(losing) == "closes a cycle and loses by half a point and no more"
    last = after("c2+c3 a2+c2 b2+c3 b2+c3 c3 a3+b3 c1+b3 c1+a3 a3")
    assert reason(last) == "is the only move"
    random = Random(6)
    for marks in range(9):
        for _ in range(5):
            assert reason(random_position(random, marks))


def test_it_says_what_a_choice_does() -> None:
    ending = after("b1+b2 a2+c3 b2+c3 a3+b3 c1+a2 c2+b3 c1+c2 c2+b3")
    assert reason(ending) == "ends the game: O has three in a row: a3 (o4), b3 (o8), c3 (o2)"
    blocking = after("c1+c3 a2+b3 b2+a3 a3+b3 b1+b2 b3+c3 b1+c2 c1+a2")
    assert reason(blocking) == "keeps O from three in a row"
