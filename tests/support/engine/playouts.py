"""Random games of every variant, for laws that hold in all of them."""

from collections.abc import Iterator, Sequence
from itertools import takewhile
from random import Random

import pytest
from hypothesis import strategies as st

from engine import VARIANTS, Position, Variant
from engine.bots.levels import ANY_VARIANT
from engine.bots.registry import levels_of
from engine.cells import cell_name
from engine.testing import Playout, is_legal
from engine.variants.tinc import TINC, TincPosition
from tests.support.noughts import NOUGHTS

games = st.randoms(use_true_random=False)
"""A source of choices for a playout, which Hypothesis can repeat and make simpler."""

TINC_TURNS = 12
"""Turns after which a game of tinc, which may go on for ever, is left as it stands."""

each_variant = pytest.mark.parametrize(
    "variant", [*VARIANTS.values(), NOUGHTS], ids=[*VARIANTS, NOUGHTS.key]
)
"""Laws of play need no registry: they hold for a variant from outside as for the engine's own."""

each_registered_variant = pytest.mark.parametrize(
    "variant", [*VARIANTS, NOUGHTS.key], indirect=True
)
"""The same, with the one from outside plugged in, for what asks the registry."""

each_level = pytest.mark.parametrize(
    ("variant", "name"),
    [
        *((key, name) for key in VARIANTS for name in levels_of(key)),
        *((NOUGHTS.key, name) for name in ANY_VARIANT),
    ],
    indirect=["variant"],
)
"""Each level of each of these variants."""


def playout(variant: Variant, random: Random) -> Playout:
    """Return a game of random moves, to its end or, of tinc, to `TINC_TURNS` at most."""
    if variant.may_never_end:
        return tinc_playout(random)
    # Drawn before anything else, as for tinc: the games of a seed are those of every run before.
    random.random()
    moves: list[str] = []
    positions = [variant.start]
    while positions[-1].outcome is None:
        moves.append(positions[-1].random_move(random))
        positions.append(positions[-1].play(moves[-1]))
    return Playout(moves, positions)


def a_few(game: Playout) -> Sequence[Position]:
    """Return about a dozen positions from all over a game, the last one included."""
    return game.positions[:: -max(1, len(game.positions) // 12)]


def tinc_playout(random: Random) -> Playout:
    """Return a game of tinc that random moves have begun, with a winner in half of them."""
    inside = random.random() < 0.5
    moves: list[str] = []
    positions: list[TincPosition] = [TincPosition.of(TINC.start)]
    while positions[-1].outcome is None and len(moves) < TINC_TURNS:
        moves.append(tinc_move(positions[-1], random, inside=inside))
        positions.append(positions[-1].play(moves[-1]))
    return Playout(moves, positions)


def tinc_move(position: TincPosition, random: Random, *, inside: bool) -> str:
    """Return a random turn of tinc without a look at every pair.

    Random games of tinc grow and hardly ever end. In those played `inside`, both sides keep off the
    edge as long as they can and finish a line where there is one, so that most have a winner.
    """
    cells = single_cells(position)
    size = position.size
    if inside and size > 1:
        for line in _lines_across(size):
            if is_legal(position, line) and position.play(line).outcome:
                return line
        edge = {"a", "1", cell_name(size - 1, 0)[:-1], str(size)}
        cells = [cell for cell in cells if not edge & {cell[:1], cell[1:]}] or cells
    count = min(len(cells), random.randint(1, 2))
    return "+".join(cells[index] for index in sorted(random.sample(range(len(cells)), count)))


def _lines_across(size: int) -> Iterator[str]:
    """Yield a turn for both ends of each row, column and main diagonal."""
    far = size - 1
    for place in range(size):
        yield f"{cell_name(0, place)}+{cell_name(far, place)}"
        yield f"{cell_name(place, 0)}+{cell_name(place, far)}"
    yield f"{cell_name(0, 0)}+{cell_name(far, far)}"
    yield f"{cell_name(far, 0)}+{cell_name(0, far)}"


def single_cells(position: Position) -> list[str]:
    """Return the moves of one cell, which tinc yields before those of two."""
    return list(takewhile(lambda move: "+" not in move, position.legal_moves()))
