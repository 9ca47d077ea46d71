"""The rules of ultimate and extreme written another way, to play the engine against."""

from random import Random

from engine import Variant
from engine.boards.local_boards import LocalBoardsPosition
from tests.support.engine.positions import line_of

COLUMNS = "abcdefghijklmnopqr"


class SlowBoards:
    """The rules as the sources tell them, by columns and rows and without a bitmask.

    Extreme has a second big board to the right of the first, and the bonus move.
    """

    def __init__(self, *, is_extreme: bool) -> None:
        self.is_extreme = is_extreme
        self.bigs = (0, 3) if is_extreme else (0,)
        self.cells = {(x, y): "" for x in range(9 * len(self.bigs)) for y in range(9)}
        self.turn = "X"
        self.is_bonus = False
        self.last: tuple[int, int] | None = None

    def inside(self, column: int, row: int) -> list[str]:
        """Return the nine cells of a local board."""
        return [self.cells[3 * column + x, 3 * row + y] for y in range(3) for x in range(3)]

    def winner(self) -> str:
        """Return the mark that has three local boards in a row on one big board, if any."""
        return "".join(
            line_of([line_of(self.inside(big + x, y)) for y in range(3) for x in range(3)])
            for big in self.bigs
        )

    def moves(self) -> set[str]:
        """Return the moves, by their names."""
        if self.winner():
            return set()
        insides = {
            (big + x, y): self.inside(big + x, y)
            for big in self.bigs
            for x in range(3)
            for y in range(3)
        }
        boards = {at for at, inside in insides.items() if "" in inside and not line_of(inside)}
        if self.last is not None:
            column, row = self.last[0] % 3, self.last[1] % 3
            boards = boards & {(column, row), (column + 3, row)} or boards
        return {
            f"{COLUMNS[column]}{row + 1}"
            for (column, row), mark in self.cells.items()
            if not mark and (column // 3, row // 3) in boards
        }

    def play(self, move: str) -> None:
        """Put the mark of the side to move into a cell."""
        self.last = column, row = COLUMNS.index(move[0]), int(move[1]) - 1
        self.cells[column, row] = self.turn
        has_won = line_of(self.inside(column // 3, row // 3)) != ""
        self.is_bonus = self.is_extreme and has_won and not self.is_bonus
        if not self.is_bonus:
            self.turn = "O" if self.turn == "X" else "X"


def expect_the_same_game(variant: Variant, seed: int) -> None:
    """Play a random game by the engine and by these rules, and expect the same of both."""
    choose = Random(seed).choice
    position = LocalBoardsPosition.of(variant.start)
    slow = SlowBoards(is_extreme=variant.key == "extreme")
    while True:
        moves = slow.moves()
        assert set(position.legal_moves()) == moves
        assert (position.outcome is None) == bool(moves)
        if position.outcome is not None:
            break
        assert (str(position.turn), position.bonus) == (slow.turn, slow.is_bonus)
        move = choose(sorted(moves))
        slow.play(move)
        position = position.play(move)
    winner = position.outcome.winner
    assert (str(winner) if winner else "") == slow.winner()
