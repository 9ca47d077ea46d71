"""Suggestions and hints: a good move for either side, in every variant, and why."""

import time
from random import Random

import pytest
from hypothesis import given, settings, strategies as st

from engine import VARIANTS, Message, Side, Variant
from engine.bots import hint, suggest
from engine.testing import is_legal
from engine.variants.numeric import NumericPosition
from tests.support.engine.playouts import a_few, each_registered_variant, playout

QUICKLY = 0.01


@st.composite
def set_up_by_hand(draw: st.DrawFn) -> NumericPosition:
    """Return a numeric position with any numbers on the board and in the hands, few or many."""
    numbers = draw(st.lists(st.integers(-5, 20), min_size=0, max_size=14, unique=True))
    filled = draw(st.integers(0, min(9, len(numbers))))
    places = draw(st.permutations(range(9)))[:filled]
    cells: list[int | None] = [None] * 9
    for place, number in zip(places, numbers, strict=False):
        cells[place] = number
    held = numbers[filled:]
    split = draw(st.integers(0, len(held)))
    return NumericPosition.set_up(cells, held[:split], held[split:], draw(st.sampled_from(Side)))


def as_moved_by(position: NumericPosition, side: Side) -> NumericPosition:
    return NumericPosition.set_up(position.cells, position.odd, position.even, side)


@given(set_up_by_hand(), st.sampled_from([None, *Side]))
@settings(deadline=None, max_examples=25)
def test_numeric_never_raises_and_suggests_exactly_where_a_side_has_a_move(
    position: NumericPosition, side: Side | None
) -> None:
    suggestion = suggest(position, side, QUICKLY)
    asked = as_moved_by(position, side or position.turn)
    if position.won or not list(asked.legal_moves()):
        assert suggestion is None
    else:
        assert suggestion is not None
        asked.play(suggestion)


@given(set_up_by_hand())
@settings(deadline=None, max_examples=25)
def test_numeric_never_misses_a_line_of_15(position: NumericPosition) -> None:
    wins = [move for move in position.legal_moves() if position.play(move).won]
    if wins:
        assert suggest(position, None, QUICKLY) in wins


@each_registered_variant
def test_suggestions_are_legal_and_quick(variant: Variant) -> None:
    suggest(variant.start, None, QUICKLY)
    for seed in range(2):
        for position in a_few(playout(variant, Random(seed))):
            start = time.thread_time()
            move = suggest(position, position.turn, QUICKLY)
            assert time.thread_time() - start < 0.5
            if position.outcome is not None:
                assert move is None
            else:
                assert move is not None
                assert is_legal(position, move)


@each_registered_variant
def test_the_side_that_is_not_to_move_is_answered_where_that_can_be_asked(variant: Variant) -> None:
    for position in playout(variant, Random(4)).positions[1:6]:
        if position.outcome is not None:
            continue
        move = suggest(position, position.turn.other, QUICKLY)
        asked = position.with_turn(position.turn.other)
        if asked is None:
            assert move is None
        elif variant.key != "numeric":
            assert move is not None
            assert is_legal(position, move), "an empty cell where the side to move may play too"


def test_tinc_tells_the_waiting_side_where_it_would_win() -> None:
    position = VARIANTS["tinc"].replay(["a1", "a1+c1", "b3+d3"])
    assert position.turn is Side.O
    assert suggest(position, Side.X) == "a3+e3"


def test_ultimate_tells_the_waiting_side_where_it_would_win_the_board() -> None:
    position = VARIANTS["ultimate"].replay("a1 b2 e4 d1 c1 g2 a4".split())
    assert position.turn is Side.O
    assert suggest(position, Side.X, 0.2) == "b1"


@each_registered_variant
def test_a_hint_has_a_move_and_a_sentence_that_goes_on_from_it(variant: Variant) -> None:
    for seed in range(2):
        for position in a_few(playout(variant, Random(seed))):
            if position.outcome is not None:
                continue
            choice = hint(position, QUICKLY, Random(1))
            assert is_legal(position, choice.move)
            assert isinstance(choice.reason, Message)
            text = str(choice.reason)
            assert text[0].islower()
            assert not text.endswith(".")


@each_registered_variant
def test_a_game_that_is_over_has_no_hint(variant: Variant) -> None:
    over = next(
        last
        for last in (playout(variant, Random(seed)).last for seed in range(99))
        if last.outcome is not None
    )
    with pytest.raises(ValueError, match="over"):
        hint(over, QUICKLY, Random(1))
    assert suggest(over) is None


@pytest.mark.parametrize("key", ["ultimate", "extreme"])
def test_hints_on_local_boards_say_what_the_move_does_and_where_it_sends(key: str) -> None:
    for seed in range(3):
        for position in playout(VARIANTS[key], Random(seed)).positions[3:30:9]:
            choice = hint(position, QUICKLY, Random(1))
            effect, said = str(position.effect(choice.move)), str(choice.reason)
            assert said == effect or said.startswith(f"{effect}. ")
