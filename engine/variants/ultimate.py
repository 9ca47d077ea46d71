"""Ultimate tic-tac-toe: nine local boards in a global one; each move sends the opponent to a board.

A cell of the 9×9 grid is a local board (its place in the global board) and a place in that board.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from engine.boards.grid import FULL, HAS_LINE, PLACES, completed_lines
from engine.boards.local_boards import (
    LocalBoardsPosition,
    cells_of,
    ends_of_lines,
    marked,
    place_names,
)
from engine.drawing.text import Area, trimmed, with_ends
from engine.game import InvalidMove, Message, Outcome, Side, Variant, drawn, message, won_by
from engine.style import ASCII

if TYPE_CHECKING:
    from collections.abc import Mapping

    from engine.style import Style


_CELLS = cells_of(9)
_AREA = Area(top=1, bottom=11, left=6, right=26)
# Looking a member up on its enumeration costs more than any other step of a move.
_X, _O = Side.X, Side.O


class _State(NamedTuple):
    x: int
    o: int
    x_boards: int
    o_boards: int
    closed: int
    allowed: int
    turn: Side
    outcome: Outcome | None


class UltimatePosition(_State, LocalBoardsPosition):
    """A position of ultimate tic-tac-toe.

    `x` and `o` are the marks of each side (81 bits), `x_boards` and `o_boards` the local boards won
    by each, `closed` those won or full, `allowed` those where the side to move may play (9 bits).
    """

    __slots__ = ()

    @property
    def _cells(self) -> Mapping[str, tuple[int, int]]:
        return _CELLS

    def _name(self, board: int) -> Message:
        return message("{place} board", place=PLACES[board])

    def _destination(self) -> Message:
        return self._name(self.allowed.bit_length() - 1)

    def play(self, move: str) -> UltimatePosition:
        """Return the position after a mark in the cell that `move` names."""
        x, o, x_boards, o_boards, closed, allowed, turn, outcome = self
        cell = _CELLS.get(move)
        if cell is None:
            raise InvalidMove("Write the move as {move}", move=self.parse(move))
        board, place = cell
        if outcome is not None or not allowed >> board & 1 or (x | o) >> 9 * board + place & 1:
            self._check(move)
        closed_before = closed
        x, o, x_boards, o_boards, closed = marked(
            (x, o, x_boards, o_boards, closed), turn, board, place
        )
        if closed != closed_before:
            own_boards = x_boards if turn is _X else o_boards
            if HAS_LINE[own_boards]:
                outcome = _win(turn, own_boards)
            elif closed == FULL:
                outcome = _DRAW
        allowed = FULL & ~closed if closed >> place & 1 else 1 << place
        return _position(
            UltimatePosition,
            (x, o, x_boards, o_boards, closed, allowed, _O if turn is _X else _X, outcome),
        )

    def diagram(self, style: Style = ASCII) -> str:
        """Return the nine local boards; `~` is an empty cell open to the side to move."""
        return trimmed(self._drawn(style), _AREA.left, style)

    def _drawn(self, style: Style) -> str:
        rows = ["      a b c   d e f   g h i"]
        for band in range(3):
            rows += [
                f" {3 * band + row}    {cells}".rstrip()
                for row, cells in enumerate(self._band(3 * band, style), start=1)
            ]
            rows += [""] if band < 2 else []
        return "\n".join(rows)

    def close_up(self, style: Style = ASCII) -> str:
        """Return the diagram, both ends of a line of won local boards marked."""
        won = self.x_boards if HAS_LINE[self.x_boards] else self.o_boards
        drawing = with_ends(self._drawn(style), _AREA, ends_of_lines(won, _AREA), style)
        return trimmed(drawing, _AREA.left, style)

    def describe(self) -> tuple[Message, ...]:
        """Return a sentence for each local board, then what is to do."""
        return (*(self._words(board) for board in range(9)), self.instruction())

    def instruction(self) -> Message:
        """Return where the side to move may play, or how the game ended."""
        if self.outcome is not None:
            return message("The game is over: {reason}.", reason=self.outcome.reason)
        if self.allowed == FULL:
            return message("Play anywhere.")
        if not self.allowed & self.allowed - 1:
            return message("Play in the {board}.", board=self._destination())
        return message("Play in any open board: {boards}.", boards=place_names(self.allowed))


_position = tuple.__new__
_DRAW = drawn(message("all nine local boards are closed and nobody has three in a row"))


@cache
def _win(side: Side, boards: int) -> Outcome:
    line = completed_lines(boards)[0]
    return won_by(
        side,
        message(
            "{side} has three local boards in a row: {boards}",
            side=side,
            boards=tuple(PLACES[board] for board in line),
        ),
    )


ULTIMATE = Variant(
    key="ultimate",
    name="Ultimate",
    title="Ultimate Tic-Tac-Toe",
    start=UltimatePosition(0, 0, 0, 0, 0, FULL, Side.X, None),
)
