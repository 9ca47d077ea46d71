"""The words, errors and values that every variant is made of."""

from __future__ import annotations

import copy
import pickle
from dataclasses import FrozenInstanceError

import pytest

from engine import IllegalMove, InvalidMove, Message, MoveError, Outcome, Side
from engine.game import drawn, message, won_by
from engine.variants.ultimate import ULTIMATE


def test_the_other_side_of_x_is_o_and_of_o_is_x() -> None:
    assert Side.X.other is Side.O
    assert Side.O.other is Side.X
    assert [str(side) for side in Side] == ["X", "O"]


# Messages


def test_a_message_fills_its_braces() -> None:
    assert str(message("{side} plays {cell}", side=Side.X, cell="e5")) == "X plays e5"


def test_a_message_within_a_message_and_in_a_tuple_is_read_out() -> None:
    inner = message("the {place} board", place=message("top left"))
    assert str(message("Play in {boards}", boards=(inner, "e5"))) == (
        "Play in the top left board, e5"
    )


def test_braces_in_a_value_are_no_braces_of_the_template() -> None:
    assert str(message("{cell} is taken", cell="{cell} {} {0.real}")) == (
        "{cell} {} {0.real} is taken"
    )


def test_a_translation_may_put_the_values_in_another_order() -> None:
    catalogue = {"{winner} beats {loser}": "{loser} unterliegt {winner}"}
    said = message("{winner} beats {loser}", winner=Side.O, loser=Side.X)
    assert said.render(catalogue.__getitem__) == "X unterliegt O"
    assert str(said) == "O beats X"


def test_messages_with_the_same_template_and_values_are_equal_and_hash_alike() -> None:
    one = message("{a} and {b}", a=1, b=(message("c"),))
    other = message("{a} and {b}", b=(message("c"),), a=1)
    assert one == other
    assert len({one, other}) == 1
    assert one != message("{a} and {b}", a=2, b=(message("c"),))


def test_a_message_never_changes() -> None:
    with pytest.raises(FrozenInstanceError):
        message("Play anywhere.").text = "Stop."  # type: ignore[misc] # the point of the test


# Errors


@pytest.mark.parametrize("error", [InvalidMove, IllegalMove])
def test_an_error_is_a_value_error_with_words_that_can_be_translated(
    error: type[MoveError],
) -> None:
    raised = error("{cell} is taken", cell="e5")
    assert isinstance(raised, MoveError)
    assert isinstance(raised, ValueError)
    assert str(raised) == "e5 is taken"
    assert raised.message == Message("{cell} is taken", {"cell": "e5"})


def test_unreadable_moves_are_distinguished_from_illegal_ones() -> None:
    assert not issubclass(InvalidMove, IllegalMove)
    assert not issubclass(IllegalMove, InvalidMove)


@pytest.mark.parametrize("remade", [copy.copy, lambda raised: pickle.loads(pickle.dumps(raised))])
def test_an_error_keeps_its_words_between_processes(remade: object) -> None:
    raised = IllegalMove("{cell} is taken", cell="e5")
    assert callable(remade)
    same = remade(raised)
    assert type(same) is IllegalMove
    assert same.message == raised.message
    assert str(same) == "e5 is taken"


# Outcomes and variants


@pytest.mark.parametrize(("side", "points"), [(Side.X, (1, 0)), (Side.O, (0, 1))])
def test_a_win_is_one_point_to_none(side: Side, points: tuple[int, int]) -> None:
    assert won_by(side, message("a line")) == Outcome(side, message("a line"), points)


def test_a_draw_is_half_a_point_each() -> None:
    assert drawn(message("full")) == Outcome(None, message("full"), (0.5, 0.5))


def test_a_replay_of_no_moves_is_the_start() -> None:
    assert ULTIMATE.replay([]) is ULTIMATE.start


def test_a_replay_takes_any_iterable_of_moves() -> None:
    assert ULTIMATE.replay(iter(["e5", "d4"])) == ULTIMATE.start.play("e5").play("d4")


def test_a_replay_keeps_the_kind_of_error_and_what_caused_it() -> None:
    with pytest.raises(InvalidMove, match=r"^Move 2, D4: Write the move as d4$") as caught:
        ULTIMATE.replay(["e5", "D4"])
    assert type(caught.value.__cause__) is InvalidMove
    assert caught.value.message.values["reason"] == caught.value.__cause__.message
