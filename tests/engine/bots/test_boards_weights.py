"""The weights that ship for ultimate and extreme, and what they are made of."""

import statistics
import zlib
from array import array
from random import Random

import pytest

from engine import VARIANTS
from engine.boards.local_boards import LocalBoardsPosition
from engine.bots.local_boards.bot import board_of
from engine.bots.local_boards.kernel import layout
from engine.bots.local_boards.kernel.layout import CLASSES
from engine.bots.local_boards.tables import (
    MAGIC,
    SHAPE,
    packed,
    sorts_of,
    table_of,
    unpacked,
    weights_path,
)
from tests.bench.learning.sharing import sharing
from tests.support.engine.playouts import playout

AT_LEISURE = ["ultimate", pytest.param("extreme", marks=pytest.mark.deep)]

NO_WEIGHTS = array("h", [0]) * sum(SHAPE)


@pytest.mark.parametrize("variant", AT_LEISURE)
def test_the_weights_that_ship_are_whole(variant: str) -> None:
    content = weights_path(variant).read_bytes()
    assert len(content) < 1_000_000
    weights = unpacked(content)
    assert packed(weights) == content
    assert max(weights) < 32_000
    assert min(weights) > -32_000
    assert sum(weight != 0 for weight in weights) > 10_000


@pytest.mark.parametrize("variant", AT_LEISURE)
def test_the_weights_that_ship_are_fair_to_both_sides_and_all_places(variant: str) -> None:
    table = table_of(unpacked(weights_path(variant).read_bytes()))
    which, sign = sharing()
    shown: dict[int, int] = {}
    for entry in (*range(layout.LOCAL, layout.BARS), *range(layout.SCALE, layout.TABLE_SIZE)):
        if sign[entry]:
            value = sign[entry] * table[entry]
            assert shown.setdefault(which[entry], value) == value
        else:
            assert table[entry] == 0


@pytest.mark.parametrize("variant", AT_LEISURE)
def test_a_won_board_is_worth_more_than_a_lost_one(variant: str) -> None:
    weights = unpacked(weights_path(variant).read_bytes())
    lines = sorts_of(weights.tolist())[-2]
    assert lines[0 * CLASSES**2 + 20 * CLASSES + 20] > lines[1 * CLASSES**2 + 20 * CLASSES + 20]


def test_a_file_that_is_none_is_refused() -> None:
    good = packed(NO_WEIGHTS)
    with pytest.raises(ValueError, match="not a file of weights"):
        unpacked(b"something else")
    with pytest.raises(ValueError, match="damaged weights"):
        unpacked(good[:-20])
    with pytest.raises(ValueError, match="damaged weights"):
        unpacked(good[:-1] + bytes([good[-1] ^ 1]))
    with pytest.raises(ValueError, match="5 weights where"):
        unpacked(MAGIC + zlib.compress(bytes(10)))
    with pytest.raises(ValueError, match="2 weights where"):
        packed(array("h", [1, 2]))


@pytest.mark.parametrize("variant", AT_LEISURE)
def test_weights_tell_who_leads(variant: str) -> None:
    board = board_of(variant)
    right = []
    for seed in range(30):
        for position in playout(VARIANTS[variant], Random(seed)).positions[:-1]:
            assert isinstance(position, LocalBoardsPosition)
            lead = position.x_boards.bit_count() - position.o_boards.bit_count()
            if abs(lead) > 1:
                right.append((board.set_up(position).score > 0) == (lead > 0))
    assert len(right) > 100
    assert statistics.fmean(right) > 0.7
