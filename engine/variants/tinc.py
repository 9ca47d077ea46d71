"""Theoretically infinite noughts and crosses: the grid grows whenever a symbol touches its edge.

Inside, a cell is a (column, row) counted from the very first cell, which is (0, 0) for good: growth
moves nothing. The grid is the square that reaches `reach` cells from there in each direction.

One fact carries the whole file: the outer ring of the grid is empty at the start of every turn from
the second on, because a symbol on it would have grown the grid. So only the symbols just placed can
touch the edge, and a turn can only fill a line by placing both of its ends.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations, islice
from random import Random
from typing import ClassVar

from engine.boards.growing_grid_words import (
    now_called,
    outside,
    words_on_close_up,
    words_on_size,
    words_on_symbols,
)
from engine.boards.line_filled import line_filled
from engine.boards.lines_across import LineCounts, ends_of
from engine.boards.symbols import Symbols
from engine.boards.symmetry import images
from engine.boards.unreadable import centre_words, part_of_cell, unreadable
from engine.cells import Cell, cell_called, cell_name, cells_in
from engine.drawing import viewport
from engine.drawing.viewport import CLOSE_UP, Ends, Grid, Window, close_up_size, drawing, whole
from engine.game import (
    IllegalMove,
    InvalidMove,
    Outcome,
    Position,
    Side,
    Variant,
    View,
    over,
    won_by,
)
from engine.messages import Message, in_context, message, only
from engine.style import ASCII, Style


@dataclass(frozen=True, slots=True)
class TincPosition(Position):
    """A position of theoretically infinite noughts and crosses.

    `symbols` maps cells, counted from the first one, to sides; `reach` is how far the grid goes
    from there in each direction. `placed` holds the cells of the latest turn, in reading order: it
    guides the eye and is no part of what makes two positions the same.
    """

    may_never_end: ClassVar[bool] = True
    has_countless_moves: ClassVar[bool] = True

    turn: Side
    reach: int
    symbols: Symbols
    outcome: Outcome | None = field(compare=False)
    placed: tuple[Cell, ...] = field(compare=False)

    @property
    def size(self) -> int:
        """The number of cells along a side of the grid."""
        return 2 * self.reach + 1

    def cells(self, side: Side) -> tuple[str, ...]:
        """Return the names of the cells that hold a symbol of `side`, in reading order."""
        own = [(row, column) for (column, row), owner in self.symbols.items() if owner is side]
        return tuple(self._name((column, row)) for row, column in sorted(own))

    def legal_moves(self) -> Iterator[str]:
        """Yield the moves as they are asked for: single cells first, then pairs.

        Both come in reading order. There is a move for every pair of empty cells: take what you
        need.
        """
        if self.outcome is not None:
            return
        empty = []
        for name in self._empty():
            empty.append(name)
            yield name
        yield from map(_joined, combinations(empty, 2))

    def example(self) -> str:
        """Return a turn of two symbols, or of one if there is only one cell."""
        return _joined(islice(self._empty(), 2))

    def _empty(self) -> Iterator[str]:
        reach, symbols = self.reach, self.symbols
        for row in range(-reach, reach + 1):
            for column in range(-reach, reach + 1):
                if (column, row) not in symbols:
                    yield cell_name(column + reach, row + reach)

    def parse(self, text: str) -> str:
        """Return the move that was typed, as "c3", "c3+d4", "D4, C3", "4d/3c" or "d4 and c3"."""
        read = cells_in(text)
        if read is None or len(read) > 2:
            raise self._unreadable(text, is_turn=read is None)
        cells = sorted(read, key=_reading_order)
        if len(cells) == 2 and cells[0] == cells[1]:
            raise InvalidMove(
                "{cell} is named twice. Two symbols need two cells", cell=cell_name(*cells[0])
            )
        self._check(cells)
        return _joined(_names(cells))

    def _unreadable(self, text: str, *, is_turn: bool) -> InvalidMove:
        """Return the refusal of a text that names no cell, or of one that names too many."""
        if self.outcome is not None:
            return InvalidMove("The game is over")
        if self.reach == 0:
            return InvalidMove("The grid has one cell now, so the first turn is a1")
        pair = self.example()
        if not is_turn:
            return InvalidMove("A turn takes at most two cells, like {pair}", pair=pair)
        cell = pair.partition("+")[0]
        advice = message(
            "Name one or two cells by column and row, like {cell} or {pair}", cell=cell, pair=pair
        )
        centre = None if (0, 0) in self.symbols else centre_words(self._name((0, 0)))
        return unreadable(advice, part_of_cell(text, centre))

    def play(self, move: str) -> "TincPosition":
        """Return the position after one turn: symbols placed, win checked, grid grown."""
        cells = _cells_of(move)
        if cells is None:
            raise InvalidMove("Write the move as {move}", move=self.parse(move))
        self._check(cells)
        turn, reach = self.turn, self.reach
        placed = tuple((column - reach, row - reach) for column, row in cells)
        symbols = self.symbols.adding(placed, turn)
        line = line_filled(symbols, reach, placed, turn)
        if line is not None:
            return TincPosition(turn.other, reach, symbols, won_by(turn, line), placed)
        if any(reach in (column, -column, row, -row) for column, row in placed):
            reach += 1
        return TincPosition(turn.other, reach, symbols, None, placed)

    def _check(self, cells: Sequence[Cell]) -> None:
        """Refuse a turn in `cells` of the grid, counted from its top left corner, if need be."""
        if self.outcome is not None:
            raise IllegalMove("The game is over")
        reach, size = self.reach, self.size
        if any(column >= size or row >= size for column, row in cells):
            self._refuse_outside([cell for cell in cells if max(cell) >= size])
        taken = [cell for cell in cells if (cell[0] - reach, cell[1] - reach) in self.symbols]
        if len(taken) == 2:
            # Translators: {cells} is a list of two cells.
            raise IllegalMove("{cells} are taken", cells=_names(taken))
        if taken:
            raise IllegalMove("{cell} is taken", cell=cell_name(*taken[0]))

    def _refuse_outside(self, cells: Sequence[Cell]) -> None:
        if self.reach == 0:
            raise IllegalMove("The grid has one cell now, so the first turn is a1")
        raise outside(_names(cells), self._corner)

    @property
    def _corner(self) -> str:
        return self._name((self.reach, self.reach))

    def _name(self, cell: Cell) -> str:
        return cell_name(cell[0] + self.reach, cell[1] + self.reach)

    def with_turn(self, side: Side) -> "TincPosition":
        """Return this position with `side` to move."""
        return replace(self, turn=side)

    def images(self, move: str) -> Sequence[str]:
        """Return the turn with the grid turned and mirrored in each of the eight ways."""
        return [_joined(cells) for cells in images(move.split("+"), self.size)]

    def identity(self) -> str:
        """Return the turn, the reach of the grid and its symbols in reading order."""
        cells = (" ".join(self.cells(side)) for side in Side)
        return f"{self.turn} {self.reach} {'/'.join(cells)}"

    def random_move(self, rng: Random) -> str:
        """Return a turn of one or two cells chosen at random, without a look at all the others."""
        return self._random_turn(rng)

    def promising_moves(self, limit: int, rng: Random) -> Sequence[str]:
        """Return up to `limit` turns: all that win, then random ones, half of them on the edge."""
        ready = self.lines().ready(self.turn)
        wins = [self.turn_in(ends_of(line, self.reach)) for line in ready]
        others = [
            self._random_turn(rng, self.cell_on_edge(rng) if number % 2 else None)
            for number in range(limit - len(wins))
        ]
        return list(dict.fromkeys([*wins, *others]))

    def lines(self) -> LineCounts:
        """Return the number of symbols of each side on each line, counted from the middle."""
        return LineCounts(self.symbols.as_dict(), self.reach)

    def cell_on_edge(self, rng: Random) -> Cell:
        """Return a random cell of the outer ring, counted from the middle."""
        along, across = rng.randint(-self.reach, self.reach), rng.choice((-self.reach, self.reach))
        return (along, across) if rng.random() < 0.5 else (across, along)

    def _random_turn(self, rng: Random, first: Cell | None = None) -> str:
        """Return a random turn, with `first` in it if given.

        Most of a grid is empty, and its ring always: so looking at random finds an empty cell soon.
        """
        if self.reach == 0:
            return "a1"
        reach, symbols = self.reach, self.symbols
        cells = set() if first is None else {first}
        count = rng.randint(1, 2)
        while len(cells) < count:
            cell = rng.randint(-reach, reach), rng.randint(-reach, reach)
            if cell not in symbols:
                cells.add(cell)
        return self.turn_in(cells)

    def turn_in(self, cells: Iterable[Cell]) -> str:
        """Return the turn in one or two cells, which are counted from the middle."""
        return _joined(self._name(cell) for cell in sorted(cells, key=_reading_order))

    def diagram(self, style: Style = ASCII) -> str:
        """Return the whole grid, however wide; `~` is an empty cell."""
        return drawing(Grid(self.size, self.symbols.as_dict()), whole(self.size), style)

    def marked_by(self, move: str) -> tuple[str, ...]:
        """Return the cells of the turn as they are called once the grid has grown, if it does."""
        cells = _cells(move.split("+"))
        by = 1 if self._grows_by(cells) else 0
        return tuple(cell_name(column + by, row + by) for column, row in cells)

    def _grows_by(self, cells: Sequence[Cell]) -> bool:
        """Return whether a turn in these cells, counted from the top left corner, makes it grow."""
        edge, reach = {0, self.size - 1}, self.reach
        if not any(edge & {*cell} for cell in cells):
            return False
        placed = tuple((column - reach, row - reach) for column, row in cells)
        symbols = self.symbols.adding(placed, self.turn)
        return line_filled(symbols, reach, placed, self.turn) is None

    def narration(self, move: str) -> Message:
        """Return the turn, and what its cells are called since the grid has grown, if it has."""
        cells = self.marked_by(move)
        return only(move) if _joined(cells) == move else now_called(move, cells)

    def close_up(self, style: Style = ASCII, latest: Collection[str] = ()) -> str:
        """Return the grid, or of a wide one the part around the symbols placed last.

        Both ends of the line that won are marked if all of the grid is seen.
        """
        return drawing(self._grid(latest), self._window(style), style)

    def _grid(self, latest: Collection[str] = ()) -> Grid:
        """Return the grid to be drawn, with the line that won and the latest cells marked."""
        marks, line = self.symbols.as_dict(), self.winning_ends()
        return Grid(self.size, marks, line, _cells(latest))

    def view(
        self, around: str | None = None, style: Style = ASCII, latest: Collection[str] = ()
    ) -> View:
        """Return the grid, or of a wide one the part around a cell, else around the last symbols.

        The overview marks both ends of the line that won.
        """
        if self.size <= close_up_size(style):
            return View(self.close_up(style, latest), marks_line=self.winning_ends() is not None)
        cell = viewport.cell_at(around, self.size)
        shown = self._window(style) if cell is None else viewport.window([cell], self.size, style)
        seen = viewport.view(self._grid(latest), shown, style)
        return replace(seen, is_moved=cell is not None)

    def stages(self, move: str, style: Style = ASCII) -> tuple[str, ...]:
        """Return the grid before a turn, with its symbols placed, and grown, if it grows.

        Of a grid too wide for two of them side by side, the part around the turn's symbols is
        drawn, and all of it if they are too far apart, unless it is too wide for that.
        """
        after = self.play(move)
        placed = _cells(move.split("+"))
        part = viewport.part_around(placed, self.size, style)
        before = drawing(self._grid(), part, style)
        if after.reach == self.reach:
            return before, drawing(after._grid(move.split("+")), part, style)  # noqa: SLF001 - the same
        return (
            before,
            drawing(Grid(self.size, after.symbols.as_dict(), None, placed), part, style),
            drawing(
                after._grid(self.marked_by(move)),  # noqa: SLF001 - of this class
                viewport.grown(part, self.size),
                style,
            ),
        )

    def _window(self, style: Style = ASCII) -> Window:
        """Return the window of the close-up."""
        reach = self.reach
        placed = [(column + reach, row + reach) for column, row in self.placed]
        return viewport.window(placed, self.size, style)

    def winning_ends(self) -> "Ends | None":
        """Return the ends of the line that won: the symbols placed last."""
        if self.outcome is None or self.outcome.winner is None:
            return None
        reach = self.reach
        first, last = ((column + reach, row + reach) for column, row in self.placed)
        return first, last

    def describe(self) -> tuple[Message, ...]:
        """Return the size of the grid, the symbols, the last ones, and the task."""
        if self.reach == 0:
            return (message("The grid is one empty cell, a1."), self.instruction())
        last = tuple(self._name(cell) for cell in self.placed)
        return (
            words_on_size(self.size, self._corner),
            *([words_on_close_up(self._window())] if self.size > CLOSE_UP else []),
            *(words_on_symbols(side, self.cells(side)) for side in Side),
            # Translators: {cells} is a list of one or two cells.
            message("{side} placed {cells} last.", side=self.turn.other, cells=last),
            self.instruction(),
        )

    def instruction(self) -> Message:
        """Return how many symbols the side to move may place, or how the game ended."""
        if self.outcome is not None:
            return over(self.outcome)
        if self.reach == 0:
            # Translators: {side} is the symbol X or O.
            return message("Place one {side} in the only cell.", side=self.turn)
        # Translators: {side} is the symbol X or O.
        return message("Place one or two {side} in empty cells.", side=self.turn)


def _reading_order(cell: Cell) -> Cell:
    return cell[1], cell[0]


def _names(cells: Iterable[Cell]) -> tuple[str, ...]:
    return tuple(cell_name(*cell) for cell in cells)


_joined = "+".join


def _cells(names: Iterable[str]) -> Sequence[Cell]:
    """Return the cells that are called by these names, counted from the top left corner."""
    return [cell for name in names if (cell := cell_called(name)) is not None]


def _cells_of(move: str) -> tuple[Cell, ...] | None:
    """Return the cells of a move in canonical notation, or None for any other text."""
    first_name, plus, second_name = move.partition("+")
    first = cell_called(first_name)
    if first is None or not plus:
        return first and (first,)
    second = cell_called(second_name)
    if second is None or (first[1], first[0]) >= (second[1], second[0]):
        return None
    return first, second


TINC = Variant(
    key="tinc",
    # Translators: the name of a game on its pages, and then its full name.
    name=in_context("a game", "Tinc").text,
    title=in_context("a game", "Theoretically Infinite Noughts and Crosses").text,
    start=TincPosition(Side.X, 0, Symbols(), None, ()),
    tagline=message(
        "The grid begins as one cell. But a symbol on the edge makes it grow, and your line is "
        "too short again."
    ),
    about=message(
        "Theoretically Infinite Noughts and Crosses, Tinc for short, is played on a grid that "
        "grows whenever a symbol touches its edge."
    ),
    summary=(
        message("The grid begins as a single cell. X and O take turns."),
        message("On your turn, place one or two of your symbols in empty cells."),
        message(
            "You win if your symbols fill a line from one side to the opposite one: a row, a "
            "column or a main diagonal."
        ),
        message(
            "If nobody has won and a symbol stands on the edge, the grid grows by one cell in each "
            "direction."
        ),
        message("So a symbol on the edge saves you: it makes every line too short."),
    ),
    notation=message("c3 places one symbol, and c3+d4 places two."),
    origin=message(
        "James Chip published Tinc, Theoretically Infinite Noughts and Crosses, on Gemini."
    ),
)
