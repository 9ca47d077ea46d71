"""The words of a bot between its process and the capsule's."""

import json

import pytest

from engine import Message, Side, in_context, message, plural, plural_in_context
from engine.bots.hosting.worker import from_parts, to_parts


@pytest.mark.parametrize(
    "said",
    [
        message("{side} wins with {moves}", side="X", moves=("e5", message("a bonus move"))),
        plural("{count} line is open", "{count} lines are open", count=1),
        plural("{count} line is open", "{count} lines are open", count=2),
        in_context("a move", "clear"),
        message("{points} points, {number} moves", points=1.5, number=12),
        message("{rounds}", rounds=plural_in_context("of a cup", "a round", "rounds", count=2)),
    ],
    ids=str,
)
def test_a_message_comes_out_as_it_went_in(said: Message) -> None:
    again = from_parts(json.loads(json.dumps(to_parts(said))))
    assert again == said
    assert str(again) == str(said)


def test_a_side_is_a_word_by_then() -> None:
    assert from_parts(to_parts(message("{side} wins", side=Side.X))).values == {"side": "X"}
