"""The built-in variants reading and answering what people type, in random games.

What every variant owes, also one from outside, is in `engine.testing`.
"""

import re
import string
from random import Random

import pytest
from hypothesis import given, settings, strategies as st

from engine import VARIANTS, InvalidMove, MoveError, Variant
from engine.boards.local_boards import LocalBoardsPosition
from engine.testing import some_moves
from engine.variants.tinc import TINC
from tests.support.engine.playouts import a_few, each_variant, games, playout

law = settings(deadline=None, derandomize=True, max_examples=8)

typed = st.one_of(
    st.text(max_size=12),
    st.text(alphabet="abcdijrABC0123456789", max_size=6),
    st.text(alphabet="abcABC123456789 +=,;-&@and\r\n{}", max_size=10),
    st.text(alphabet="abc9 ", max_size=2000),
    st.text(alphabet=string.digits, min_size=500, max_size=5000),
)
"""Whatever people, or their cats, may type."""


# Reading what people type


@each_variant
@law
@given(random=games)
def test_capitals_spaces_and_the_other_order_are_the_same_move(
    variant: Variant, random: Random
) -> None:
    for position in a_few(playout(variant, random))[1:]:
        move = random.choice(some_moves(position))
        of_its_own = ["=", " = ", " in "] if "=" in move else ["+", ",", " + ", "; ", " and "]
        between = [", ", "-", " - ", " – ", "/", *of_its_own]
        parts = [as_people_type(part, random) for part in re.split("[+=]", move)]
        random.shuffle(parts)
        text = random.choice(between if len(parts) > 1 else [""]).join(parts)
        text = random.choice([text, text.upper(), f"  {text} ", f"{text}."])
        assert position.parse(text) == move
        if text != move:
            with pytest.raises(InvalidMove) as caught:
                position.play(text)
            assert str(caught.value) == f"Write the move as {move}"


def as_people_type(part: str, random: Random) -> str:
    """Return a cell with its number first or apart from its letter; a number alone as it is."""
    letters = part.rstrip(string.digits)
    digits = part[len(letters) :]
    return random.choice([part, digits + letters, *([f"{letters} {digits}"] if letters else [])])


shapes = st.from_regex(r"[a-e]?[ .,/+=-]{0,2}[0-9]?[ .,/+=–-]{0,2}[a-e]?[0-9]?", fullmatch=True)
"""Texts that have something of a move, in all manners and orders."""


@each_variant
@settings(law, max_examples=20)
@given(
    random=games,
    text=typed | shapes | st.sampled_from(["centre", "Center", "the middle", "5", "e", "top left"]),
)
def test_the_example_in_a_refusal_is_a_move_that_can_be_played(
    variant: Variant, random: Random, text: str
) -> None:
    for position in a_few(playout(variant, random)):
        try:
            position.parse(text)
        except MoveError as error:
            refused, said = error, str(error)
        else:
            continue
        if position.outcome is not None:
            assert said == "The game is over" or "is not on the board" in said
            continue
        examples = [*re.findall(r" (?:like|turn is|name just) (\S+)", said)]
        examples += re.findall(r" or (\S+)$", said) if isinstance(refused, InvalidMove) else []
        if isinstance(refused, InvalidMove):
            assert examples or "is not on the board" in said or "named twice" in said
        for move in examples:
            assert position.parse(move) == move
            assert position.play(move) != position


@each_variant
@law
@given(random=games, text=shapes)
def test_a_text_means_one_move_or_none_whatever_stands_around_it(
    variant: Variant, random: Random, text: str
) -> None:
    position = random.choice(playout(variant, random).positions[:-1])
    try:
        move = position.parse(text)
    except MoveError:
        return
    for same in (text.upper(), f" {text}\n", f"{text}.", text.replace("-", "–")):
        assert position.parse(same) == move
    assert sorted(re.findall("[a-z]|[1-9]", move)) == sorted(re.findall("[a-z]|[1-9]", text))


@pytest.mark.parametrize("text", ["centre", "Center", "5", "e"])
@pytest.mark.parametrize(
    "variant", [each for each in VARIANTS.values() if each is not TINC], ids=lambda each: each.key
)
def test_half_a_move_is_answered_with_what_is_missing(variant: Variant, text: str) -> None:
    start = variant.start
    with pytest.raises(InvalidMove) as caught:
        start.parse(text)
    said = str(caught.value)
    assert re.match(r"The cell in the centre is (b2|e5)\. |5 is a |e is a column ", said)
    example = said.rsplit(" like ")[1]
    assert start.parse(example) == example
    if text in "5e" and isinstance(start, LocalBoardsPosition):
        assert text in example


@pytest.mark.parametrize("text", ["centre", "Center", "5", "e"])
def test_where_there_is_one_cell_it_is_named(text: str) -> None:
    with pytest.raises(InvalidMove) as caught:
        TINC.start.parse(text)
    assert str(caught.value) == "The grid has one cell now, so the first turn is a1"


def test_variants_have_the_names_that_pages_and_addresses_use() -> None:
    assert list(VARIANTS) == ["tinc", "ultimate", "numeric", "quantum", "extreme"]
    for key, variant in VARIANTS.items():
        assert variant.key == key
        assert variant.name == key.capitalize()
        assert variant.title
