"""The perfect player of numeric, and the suggestions that it makes in positions made by hand."""

import re
from random import Random
from time import monotonic

import pytest
from hypothesis import given, settings, strategies as st

from engine.bots import suggest
from engine.bots.solvers.numeric import PerfectNumeric, solve, values
from engine.game import Side
from engine.variants.numeric import NUMERIC, NumericPosition
from tests.support.engine.positions import by_hand
from tests.support.waiting import PATIENCE

BOT = PerfectNumeric()
VARIED = PerfectNumeric(varies=True)


def after(moves: str) -> NumericPosition:
    return NumericPosition.of(NUMERIC.replay(moves.split()))


def random_position(random: Random, moves: int) -> NumericPosition:
    """Return a position that is not over after this many random moves."""
    while True:
        position = after("")
        for _ in range(moves):
            if position.outcome is None:
                position = position.play(random.choice(list(position.legal_moves())))
        if position.outcome is None:
            return position


def plain(position: NumericPosition) -> float:
    """Return the value for the side to move, by trying out every game."""
    if position.outcome is not None:
        odd, even = position.outcome.points
        return odd - even if position.turn is Side.X else even - odd
    return max(-plain(position.play(move)) for move in position.legal_moves())


def choose(position: NumericPosition, seed: int = 0, bot: PerfectNumeric = BOT) -> str:
    return bot.choose(position, 1.0, Random(seed)).move


def reason(position: NumericPosition) -> str:
    return str(BOT.choose(position, 1.0, Random(0)).reason)


# The truth


def test_odd_wins_with_sixteen_first_moves_and_draws_with_every_other() -> None:
    winning = {f"{cell}={number}" for cell in ("b1", "a2", "c2", "b3") for number in (1, 3, 7, 9)}
    assert solve(after("")) == 1
    assert values(after("")) == {
        move: 1 if move in winning else 0 for move in NUMERIC.start.legal_moves()
    }


@settings(max_examples=20, deadline=None)
@given(st.integers(4, 8), st.randoms(use_true_random=False))
def test_a_late_position_is_worth_what_trying_out_every_game_says(
    moves: int, random: Random
) -> None:
    position = random_position(random, moves)
    assert solve(position) == plain(position)
    assert values(position) == {
        move: -plain(position.play(move)) for move in position.legal_moves()
    }


@settings(max_examples=20, deadline=None)
@given(st.data())
def test_so_is_a_position_made_by_hand(data: st.DataObject) -> None:
    numbers = data.draw(
        st.lists(st.integers(-6, 20), min_size=8, max_size=11, unique=True), "numbers"
    )
    empty = data.draw(st.sets(st.integers(0, 8), min_size=1, max_size=3), "empty")
    cells = [None if place in empty else numbers.pop() for place in range(9 - 4)]
    cells += [None if place in empty else 100 + place for place in range(5, 9)]
    split = data.draw(st.integers(0, len(numbers)), "split")
    turn = data.draw(st.sampled_from(Side), "turn")
    position = NumericPosition.set_up(cells, numbers[:split], numbers[split:], turn)
    assert solve(position) == plain(position)


# Playing


def test_early_in_a_lost_game_most_replies_are_mistakes_still() -> None:
    position = after("b1=1")
    for seed in range(20):
        then = position.play(choose(position, seed, VARIED))
        wins = [worth > 0 for worth in values(then).values()]
        assert sum(wins) <= len(wins) * 0.15


def test_who_varies_meets_the_first_move_in_more_ways() -> None:
    position = after("b1=1")
    hardest = {choose(position, seed) for seed in range(30)}
    assert hardest == {"a1=6", "a1=8", "c1=6", "c1=8"}
    assert hardest < {choose(position, seed, VARIED) for seed in range(80)}


def lasts(position: NumericPosition) -> int:
    """Return after how many moves a won or lost position ends if both make the best of it."""
    if position.outcome is not None:
        return 0
    value = plain(position)
    after_best = [
        lasts(reply)
        for reply in map(position.play, position.legal_moves())
        if -plain(reply) == value
    ]
    return 1 + (min(after_best) if value > 0 else max(after_best))


@pytest.mark.parametrize("value", [1, -1])
def test_it_wins_in_the_fewest_moves_and_loses_in_the_most(value: int) -> None:
    random = Random(value)
    seen = 0
    while seen < 12:
        position = random_position(random, 5)
        if plain(position) == value:
            seen += 1
            assert 1 + lasts(position.play(choose(position))) == lasts(position)


def test_it_says_why() -> None:
    assert reason(by_hand("8 ~ ~ 4 ~ ~ ~ ~ ~", [3, 5], [2, 6])) == "makes 15 in column a"
    assert reason(by_hand("8 1 ~ ~ ~ 4 ~ ~ 5", [3, 6], [2])) == "makes 15 in row 1, column c"
    assert reason(by_hand("~ ~ ~ 8 2 ~ ~ ~ ~", [1, 3], [5, 6])) == "blocks 15 in row 2"
    assert reason(by_hand("1 2 3 4 6 ~ 7 8 20", [30], [40])) == "is the only move"
    assert reason(after("")) == "wins whatever Even replies"
    assert reason(after("a1=5")) == "keeps the draw and sets Odd a trap"
    assert reason(by_hand("1 2 3 4 6 ~ 7 ~ 20", [30, 31], [40])) == "keeps the draw"


def test_in_a_lost_position_it_says_which_reply_would_be_the_test() -> None:
    seen = 0
    for seed in range(150):
        position = random_position(Random(seed), 3 + seed % 4)
        if solve(position) != -1:
            continue
        choice = BOT.choose(position, 1.0, Random(seed))
        replies = values(position.play(choice.move))
        winning = [reply for reply, value in replies.items() if value > 0]
        told = str(choice.reason)
        named = re.findall(r"\b[abc][123]=\d", told)
        assert named == ([] if len(winning) == len(replies) else winning)
        seen += 1
    assert seen > 5


@pytest.mark.parametrize(
    ("moves", "words"),
    [
        ("b1=1", {"loses only if Odd finds a1=3"}),
        (
            "b1=9 c3=2 a2=7",
            {
                f"loses only if Odd finds one of {each}"
                for each in ("c2=3, a3=3", "c1=1, b3=1", "a1=1, a3=1, a3=3", "a1=3, c1=1, c1=3")
            },
        ),
        ("c3=1 a3=6 a2=5 b1=2", {"blocks 15 in row 3, but loses only if Even finds a1=4"}),
        ("c1=5 b1=8 c3=7 a1=6 a2=1 a3=2 c2=9", {"loses, as every move does"}),
    ],
)
def test_a_lost_position_is_told_in_a_sentence(moves: str, words: set[str]) -> None:
    assert {reason(after(moves))} <= words


def test_of_several_lines_to_block_it_says_which_one() -> None:
    position = by_hand("8 4 ~ 7 50 60 ~ 90 100", [30], [0, 3])
    assert reason(position) in {
        "blocks 15 in row 1, but loses only if Even finds a3=0",
        "blocks 15 in column a, but loses only if Even finds c1=3",
    }


# Suggestions


def test_a_suggestion_wins_or_else_blocks() -> None:
    assert suggest(by_hand("8 ~ ~ 4 ~ ~ ~ ~ ~", [3, 5], [2, 6])) == "a3=3"
    blocked = suggest(by_hand("~ ~ ~ 8 2 ~ ~ ~ ~", [1, 3], [5, 6]))
    assert blocked is not None
    assert blocked.startswith("c2=")


def test_either_side_may_ask_on_either_sides_turn() -> None:
    position = by_hand("8 ~ ~ 4 ~ ~ ~ ~ ~", [1, 7], [3, 6], Side.X)
    assert suggest(position, Side.O) == "a3=3"
    blocked = suggest(position, Side.X)
    assert blocked is not None
    assert blocked.startswith("a3=")


def test_the_only_move_is_suggested_though_it_loses() -> None:
    # Whatever cell Odd's 30 takes, Even makes 15 in the other.
    position = by_hand("8 4 ~ 7 50 60 ~ 90 100", [30], [0, 3], Side.X)
    assert values(position) == {"c1=30": -1, "a3=30": -1}
    assert suggest(position) in {"c1=30", "a3=30"}


def test_with_far_too_many_numbers_it_still_answers_in_time_and_admits_to_guess() -> None:
    position = NumericPosition.set_up([None] * 9, range(-99, 100, 2), range(-98, 100, 2), Side.X)
    start = monotonic()
    choice = BOT.choose(position, 0.2, Random(0))
    assert choice.move in position.legal_moves()
    assert not choice.is_exact
    assert monotonic() - start < PATIENCE
