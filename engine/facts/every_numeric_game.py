"""All games of numeric, counted without playing them.

A position without a line of 15 has none after fewer of its moves either, so its odd and its even
numbers can have come in any order. One that is won was open before its last move: the mover's last
number is in every line of 15, and those before it came in any order.

Which cells are filled decides how often a symmetry preserves a position, since no number occurs
twice. So it is enough to look at one of the sets of cells that the symmetries make the same.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import factorial

from engine.boards.grid import LINES, SYMMETRIES, places
from engine.facts.model import EveryGame, Ply
from engine.facts.progress import Progress, unobserved
from engine.variants.numeric import TARGET

_ODD = (1, 3, 5, 7, 9)
_EVEN = (2, 4, 6, 8)


@dataclass
class _Tally:
    """The open positions of a set of cells, and the won ones by their number of last moves."""

    open: int = 0
    won: int = 0
    last_moves: int = 0


@dataclass
class _Filling:
    """An enumeration of all ways to fill cells with given counts of odd and even numbers."""

    filled: Sequence[int]
    odd: int
    even: int
    numbers: dict[int, int] = field(default_factory=dict)
    tally: _Tally = field(default_factory=_Tally)

    def __post_init__(self) -> None:
        # For each cell in turn the lines that it completes.
        self._completed = [
            [line for line in LINES if max(line) == place and set(line) <= {*self.filled}]
            for place in self.filled
        ]
        self._movers = _ODD if self.odd > self.even else _EVEN

    def fill(self, index: int, odd: int, even: int, made: tuple[tuple[int, ...], ...]) -> None:
        """Fill the cells from `index` on; `made` are lines of 15."""
        if index == len(self.filled):
            self._note(made)
            return
        place, numbers = self.filled[index], self.numbers
        for kind in ((*_ODD,) if odd else ()) + ((*_EVEN,) if even else ()):
            if kind in numbers.values():
                continue
            numbers[place] = kind
            lines = [
                line
                for line in self._completed[index]
                if numbers[line[0]] + numbers[line[1]] + numbers[line[2]] == TARGET
            ]
            is_odd = kind % 2
            self.fill(index + 1, odd - is_odd, even - 1 + is_odd, (*made, *lines))
            del numbers[place]

    def _note(self, made: tuple[tuple[int, ...], ...]) -> None:
        if not made:
            self.tally.open += 1
            return
        last = set(made[0]).intersection(*made[1:])
        movers = sum(self.numbers[place] in self._movers for place in last)
        if movers:
            self.tally.won += 1
            self.tally.last_moves += movers


def every_game(progress: Progress = unobserved) -> EveryGame:
    """Return the count of all games of numeric and of all positions in them."""
    tallies = [_Tally() for _ in range(10)]
    kinds = Fraction()
    for filled, alike in progress(_sets_of_cells(), "all positions"):
        length = len(filled)
        odd, even = (length + 1) // 2, length // 2
        filling = _Filling(filled, odd, even)
        filling.fill(0, odd, even, ())
        found, tally = filling.tally, tallies[length]
        tally.open += alike * found.open
        tally.won += alike * found.won
        tally.last_moves += alike * found.last_moves
        kinds += Fraction(alike * (found.open + found.won), _images(filled))
    return EveryGame(
        plies=tuple(_ply(length, tallies[length]) for length in range(1, 10)),
        positions=sum(tally.open + tally.won for tally in tallies),
        positions_but_for_symmetry=int(kinds),
    )


def _ply(length: int, tally: _Tally) -> Ply:
    odd, even = (length + 1) // 2, length // 2
    orders = factorial(odd) * factorial(even)
    # The last of the mover's numbers is settled, so only the others come in any order.
    wins = tally.last_moves * orders // (odd if length % 2 else even)
    still_open = tally.open * orders
    return Ply(
        open=0 if length == 9 else still_open,
        x_wins=wins if length % 2 else 0,
        o_wins=0 if length % 2 else wins,
        draws=still_open if length == 9 else 0,
    )


def _sets_of_cells() -> Sequence[tuple[Sequence[int], int]]:
    """Return sets of cells, each with the number of sets that symmetries make of it."""
    found: dict[frozenset[int], tuple[Sequence[int], int]] = {}
    for mask in range(512):
        cells = places(mask)
        images = {frozenset(symmetry[place] for place in cells) for symmetry in SYMMETRIES}
        if not images & found.keys():
            found[frozenset(cells)] = cells, len(images)
    return list(found.values())


def _images(filled: Sequence[int]) -> int:
    """Return how many positions the symmetries make of one with numbers in these cells."""
    kept = sum(all(symmetry[place] == place for place in filled) for symmetry in SYMMETRIES)
    return len(SYMMETRIES) // kept
