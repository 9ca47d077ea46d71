"""The laws of `engine.testing` for each built-in variant, and for one from outside."""

from collections.abc import Sequence
from itertools import combinations, pairwise
from random import Random

import pytest

from engine import VARIANTS, IllegalMove, Position
from engine.cells import cell_name
from engine.testing import Playout, VariantLaws
from engine.variants.extreme import EXTREME
from engine.variants.numeric import NUMERIC
from engine.variants.quantum import QUANTUM
from engine.variants.tinc import TINC, TincPosition
from engine.variants.ultimate import ULTIMATE
from tests.support.engine.playouts import single_cells, tinc_playout
from tests.support.noughts import NOUGHTS


def cells(width: int, height: int) -> list[str]:
    return [cell_name(column, row) for row in range(height) for column in range(width)]


class TestTinc(VariantLaws):
    variant = TINC
    symmetries = 8
    endings = (None, (1, 0), (0, 1))
    can_change_turn = True
    seeds = range(8)

    def playout(self, random: Random) -> Playout:
        return tinc_playout(random)

    def few_moves(self, position: Position) -> Sequence[str]:
        return single_cells(position)

    def notations(self, position: Position) -> Sequence[str]:
        """Return the cells of a grid one larger, and neighbours: the notation has no end."""
        assert isinstance(position, TincPosition)
        named = cells(position.size + 1, position.size + 1)
        return [*named, *map("+".join, pairwise(named))]


class TestUltimate(VariantLaws):
    variant = ULTIMATE
    longest = 81
    symmetries = 8
    can_change_turn = True
    seeds = range(3)

    def notations(self, position: Position) -> Sequence[str]:
        return cells(9, 9)


class TestNumeric(VariantLaws):
    variant = NUMERIC
    longest = 9
    symmetries = 8
    can_change_turn = True

    def notations(self, position: Position) -> Sequence[str]:
        return [f"{cell}={number}" for cell in cells(3, 3) for number in range(1, 10)]


class TestQuantum(VariantLaws):
    variant = QUANTUM
    longest = 9 + 4  # a measurement settles two squares or more
    symmetries = 8
    endings = ((1, 0), (0, 1), (1, 0.5), (0.5, 1), (0, 0))
    loser_points = (0, 0.5)

    def notations(self, position: Position) -> Sequence[str]:
        return [*cells(3, 3), *map("+".join, combinations(cells(3, 3), 2))]


class TestExtreme(VariantLaws):
    variant = EXTREME
    longest = 162
    symmetries = 16
    can_change_turn = True
    seeds = range(2)  # its games have more than a hundred positions each

    def notations(self, position: Position) -> Sequence[str]:
        return cells(18, 9)


class TestNoughts(VariantLaws):
    variant = NOUGHTS
    longest = 9
    symmetries = 8


def test_the_error_of_a_replay_reads_well() -> None:
    with pytest.raises(IllegalMove, match=r"^Move 3, e5: e5 is taken$"):
        VARIANTS["ultimate"].replay(["e5", "e6", "e5"])


def test_a_draw_is_worth_half_a_point_each_but_nothing_in_quantum() -> None:
    unlike = [variant for variant in VARIANTS.values() if variant.draw_points != (0.5, 0.5)]
    assert unlike == [QUANTUM]
    assert QUANTUM.draw_points == (0, 0)


@pytest.mark.parametrize(
    ("variant", "one", "other"),
    [
        ("tinc", "a1 a1 b3 d2 d4", "a1 a1 d4 d2 b3"),
        ("ultimate", "d4 b2 f4 h2", "f4 h2 d4 b2"),
        ("numeric", "b2=5 a1=2 c3=1", "c3=1 a1=2 b2=5"),
        ("quantum", "a1+b1 b1+c1 a1+c1 a1", "b1+c1 a1+c1 a1+b1 a1"),
        ("extreme", "d4 b2 o4 q2", "o4 q2 d4 b2"),
    ],
)
def test_two_ways_to_one_position_are_equal_and_hash_alike(
    variant: str, one: str, other: str
) -> None:
    start = VARIANTS[variant].start
    reached = {VARIANTS[variant].replay(moves.split()) for moves in (one, other)}
    assert len(reached) == 1
    assert start not in reached
