"""The growth of tinc's grid, and its quickest wins."""

from collections import Counter
from collections.abc import Iterator

from engine.facts.model import Growth
from engine.variants.tinc import TINC, TincPosition


def growth() -> Growth:
    """Return the grids after three turns, and the number of games won with the fifth.

    X has five symbols on turn 5 and needs a line of them, so none of X's turns may have missed it
    and the grid must have stayed at five cells a side: both of X's symbols of turn 3, and all of
    O's of turn 4, are inside. The first one is in the middle of the grid.
    """
    one = TincPosition.of(TINC.start).play("a1")
    threes = [three for two in _after(one) for three in _after(two)]
    sizes = Counter(position.size for position in threes)
    hopeful = [position for position in threes if position.lines().ready(position.turn.other)]
    wins = sum(len(five.lines().ready(five.turn)) for four in hopeful for five in _staying(four))
    return Growth(tuple(sorted(sizes.items())), wins)


def _after(position: TincPosition) -> Iterator[TincPosition]:
    for move in position.legal_moves():
        yield position.play(move)


def _staying(position: TincPosition) -> Iterator[TincPosition]:
    """Yield the positions after each turn that does not make the grid grow."""
    return (after for after in _after(position) if after.size == position.size)
