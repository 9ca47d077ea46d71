"""Extreme in the convention of the course assignment that the game comes from.

A bot there is a class with `move(board, old_move, flag)`. It returns (k, row, column): big board k,
0 or 1, and a cell of it, each from 0 to 8. `old_move` is the latest move of either side, the bot's
own before a bonus move, and `FIRST` at the start; `flag` is 'x' or 'o'. The board is one object for
the whole game, which a bot may copy and play on but must leave as it is.

The convention knows the bonus move only as one more call. A board does not say whether a move is
one: only `update` returns whether a small board was won.
"""

from collections.abc import Sequence
from copy import deepcopy
from random import Random
from typing import Protocol, TypeAlias

from engine.boards.grid import LINES
from engine.bots.bot import Choice
from engine.cells import cell_name, cells_in
from engine.game import Side
from engine.variants.extreme import EXTREME

Cell: TypeAlias = tuple[int, int, int]
"""Big board, row and column."""

VARIANT = EXTREME.key
"""The one variant that the convention knows."""

FIRST: Cell = (-1, -1, -1)
"""The latest move before there is one."""


class CourseBot(Protocol):
    """A bot in the convention of the course."""

    def move(self, board: "CourseBoard", old_move: Cell, flag: str) -> Cell:
        """Return a cell of `board.find_valid_move_cells(old_move)`."""


class Forfeit(Exception):
    """A bot has forfeited its game; the text says how, in words that follow its name."""


class CourseBoard:
    """Both big boards, in lists that a bot may read, and change in copies.

    `big_boards_status[k][row][column]` is '-', 'x' or 'o'. `small_boards_status[k][row][column]`
    has the winner of a small board, or '-', or 'd' for a full one that nobody won.
    """

    def __init__(self) -> None:
        self.big_boards_status = [[["-"] * 9 for _ in range(9)] for _ in range(2)]
        self.small_boards_status = [[["-"] * 3 for _ in range(3)] for _ in range(2)]

    def find_valid_move_cells(self, old_move: Cell) -> list[Cell]:
        """Return the cells where the side to move may play after `old_move`.

        They go big board by big board, row by row.
        """
        _, row, column = old_move
        top, left = row % 3, column % 3
        if old_move == FIRST or all(small[top][left] != "-" for small in self.small_boards_status):
            return self._empty_cells(range(9), range(9))
        return self._empty_cells(range(3 * top, 3 * top + 3), range(3 * left, 3 * left + 3))

    def _empty_cells(self, rows: range, columns: range) -> list[Cell]:
        """Return the empty cells of open small boards in these rows and columns."""
        return [
            (k, row, column)
            for k, (big, small) in enumerate(
                zip(self.big_boards_status, self.small_boards_status, strict=True)
            )
            for row in rows
            for column in columns
            if big[row][column] == "-" and small[row // 3][column // 3] == "-"
        ]

    def find_terminal_state(self) -> tuple[str, str]:
        """Return the winner and 'WON', ('NONE', 'DRAW'), or ('CONTINUE', '-')."""
        for small in self.small_boards_status:
            winner = _winner([status for row in small for status in row])
            if winner is not None:
                return winner, "WON"
        if any("-" in row for small in self.small_boards_status for row in small):
            return "CONTINUE", "-"
        return "NONE", "DRAW"

    def check_valid_move(self, old_move: Cell, new_move: object) -> bool:
        """Return whether `new_move` is three integers that name a cell open after `old_move`."""
        return (
            isinstance(new_move, tuple)
            and all(type(number) is int for number in new_move)
            and new_move in self.find_valid_move_cells(old_move)
        )

    def update(self, old_move: Cell, new_move: Cell, ply: str) -> tuple[str, bool]:
        """Put the mark `ply`, 'x' or 'o', in the cell `new_move`.

        Returns ('SUCCESSFUL', whether that won the small board), or ('UNSUCCESSFUL', False) if
        `old_move` does not allow it; nothing changes then.
        """
        if not self.check_valid_move(old_move, new_move):
            return "UNSUCCESSFUL", False
        k, row, column = new_move
        self.big_boards_status[k][row][column] = ply
        top, left = row // 3 * 3, column // 3 * 3
        marks = [
            mark
            for cells in self.big_boards_status[k][top : top + 3]
            for mark in cells[left : left + 3]
        ]
        if _winner(marks) is not None:
            self.small_boards_status[k][row // 3][column // 3] = ply
            return "SUCCESSFUL", True
        if "-" not in marks:
            self.small_boards_status[k][row // 3][column // 3] = "d"
        return "SUCCESSFUL", False


def _winner(nine: Sequence[str]) -> str | None:
    """Return the mark that has three in a row among nine cells in reading order, if any."""
    for first, second, third in LINES:
        if nine[first] in ("x", "o") and nine[first] == nine[second] == nine[third]:
            return nine[first]
    return None


def cell_of(move: str) -> Cell:
    """Return the cell, in the convention, of a move of extreme.

    >>> cell_of("a1"), cell_of("j1"), cell_of("r9")
    ((0, 0, 0), (1, 0, 0), (1, 8, 8))
    """
    cells = cells_in(move)
    if cells is None:
        raise ValueError(f"{move} is not a cell")
    [(column, row)] = cells
    return column // 9, row, column % 9


def move_of(cell: Cell) -> str:
    """Return the move of extreme in a cell of the convention.

    >>> move_of((1, 8, 8))
    'r9'
    """
    k, row, column = cell
    return cell_name(9 * k + column, row)


class CourseGame:
    """One game of a bot in the convention, with its board."""

    def __init__(self, bot: CourseBot) -> None:
        self._bot = bot
        self._board = CourseBoard()
        self._position = EXTREME.start
        self._seen = 0
        self._latest = FIRST

    def choose(self, moves: Sequence[str], seconds: float, rng: Random) -> Choice:  # noqa: ARG002 - the convention has neither
        """Return the bot's next move after the moves of a game so far.

        Raises `Forfeit` for an illegal move and for a changed board, and any error of the bot.
        """
        for move in moves[self._seen :]:
            cell = cell_of(move)
            self._board.update(self._latest, cell, _flag(self._position.turn))
            self._latest, self._position = cell, self._position.play(move)
        self._seen = len(moves)
        before = deepcopy(self._statuses())
        answer = self._bot.move(self._board, self._latest, _flag(self._position.turn))
        if self._statuses() != before:
            raise Forfeit("changed the board")
        if not self._board.check_valid_move(self._latest, answer):
            raise Forfeit(f"made an illegal move: {answer!r} after {self._latest!r}"[:200])
        return Choice(move_of(answer), 0.5)

    def _statuses(self) -> tuple[object, object]:
        return self._board.big_boards_status, self._board.small_boards_status


def _flag(side: Side) -> str:
    return "x" if side is Side.X else "o"
