"""Players of tinc who never mind the edge, and build their own lines with all that they have.

None of them puts a symbol on the edge unless that wins or nothing else is possible, so an opponent
with a ready line wins. They differ in what they do inside.
"""

from dataclasses import dataclass
from itertools import combinations
from random import Random

from engine import Position
from engine.boards.lines_across import Line, LineCounts, cells_of, ends_of, lines_through
from engine.bots.bot import Choice
from engine.cells import Cell
from engine.variants.tinc import TincPosition

_WIDEST = 20
"""The number of cells of the best lines that a player who weighs pairs combines."""


@dataclass(frozen=True)
class CarelessBuilder:
    """Wins where it can, and otherwise builds inside.

    Attributes:
        blocks: how many cells a line of the opponent may lack to be ready for this player to put a
            symbol in its way first; -1: it never looks at the opponent's lines.
        weighs: whether it chooses the pair of cells that is best for all of its lines together, and
            so makes several threats at once, rather than to go on with the longest one.
        presses: whether it first makes a line of its own ready where it can, and so keeps the
            initiative for as long as that lasts.
        whims: how often a turn is made at random, inside.
    """

    blocks: int = -1
    weighs: bool = False
    presses: bool = False
    whims: float = 0.1

    def choose(self, position: Position, seconds: float, rng: Random) -> Choice:
        return Choice(self._move(TincPosition.of(position), rng), 0.5)

    def _move(self, position: TincPosition, rng: Random) -> str:
        reach, lines = position.reach, position.lines()
        if reach < 1:
            return position.random_move(rng)
        ready = lines.ready(position.turn)
        if ready:
            return position.turn_in(ends_of(rng.choice(ready), reach))
        inside = [
            (column, row)
            for column in range(1 - reach, reach)
            for row in range(1 - reach, reach)
            if (column, row) not in position.symbols
        ]
        if not inside:
            return position.random_move(rng)
        rng.shuffle(inside)
        if rng.random() < self.whims:
            return position.turn_in(inside[: rng.randint(1, 2)])
        cells = self._presses(position, lines) or self._blocks(position, lines, rng)
        free = [cell for cell in inside if cell not in cells]
        return position.turn_in(cells + self._builds(position, lines, free, 2 - len(cells)))

    def _presses(self, position: TincPosition, lines: LineCounts) -> list[Cell]:
        """Return the cells that make the most of its lines ready, if any can be made so."""
        inside = 2 * position.reach - 1
        own = lines.open_to(position.turn)
        near = [_gaps(position, line) for line, count in own.items() if inside - count in (1, 2)]
        turns = [{*one, *other} for one in near for other in near if self.presses]
        turns = [cells for cells in turns if len(cells) <= 2]
        return sorted(
            max(turns, key=lambda cells: sum({*gaps} <= cells for gaps in near), default=())
        )

    def _blocks(self, position: TincPosition, lines: LineCounts, rng: Random) -> list[Cell]:
        """Return cells in the way of those lines of the opponent that are nearly ready."""
        inside = 2 * position.reach - 1
        theirs = {
            line: count
            for line, count in lines.open_to(position.turn.other).items()
            if 0 < inside - count <= self.blocks
        }
        cells: list[Cell] = []
        while theirs and len(cells) < 2:
            gaps = [cell for line in theirs for cell in _gaps(position, line)]
            rng.shuffle(gaps)
            best = max(gaps, key=lambda cell: sum(line in theirs for line in lines_through(cell)))
            cells.append(best)
            theirs = {line: n for line, n in theirs.items() if line not in lines_through(best)}
        return cells

    def _builds(
        self, position: TincPosition, lines: LineCounts, free: list[Cell], number: int
    ) -> list[Cell]:
        """Return up to `number` of the cells inside that are `free`, in which it builds."""
        own, lost = lines.open_to(position.turn), lines.counts[position.turn.other]

        def worth(cells: tuple[Cell, ...]) -> tuple[float, ...]:
            gained: dict[Line, int] = {}
            for cell in cells:
                for line in lines_through(cell):
                    if line not in lost:
                        gained[line] = gained.get(line, own.get(line, 0)) + 1
            counts = sorted(gained.values(), reverse=True)
            return tuple(counts)

        if not number:
            return []
        best = sorted(free, key=lambda cell: worth((cell,)), reverse=True)
        if self.weighs and number == 2:
            return list(max(combinations(best[:_WIDEST], 2), key=worth, default=best[:2]))
        if not own:
            return best[:number]
        longest = max(own, key=own.__getitem__)
        gaps = [cell for cell in _gaps(position, longest) if cell in free][:number]
        return gaps + [cell for cell in best if cell not in gaps][: number - len(gaps)]


def _gaps(position: TincPosition, line: Line) -> list[Cell]:
    """Return the cells that a line lacks to be ready."""
    near = position.reach - 1
    return [cell for cell in cells_of(line, near) if cell not in position.symbols]


CARELESS_BUILDERS: dict[str, CarelessBuilder] = {
    "goes on with its longest line": CarelessBuilder(),
    "makes several threats at once": CarelessBuilder(weighs=True),
    "blocks what is nearly ready": CarelessBuilder(blocks=2),
    "presses, then blocks": CarelessBuilder(blocks=2, presses=True),
    "presses, blocks and makes threats": CarelessBuilder(blocks=2, weighs=True, presses=True),
    "presses and blocks early": CarelessBuilder(blocks=4, weighs=True, presses=True),
    "presses, and has whims": CarelessBuilder(blocks=2, weighs=True, presses=True, whims=0.4),
}
"""The players, by what they do."""
