"""The state of a position on local boards, nine to a big board.

Local boards are numbered in reading order, 0 to 8 on the first big board and 9 to 17 on the second,
which is to the right of the first. Marks are stored as long bitmasks, nine bits a local board, so
that a local board is a shift away; a set of local boards is a bitmask of one bit a local board.
"""

from abc import abstractmethod
from typing import ClassVar, Self

from engine.game import Outcome, Side, SlottedPosition
from engine.messages import Message


class LocalBoardsState(SlottedPosition):
    """The marks of a position on local boards, the boards that they won, and where to play next."""

    __slots__ = (
        "_allowed",
        "_bonus",
        "_closed",
        "_o",
        "_o_boards",
        "_outcome",
        "_turn",
        "_x",
        "_x_boards",
    )

    board_count: ClassVar[int]
    """The number of local boards: 9 or 18."""

    def __init__(  # noqa: PLR0913, PLR0917 - a position has that many parts
        self,
        x: int,
        o: int,
        x_boards: int,
        o_boards: int,
        closed: int,
        allowed: int,
        turn: Side,
        outcome: Outcome | None = None,
        bonus: bool = False,  # noqa: FBT001, FBT002 - by its place it is quicker to hand over
    ) -> None:
        self._x = x
        self._o = o
        self._x_boards = x_boards
        self._o_boards = o_boards
        self._closed = closed
        self._allowed = allowed
        self._turn = turn
        self._outcome = outcome
        self._bonus = bonus

    @property
    def x(self) -> int:
        """X's marks, nine bits a local board."""
        return self._x

    @property
    def o(self) -> int:
        """O's marks, likewise."""
        return self._o

    @property
    def x_boards(self) -> int:
        """The local boards won by X, a bit each."""
        return self._x_boards

    @property
    def o_boards(self) -> int:
        """The local boards won by O."""
        return self._o_boards

    @property
    def closed(self) -> int:
        """The local boards that are won or full."""
        return self._closed

    @property
    def allowed(self) -> int:
        """The local boards where the side to move may play."""
        return self._allowed

    @property
    def bonus(self) -> bool:
        """Whether the next move is a bonus move, which only extreme has."""
        return self._bonus

    @abstractmethod
    def board_name(self, board: int) -> Message:
        """Return what a local board is called, as "centre board"."""

    @abstractmethod
    def play(self, move: str) -> "LocalBoardsState":
        """Return the position after a mark in the cell that `move` names."""

    def with_turn(self, side: Side) -> Self:
        """Return this position with `side` to move, in the same local boards, and by no bonus."""
        return type(self)(
            self._x,
            self._o,
            self._x_boards,
            self._o_boards,
            self._closed,
            self._allowed,
            side,
            self._outcome,
            bonus=self._bonus and side is self._turn,
        )
