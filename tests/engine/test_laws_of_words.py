"""Laws of what is said, drawn and read that hold in every variant, tried on random games."""

from __future__ import annotations

import copy
import pickle
import re
import string
from typing import TYPE_CHECKING

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from engine import VARIANTS, IllegalMove, InvalidMove, Message, MoveError, Side, Variant
from engine.game import message
from tests.support.engine.playouts import each_variant, is_legal, notations, playout, some_moves

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from engine import Position

games = st.randoms(use_true_random=False)
"""A source of choices for a playout, which Hypothesis can repeat and make simpler."""

law = settings(deadline=None, derandomize=True, max_examples=25)

typed = st.one_of(
    st.text(max_size=12),
    st.text(alphabet="abcdijrABC0123456789", max_size=6),
    st.text(alphabet="abcABC123456789 +=,;-&@and\r\n{}", max_size=10),
    st.text(alphabet="abc9 ", max_size=2000),
    st.text(alphabet=string.digits, min_size=500, max_size=5000),
)
"""Whatever people, or their cats, may type."""


def sentences(position: Position) -> tuple[Message, ...]:
    """Return all that a position says of itself."""
    reason = () if position.outcome is None else (position.outcome.reason,)
    return (*position.describe(), position.instruction(), *reason)


def refusals(variant: Variant, position: Position, random: Random) -> Iterator[MoveError]:
    """Yield the errors of some moves that cannot be played here."""
    wrong = [move for move in notations(variant, position) if not is_legal(position, move)]
    for text in ["", "z", "z99", *random.sample(wrong, min(len(wrong), 9))]:
        with pytest.raises(MoveError) as caught:
            position.parse(text)
        yield caught.value


# Pictures


@each_variant
@law
@given(random=games)
def test_diagrams_are_plain_text_that_fits_a_narrow_terminal(
    variant: Variant, random: Random
) -> None:
    for position in playout(variant, random).positions:
        for drawing in (position.diagram(), position.close_up()):
            assert drawing.isascii()
            assert not drawing.endswith("\n")
            for row in drawing.split("\n"):
                assert len(row) <= 64
                assert row == row.rstrip()
                assert row.isprintable()
                assert not row.startswith("```")


@each_variant
@law
@given(random=games)
def test_every_move_can_be_seen_and_heard(variant: Variant, random: Random) -> None:
    positions = playout(variant, random).positions
    assert len({position.diagram() for position in positions}) == len(positions)
    assert len({tuple(map(str, position.describe())) for position in positions}) == len(positions)


# Words


@each_variant
@law
@given(random=games)
def test_a_description_is_made_of_whole_sentences(variant: Variant, random: Random) -> None:
    for position in playout(variant, random).positions:
        words = [str(sentence) for sentence in position.describe()]
        assert words[-1] == str(position.instruction())
        for sentence in words:
            assert re.fullmatch(r"[A-Za-z].*[^.\s]\.", sentence)
            assert sentence.isprintable()
            assert not {"{", "}"} & set(sentence)
            assert "  " not in sentence


@each_variant
@law
@given(random=games)
def test_the_end_is_explained(variant: Variant, random: Random) -> None:
    last = playout(variant, random).last
    if last.outcome is None:
        return
    reason = str(last.outcome.reason)
    assert reason
    assert not {"{", "}"} & set(reason)
    assert str(last.instruction()) == f"The game is over: {reason}."


@each_variant
@law
@given(random=games)
def test_a_refusal_is_one_short_line_without_a_period(variant: Variant, random: Random) -> None:
    position = random.choice(playout(variant, random).positions)
    for error in refusals(variant, position, random):
        assert re.fullmatch(r"[A-Za-z0-9].*[^.\s]", str(error))
        assert str(error) == str(error.message)
        assert len(str(error)) <= 200
        assert str(error).isprintable()
        assert not {"{", "}"} & set(str(error))


def uppercase(template: str) -> str:
    """Translate a template into loud English; what stands in braces is no word to translate."""
    return re.sub(r"\{\w+\}|[^{}]+", lambda part: _loud(part[0]), template)


def _loud(part: str) -> str:
    return part if part.startswith("{") else part.upper()


def templates(said: Message) -> Iterator[str]:
    """Yield the template of a message and those of the messages within it."""
    yield said.text
    waiting = list(said.values.values())
    for value in waiting:
        if isinstance(value, Message):
            yield from templates(value)
        elif isinstance(value, tuple):
            waiting += value


@each_variant
@law
@given(random=games)
def test_all_that_is_said_can_be_translated_word_by_word(variant: Variant, random: Random) -> None:
    game = playout(variant, random)
    position = random.choice(game.positions)
    errors = [error.message for error in refusals(variant, position, random)]
    for said in (*sentences(position), *sentences(game.last), *errors):
        asked: list[str] = []

        def translate(template: str, asked: list[str] = asked) -> str:
            asked.append(template)
            return uppercase(template)

        assert said.render(translate).lower() == str(said).lower()
        assert sorted(asked) == sorted(templates(said))


def plain_values(said: Message) -> Iterator[str]:
    """Yield what a translator never sees: the values that are no messages."""
    waiting = list(said.values.values())
    for value in waiting:
        if isinstance(value, Message):
            yield from plain_values(value)
        elif isinstance(value, tuple):
            waiting += value
        else:
            yield str(value)


@each_variant
@law
@given(random=games)
def test_every_word_stands_in_a_template(variant: Variant, random: Random) -> None:
    game = playout(variant, random)
    position = random.choice(game.positions)
    errors = [error.message for error in refusals(variant, position, random)]
    for said in (*sentences(position), *sentences(game.last), *errors):
        for value in plain_values(said):
            assert not re.search(r"[A-Za-z]{3}", value)


@each_variant
@law
@given(random=games)
def test_messages_and_errors_survive_pickling_and_copying(variant: Variant, random: Random) -> None:
    game = playout(variant, random)
    for said in sentences(game.last):
        for same in (pickle.loads(pickle.dumps(said)), copy.deepcopy(said)):
            assert same == said
            assert hash(same) == hash(said)
            assert str(same) == str(said)
    for error in refusals(variant, game.last, random):
        for again in (pickle.loads(pickle.dumps(error)), copy.deepcopy(error)):
            assert type(again) is type(error)
            assert again.message == error.message
            assert str(again) == str(error)


# Reading what people type


@each_variant
@law
@given(random=games)
def test_capitals_spaces_and_the_other_order_are_the_same_move(
    variant: Variant, random: Random
) -> None:
    is_numeric = variant.key == "numeric"
    of_its_own = ["=", " = ", " in "] if is_numeric else ["+", ",", " + ", "; ", " and "]
    between = [", ", "-", " - ", " – ", "/", *of_its_own]
    for position in playout(variant, random).positions[:-1]:
        move = random.choice(some_moves(position))
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
@settings(law, max_examples=100)
@given(
    random=games,
    text=typed | shapes | st.sampled_from(["centre", "Center", "the middle", "5", "e", "top left"]),
)
def test_the_example_in_a_refusal_is_a_move_that_can_be_played(
    variant: Variant, random: Random, text: str
) -> None:
    for position in playout(variant, random).positions:
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
@each_variant
def test_half_a_move_is_answered_with_what_is_missing(variant: Variant, text: str) -> None:
    start = variant.start
    with pytest.raises(InvalidMove) as caught:
        start.parse(text)
    said = str(caught.value)
    if variant.key == "tinc":
        assert said == "The grid has one cell now, so the first turn is a1"
        return
    if variant.key == "noughts":
        return
    assert re.match(r"The cell in the centre is (b2|e5)\. |5 is a |e is a column ", said)
    example = said.rsplit(" like ")[1]
    assert start.parse(example) == example
    if text in "5e" and variant.key in ("ultimate", "extreme"):
        assert text in example


@each_variant
@settings(law, max_examples=100)
@given(random=games, text=typed)
def test_whatever_is_typed_is_a_legal_move_or_refused_with_a_reason(
    variant: Variant, random: Random, text: str
) -> None:
    position = random.choice(playout(variant, random).positions)
    for read in (position.parse, position.play):
        try:
            result = read(text)
        except MoveError as error:
            refused = error
        else:
            move = result if isinstance(result, str) else text
            assert position.parse(move) == move
            assert position.play(move) != position
            continue
        assert type(refused) in {InvalidMove, IllegalMove}
        assert len(str(refused)) <= 200
        assert str(refused).isprintable()


@each_variant
@law
@given(text=typed)
@example(text="{cell}")
@example(text="e5{")
def test_a_replay_repeats_a_move_that_it_cannot_play_as_it_was_written(
    variant: Variant, text: str
) -> None:
    if is_playable(variant.start, text):
        return
    with pytest.raises(MoveError) as caught:
        variant.replay([text])
    assert str(caught.value).startswith(f"Move 1, {text}: ")


def is_playable(position: Position, text: str) -> bool:
    try:
        position.play(text)
    except MoveError:
        return False
    return True


def test_a_translation_reaches_the_words_within_the_words() -> None:
    said = message(
        "{side} is in {places}",
        side=Side.X,
        places=(message("top left"), "e5", message("the {board}", board=message("centre"))),
    )
    assert said.render(uppercase) == "X IS IN TOP LEFT, e5, THE CENTRE"


def test_variants_have_the_names_that_pages_and_addresses_use() -> None:
    assert list(VARIANTS) == ["tinc", "ultimate", "numeric", "quantum", "extreme"]
    for key, variant in VARIANTS.items():
        assert variant.key == key
        assert variant.name == key.capitalize()
        assert variant.title
