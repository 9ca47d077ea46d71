"""The bot for tinc: it never loses, sees every win, and sets traps for careless opponents.

The outer ring of the grid is empty at the start of every turn but the first, since a symbol on it
would have made the grid grow. Call a line ready if one side holds all of it except its two ends,
which are on that ring. Three facts keep the search small:

1. A turn wins exactly if it fills both ends of a ready line: two symbols can fill no more than the
   two cells on the ring.
2. After a turn that puts a symbol on the ring the opponent cannot win at once. The grid has grown,
   and the old ring, now inside, holds symbols of that turn only: no line of the opponent is ready.
3. After a turn that puts none there, the opponent can win exactly if a line of theirs was ready
   before: the turn added none of their symbols, and a ready line is blocked on the ring alone.

So it is safe to build inside while the opponent has no ready line; once they have one, a symbol on
the edge is the only defence needed. Neither side can be forced: unless the side to move can win at
once, every position is a draw. What remains is to end as many turns as possible with a ready line,
a trap for an opponent who forgets the edge, and to block the opponent's lines.
"""

from collections.abc import Iterable
from heapq import nlargest
from itertools import combinations, product
from math import isclose
from random import Random
from typing import NamedTuple

from engine.boards.lines_across import (
    COLUMN,
    ROW,
    Line,
    LineCounts,
    cells_of,
    ends_of,
    lines_through,
)
from engine.bots.bot import Choice, require_running
from engine.bots.evaluators import Evaluation, Evaluator, Finding
from engine.cells import Cell, cell_name, column_name
from engine.game import Position, SideNames
from engine.messages import Message, in_context, message
from engine.variants.tinc import TincPosition

_STEP = 0.1
"""The ratio of a line's value to its value with one more symbol.

It is small, so that the longest line decides: against bots that overlook lines, building several
lines side by side won fewer games.
"""

_BLOCKING, _EXTENDING = 2.0, 0.3
"""The weights of an opponent's line relative to the bot's own.

A bot that may forget the edge has `_BLOCKING`: of two equal lines it blocks the opponent's. A bot
that never forgets, which no line can hurt, has `_EXTENDING` and extends its own: the lower this
weight, the more often it beat opponents that block.
"""

_PATIENCE = 26
"""The reach of the grid from which a bot that forgets nothing ends a race.

In a race each side has a line that grows with the grid: one side's is ready at the end of each of
its turns, say, and the other's lacks a cell or two. The first side to err loses, so a bot that
never errs can wait. It does not wait for ever: a symbol at the end of the opponent's line ends it.
"""

_OPENING = 2
"""The largest reach of the grid at which a bot that forgets nothing chooses among equal turns."""

_LINES, _PLACES, _STRAY, _CELLS = 6, 24, 4, 14
"""The numbers of lines of each side that the bot considers, of cells on each line, of additional
random cells, and of the best cells among these, which it pairs to turns."""


class TincBot:
    """A bot for tinc; its cost depends on the number of symbols, not on the size of the grid.

    `overlooks` is the probability, for each line and turn, that the bot does not see a line of the
    opponent; for its own lines it is the square of this. `forgets` is the probability, for each
    turn, that it ignores the opponent's threats. A bot that overlooks and forgets nothing never
    loses.
    """

    def __init__(self, overlooks: float = 0.0, forgets: float = 0.0) -> None:
        self._overlooks, self._forgets = overlooks, forgets

    def choose(self, position: Position, seconds: float, rng: Random) -> Choice:  # noqa: ARG002 - it answers at once
        """Return a turn of a tinc position that is not over.

        Raises `TypeError` for another game's position, `ValueError` for one that is over.
        """
        tinc = TincPosition.of(position)
        require_running(tinc)
        errs = bool(self._overlooks or self._forgets)
        sight = _Sight(tinc, rng, self._overlooks, errs=errs)
        move = sight.move(careful=rng.random() >= self._forgets)
        return Choice(move, expected(tinc), is_exact=True, reason=_reason(tinc, move))


def expected(position: TincPosition) -> float:
    """Return the proven result for the side to move with best play: 1, 0.5 or, if it is over, 0."""
    if position.outcome is not None:
        return 0.0
    return 1.0 if position.lines().ready(position.turn) else 0.5


class _Sight:
    """A position without the lines that a bot overlooks, and the bot's evaluation of it."""

    def __init__(
        self, position: TincPosition, rng: Random, overlooks: float, *, errs: bool
    ) -> None:
        lines = position.lines()
        self.position, self.rng, self.errs = position, rng, errs
        self.their_weight = _BLOCKING if errs else _EXTENDING
        self.reach, self.inside = position.reach, 2 * position.reach - 1
        self.own, self.theirs = (
            {
                line: count
                for line, count in lines.open_to(side).items()
                if not missed or rng.random() >= missed
            }
            for side, missed in ((position.turn, overlooks**2), (position.turn.other, overlooks))
        )
        self.lost = lines.counts[position.turn.other]
        self.longest = max([*self.own.values(), *self.theirs.values()], default=0)
        self.worth = self._sum(self.own) - self.their_weight * self._sum(self.theirs)

    # Relative to the longest line: in a wide grid, absolute powers would underflow.
    def _sum(self, lines: dict[Line, int]) -> float:
        return sum(_STEP ** (self.longest - count) for count in lines.values())

    def move(self, *, careful: bool = True) -> str:
        """Return the best turn that the bot sees; if not `careful`, it ignores ready lines."""
        if self.reach == 0:
            return "a1"
        wins = [line for line, count in self.own.items() if count == self.inside]
        if wins:
            return self.position.turn_in(ends_of(self.rng.choice(wins), self.reach))
        must_grow = careful and self.inside in self.theirs.values()
        if not self.errs and (turns := self._openings(must_grow=must_grow)):
            return self.position.turn_in(self.rng.choice(turns))
        inside = self._best(self._cells_inside())
        edge = self._best(self._cells_on_edge()) if must_grow or len(inside) < 2 else []
        cells = [*edge, *inside]
        turns = [turn for turn in combinations(cells, 2) if not must_grow or turn[0] in edge]
        if not self.errs and self.reach >= _PATIENCE:
            turns = self._ending_races(turns)
        return self.position.turn_in(max(turns, key=self._value, default=cells[:1]))

    def _openings(self, *, must_grow: bool) -> list[tuple[Cell, Cell]]:
        """Return the best turns of the opening, all equally good; there may be none.

        In O's first turn these are two corners at one side. An opponent that builds lines, blocks
        those of O, leaves the initiative and errs every tenth turn loses nine games in ten against
        them, and no more than five against another turn. Later they are the turns that keep the
        initiative.
        """
        if self.reach > _OPENING:
            return []
        near = range(-self.reach, self.reach + 1)
        empty = sorted({*product(near, near)} - self.position.symbols.keys())
        turns = [turn for turn in combinations(empty, 2) if self._grows(turn) is must_grow]
        if self.reach > 1:
            return [turn for turn in turns if self._presses(turn)]
        best = max(map(self._value, turns))
        return [turn for turn in turns if isclose(self._value(turn), best)]

    def _presses(self, turn: tuple[Cell, Cell]) -> bool:
        """Return whether a turn makes a line ready or, if it grows the grid, one that can be next.

        A turn that ends a race, by a symbol at an end of the opponent's ready line, does not.
        """
        touched = _touched(turn)
        if any(self.theirs.get(line, 0) == self.inside for line in touched):
            return False
        # If the grid grows, a line needs two more symbols, which are one turn: same count.
        return any(
            line not in self.lost and self.own.get(line, 0) + count >= self.inside
            for line, count in touched.items()
        )

    def _ending_races(self, turns: list[tuple[Cell, Cell]]) -> list[tuple[Cell, Cell]]:
        """Return the turns that block the most of the opponent's ready lines."""
        ready = {line for line, count in self.theirs.items() if count == self.inside}
        blocked = {turn: len(ready & _touched(turn).keys()) for turn in turns}
        most = max(blocked.values(), default=0)
        return [turn for turn in turns if blocked[turn] == most]

    def _cells_inside(self) -> set[Cell]:
        near, symbols = self.reach - 1, self.position.symbols
        cells = {
            (self.rng.randint(-near, near), self.rng.randint(-near, near)) for _ in range(_STRAY)
        }
        for line in self._foremost():
            empty = [cell for cell in cells_of(line, near) if cell not in symbols]
            cells.update(self.rng.sample(empty, min(_PLACES, len(empty))))
        return cells

    def _cells_on_edge(self) -> set[Cell]:
        return {cell for line in self._foremost() for cell in ends_of(line, self.reach)} | {
            self.position.cell_on_edge(self.rng) for _ in range(_STRAY)
        }

    def _foremost(self) -> list[Line]:
        return [
            *nlargest(_LINES, self.own, key=self.own.__getitem__),
            *nlargest(_LINES, self.theirs, key=self.theirs.__getitem__),
        ]

    def _best(self, cells: Iterable[Cell]) -> list[Cell]:
        empty = sorted(cell for cell in cells if cell not in self.position.symbols)
        self.rng.shuffle(empty)
        return nlargest(_CELLS, empty, key=lambda cell: self._value((cell,)))

    def _value(self, cells: Iterable[Cell]) -> float:
        """Return the value of the position after symbols have been put in `cells`."""
        worth = self.worth
        touched = _touched(cells)
        for line, count in touched.items():
            if line in self.theirs:
                worth += self.their_weight * _STEP ** (self.longest - self.theirs[line])
            elif line not in self.lost:
                before = self.own.get(line, 0)
                worth += _STEP ** (self.longest - before - count)
                if before:
                    worth -= _STEP ** (self.longest - before)
        return worth * _STEP**2 if self._grows(cells) else worth

    def _grows(self, cells: Iterable[Cell]) -> bool:
        return any(self.reach in (column, -column, row, -row) for column, row in cells)


def _touched(cells: Iterable[Cell]) -> dict[Line, int]:
    """Return the lines through `cells`, each with the number of these cells on it."""
    touched: dict[Line, int] = {}
    for cell in cells:
        for line in lines_through(cell):
            touched[line] = touched.get(line, 0) + 1
    return touched


def _reason(position: TincPosition, move: str) -> Message:
    after = position.play(move)
    if after.outcome is not None:
        ready, reach = position.lines().ready(position.turn), position.reach
        filled = next(line for line in ready if position.turn_in(ends_of(line, reach)) == move)
        # Translators: {line} is a line with the context “a line”, such as “row 3”.
        return in_context(
            "what a move does", "fills {line} and wins", line=line_name(filled, reach)
        )
    if position.reach == 0:
        return in_context("what a move does", "is the only move")
    opponent = position.turn.other
    before = position.lines()
    threats = before.ready(opponent)
    if threats and position.reach > 1 and after.reach > position.reach:
        # Translators: {lines} are lines with the context “a line”, such as “row 3, column c”.
        return in_context(
            "what a move does",
            "puts a symbol on the edge, so the grid grows and {side} cannot fill {lines}",
            side=opponent,
            lines=tuple(line_name(line, position.reach) for line in threats),
        )
    now = after.lines()
    ready = now.ready(position.turn)
    if ready:
        # Translators: {lines} are lines with the context “of a line”.
        return in_context(
            "what a move does",
            "leaves only the ends of {lines} to fill, so {side} must put a symbol on the edge now",
            lines=tuple(_line_of(line, position.reach) for line in ready),
            side=opponent,
        )
    return _plan(before, now, position)


def _plan(before: LineCounts, now: LineCounts, position: TincPosition) -> Message:
    """Return the reason for a turn that neither wins nor defends nor threatens."""
    own, theirs = now.open_to(position.turn), before.open_to(position.turn.other)
    touched = now.counts[position.turn] - before.counts[position.turn]
    least = 1 if position.reach == 1 else 2  # on the second turn the opponent has one symbol
    blocked = [line for line in touched if theirs.get(line, 0) >= least]
    built = [line for line in touched if own.get(line, 0) > 1]
    if blocked and (
        not built or max(map(theirs.__getitem__, blocked)) >= max(map(own.__getitem__, built))
    ):
        line = max(blocked, key=theirs.__getitem__)
        # Translators: {line} is a line with the context “a line”, such as “row 3”.
        return in_context("what a move does", "blocks {line}", line=line_name(line, position.reach))
    if built:
        line = max(built, key=own.__getitem__)
        # Translators: {line} is a line with the context “a line”, such as “row 3”.
        return in_context(
            "what a move does", "builds on {line}", line=line_name(line, position.reach)
        )
    return in_context("what a move does", "opens new lines")


def line_name(line: Line, reach: int) -> Message:
    """Return the name of a line in a grid that reaches `reach` cells from its middle."""
    return _named(line, reach, _LINE)


def _line_of(line: Line, reach: int) -> Message:
    """Return the same name as it follows "of"."""
    return _named(line, reach, _OF_LINE)


class _LineNames(NamedTuple):
    """The names of the kinds of lines."""

    row: Message
    column: Message
    diagonal: Message


_LINE = _LineNames(
    # Translators: a line as a subject or an object: “blocks row 3, column c”, “row 3 is ready”.
    in_context("a line", "row {row}"),
    in_context("a line", "column {column}"),
    in_context("a line", "the diagonal from {first} to {last}"),
)
_OF_LINE = _LineNames(
    # Translators: a line that follows “of”: “the ends of row 3, column c”. If your language joins
    # “of” to an article, write it here and leave it out of this sentence.
    in_context("of a line", "row {row}"),
    in_context("of a line", "column {column}"),
    in_context("of a line", "the diagonal from {first} to {last}"),
)


def _named(line: Line, reach: int, names: _LineNames) -> Message:
    direction, number = line
    if direction == ROW:
        return names.row.filled(row=number + reach + 1)
    if direction == COLUMN:
        return names.column.filled(column=column_name(number + reach))
    first, last = (
        cell_name(column + reach, row + reach) for column, row in sorted(ends_of(line, reach))
    )
    return names.diagonal.filled(first=first, last=last)


def _carelessness(finding: Finding, names: SideNames) -> Message:
    """Return the sentence about a turn that gave away a win or a draw."""
    before, after = finding.own
    values = {"number": finding.number, "move": finding.move, "best": finding.best}
    if before == 1.0 and after == 0.0:
        # Translators: {move} and {best} are moves; {side} is X or O.
        return message(
            "Move {number}, {move}, missed a win and left {side} one: {best} wins",
            side=names[finding.side.other],
            **values,
        )
    if before == 1.0:
        # Translators: {move} and {best} are moves.
        return message("Move {number}, {move}, missed a win: {best} wins", **values)
    # Translators: {move} and {best} are moves; {side} is X or O.
    return message(
        "Move {number}, {move}, forgot the edge and left {side} a line to fill: {best} is safe",
        side=names[finding.side.other],
        **values,
    )


EVALUATOR = Evaluator(
    evaluate=lambda position, _seconds, _rng: Evaluation(expected(TincPosition.of(position))),
    bot=TincBot,
    words=_carelessness,
    is_exact=True,
)
"""The evaluator of tinc: a position is won if the side to move can win at once, else drawn."""
