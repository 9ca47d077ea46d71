"""Ultimate tic-tac-toe: nine local boards in a global one; each move sends the opponent to a board.

A cell of the 9×9 grid is a local board (its place in the global board) and a place in that board.
Marks are kept as 81-bit masks, nine bits a local board, so that a local board is a shift away.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from engine.game import (
    IllegalMove,
    InvalidMove,
    Message,
    Outcome,
    Position,
    Side,
    Variant,
    drawn,
    message,
    won_by,
)
from engine.grid import (
    FULL,
    HAS_LINE,
    LARGE_MARKS,
    PLACES,
    cell_name,
    cells_in,
    completed_lines,
    places,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

SIZE = 9
"""Cells along one side of the whole grid."""


def name_of(board: int, place: int) -> str:
    """Return the name of the cell at `place` of local board `board`, both 0 to 8.

    >>> name_of(4, 4)
    'e5'
    """
    return cell_name(board % 3 * 3 + place % 3, board // 3 * 3 + place // 3)


_CELLS: dict[str, tuple[int, int]] = {
    name_of(board, place): (board, place) for board in range(9) for place in range(9)
}
_FREE: tuple[tuple[tuple[str, ...], ...], ...] = tuple(
    tuple(
        tuple(name_of(board, place) for place in range(9) if not taken >> place & 1)
        for taken in range(FULL + 1)
    )
    for board in range(9)
)
"""For a local board and the mask of its taken places: the names of its empty cells."""


class _State(NamedTuple):
    x: int
    o: int
    x_boards: int
    o_boards: int
    closed: int
    allowed: int
    turn: Side
    outcome: Outcome | None


class UltimatePosition(_State, Position):
    """A position of ultimate tic-tac-toe.

    `x` and `o` are the marks of each side (81 bits), `x_boards` and `o_boards` the local boards won
    by each, `closed` those won or full, `allowed` those where the side to move may play (9 bits).
    """

    __slots__ = ()

    def legal_moves(self) -> Sequence[str]:
        """Return the moves, local board by local board."""
        if self.outcome is not None:
            return ()
        taken = self.x | self.o
        boards = places(self.allowed)
        if len(boards) == 1:
            return _FREE[boards[0]][taken >> 9 * boards[0] & FULL]
        moves: tuple[str, ...] = ()
        for board in boards:
            moves += _FREE[board][taken >> 9 * board & FULL]
        return moves

    def parse(self, text: str) -> str:
        """Return the name of the cell that was typed, as "e5", "E5" or " e5 "."""
        cells = cells_in(text)
        if cells is None:
            raise InvalidMove("Name one cell by its column and row, like e5")
        if len(cells) > 1:
            raise InvalidMove("A move is one cell, like e5")
        move = cell_name(*cells[0])
        if move not in _CELLS:
            raise InvalidMove("{cell} is not on the board, which goes from a1 to i9", cell=move)
        self._check(move)
        return move

    def play(self, move: str) -> UltimatePosition:
        """Return the position after a mark in the cell that `move` names."""
        x, o, x_boards, o_boards, closed, allowed, turn, outcome = self
        cell = _CELLS.get(move)
        if cell is None:
            self.parse(move)
            raise InvalidMove("Write the move as {move}", move=self.parse(move))
        board, place = cell
        shift = 9 * board
        bit = 1 << shift + place
        if outcome is not None or not allowed >> board & 1 or (x | o) & bit:
            self._check(move)
        if turn is Side.X:
            x |= bit
            own = x >> shift & FULL
            if HAS_LINE[own]:
                x_boards |= 1 << board
                closed |= 1 << board
                if HAS_LINE[x_boards]:
                    outcome = _win(turn, x_boards)
            turn = Side.O
        else:
            o |= bit
            own = o >> shift & FULL
            if HAS_LINE[own]:
                o_boards |= 1 << board
                closed |= 1 << board
                if HAS_LINE[o_boards]:
                    outcome = _win(turn, o_boards)
            turn = Side.X
        if (x | o) >> shift & FULL == FULL:
            closed |= 1 << board
        if closed == FULL and outcome is None:
            outcome = _DRAW
        allowed = FULL & ~closed if closed >> place & 1 else 1 << place
        return _position(
            UltimatePosition, (x, o, x_boards, o_boards, closed, allowed, turn, outcome)
        )

    def _check(self, move: str) -> None:
        board, place = _CELLS[move]
        if self.outcome is not None:
            raise IllegalMove("The game is over")
        if (self.x | self.o) >> 9 * board + place & 1:
            raise IllegalMove("{cell} is taken", cell=move)
        if self.allowed >> board & 1:
            return
        if self.closed >> board & 1:
            raise IllegalMove(
                "{cell} is in the {board} board, which is closed", cell=move, board=PLACES[board]
            )
        raise IllegalMove(
            "{cell} is in the {board} board, but you were sent to the {target} board",
            cell=move,
            board=PLACES[board],
            target=PLACES[places(self.allowed)[0]],
        )

    def diagram(self) -> str:
        """Return the nine local boards; `~` is an empty cell open to the side to move."""
        rows = ["      a b c   d e f   g h i"]
        for band in range(3):
            drawings = [self._local_rows(3 * band + board) for board in range(3)]
            rows += [
                f" {3 * band + row + 1}    "
                + "   ".join(drawing[row] for drawing in drawings).rstrip()
                for row in range(3)
            ]
            rows += [""] if band < 2 else []
        return "\n".join(rows)

    def _local_rows(self, board: int) -> Sequence[str]:
        for side, boards in ((Side.X, self.x_boards), (Side.O, self.o_boards)):
            if boards >> board & 1:
                return LARGE_MARKS[side]
        empty = "~" if self.outcome is None and self.allowed >> board & 1 else "."
        x, o = self.x >> 9 * board, self.o >> 9 * board
        marks = ["X" if x >> place & 1 else "O" if o >> place & 1 else empty for place in range(9)]
        return [" ".join(marks[row : row + 3]) for row in (0, 3, 6)]

    def describe(self) -> tuple[Message, ...]:
        """Return a sentence for each local board that holds a mark, then what is to do."""
        return (*(self._local_words(board) for board in range(9)), self.instruction())

    def _local_words(self, board: int) -> Message:
        name = PLACES[board]
        for side, boards in ((Side.X, self.x_boards), (Side.O, self.o_boards)):
            if boards >> board & 1:
                return message("The {board} board is won by {side}.", board=name, side=side)
        x, o = self.x >> 9 * board & FULL, self.o >> 9 * board & FULL
        if x | o == FULL:
            return message("The {board} board is full and counts for nobody.", board=name)
        if not x | o:
            return message("The {board} board is empty.", board=name)
        cells = {
            side: tuple(name_of(board, place) for place in places(mask))
            for side, mask in ((Side.X, x), (Side.O, o))
        }
        if not o:
            return message("In the {board} board X has {x}.", board=name, x=cells[Side.X])
        if not x:
            return message("In the {board} board O has {o}.", board=name, o=cells[Side.O])
        return message(
            "In the {board} board X has {x} and O has {o}.",
            board=name,
            x=cells[Side.X],
            o=cells[Side.O],
        )

    def instruction(self) -> Message:
        """Return where the side to move may play, or how the game ended."""
        if self.outcome is not None:
            return message("The game is over: {reason}.", reason=self.outcome.reason)
        boards = places(self.allowed)
        if self.allowed == FULL:
            return message("Play anywhere.")
        if len(boards) == 1:
            return message("Play in the {board} board.", board=PLACES[boards[0]])
        return message(
            "Play in any open board: {boards}.", boards=tuple(PLACES[board] for board in boards)
        )


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
