"""Positions on local boards, nine to a big board: what ultimate and extreme share.

`engine.boards.local_boards_state` says how boards and marks are numbered.
"""

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import ClassVar

from engine.boards import brief_board_effects, local_board_effects
from engine.boards.grid import FULL, HAS_LINE, LINE_MASKS, LINE_RUNS, PLACES, places
from engine.boards.local_boards_state import LocalBoardsState
from engine.boards.unreadable import centre_words, part_of_cell, unreadable
from engine.cells import cell_name, cells_in
from engine.drawing.text import Area, Span
from engine.game import IllegalMove, InvalidMove, Side
from engine.messages import Message, in_context, message, only
from engine.style import Style

# Looking a member up on its enumeration costs more than any other step of a move.
_X = Side.X


def name_of(board: int, place: int) -> str:
    """Return the name of the cell at `place`, 0 to 8, of local board `board`.

    >>> name_of(4, 4), name_of(17, 8)
    ('e5', 'r9')
    """
    big, local = divmod(board, 9)
    return cell_name(9 * big + local % 3 * 3 + place % 3, local // 3 * 3 + place // 3)


_NAMES: tuple[tuple[str, ...], ...] = tuple(
    tuple(name_of(board, place) for place in range(9)) for board in range(18)
)
_FREE: tuple[tuple[tuple[str, ...], ...], ...] = tuple(
    tuple(tuple(names[place] for place in places(FULL & ~taken)) for taken in range(FULL + 1))
    for names in _NAMES
)
"""For a local board and the mask of its taken places: the names of its empty cells."""


def cells_of(boards: int) -> Mapping[str, tuple[int, int]]:
    """Return local board and place of each cell, by its name, of the first `boards` local boards.

    >>> cells_of(9)["e5"]
    (4, 4)
    """
    return {_NAMES[board][place]: (board, place) for board in range(boards) for place in range(9)}


class LocalBoardsPosition(LocalBoardsState):
    """A position on one or two big boards of nine local boards each."""

    __slots__ = ()

    effects_judge_moves: ClassVar[bool] = True
    marks_lines: ClassVar[bool] = True

    @property
    @abstractmethod
    def _cells(self) -> Mapping[str, tuple[int, int]]:
        """The local board and the place of each cell of the game, in order, by its name."""

    def effect(self, move: str) -> Message:
        """Return what a legal move does, and where it sends the opponent."""
        return local_board_effects.effect(self, move)

    def brief_effect(self, move: str) -> Message:
        """Return the same in a few words."""
        return brief_board_effects.brief_effect(self, move)

    @abstractmethod
    def _destination(self) -> Message:
        """Return what the local board, or boards, are called that the last move names."""

    def _marked(self, board: int, place: int) -> tuple[int, int, int, int, int]:
        """Return the position's masks once the side to move has marked an empty cell.

        They are X's marks and O's, the local boards won by X and by O, and the closed ones.
        """
        x, o, closed, shift = self._x, self._o, self._closed, 9 * board
        if self._turn is _X:
            x |= 1 << shift + place
            if HAS_LINE[x >> shift & FULL]:
                won = 1 << board
                return x, o, self._x_boards | won, self._o_boards, closed | won
        else:
            o |= 1 << shift + place
            if HAS_LINE[o >> shift & FULL]:
                won = 1 << board
                return x, o, self._x_boards, self._o_boards | won, closed | won
        if (x | o) >> shift & FULL == FULL:
            closed |= 1 << board
        return x, o, self._x_boards, self._o_boards, closed

    @abstractmethod
    def play(self, move: str) -> "LocalBoardsPosition":
        """Return the position after a mark in the cell that `move` names."""

    def legal_moves(self) -> Sequence[str]:
        """Return the moves, local board by local board."""
        if self._outcome is not None:
            return ()
        boards = self._allowed
        taken = self._x | self._o
        moves: tuple[str, ...] = ()
        while boards:
            board = boards.bit_length() - 1
            moves = _FREE[board][taken >> 9 * board & FULL] + moves
            boards ^= 1 << board
        return moves

    def parse(self, text: str) -> str:
        """Return the name of the cell that was typed, as "e5", "E5", "5e", "e-5" or " e 5. "."""
        cells = cells_in(text)
        if cells is None or len(cells) > 1:
            raise self._unreadable(text, is_one=cells is None)
        move = cell_name(*cells[0])
        if move not in self._cells:
            first, *_, last = self._cells
            raise InvalidMove(
                "{cell} is not on the board, which goes from {first} to {last}",
                cell=move,
                first=first,
                last=last,
            )
        self._check(move)
        return move

    def _centre(self) -> str | None:
        """Return the first cell in the centre of a local board that can be played now, or None.

        The local board in the centre comes before the others.
        """
        moves = self.legal_moves()
        centres = (_NAMES[board][4] for board in (4, *range(self.board_count)))
        return next((centre for centre in centres if centre in moves), None)

    def _centre_in_words(self) -> Message | None:
        centre = self._centre()
        if centre is None:
            return None
        board, _ = self._cells[centre]
        if board == 4:
            return centre_words(centre)
        # Translators: {board} is a name such as “top left board”.
        return message(
            "The cell in the centre of the {board} is {cell}",
            board=self.board_name(board),
            cell=centre,
        )

    def _unreadable(self, text: str, *, is_one: bool) -> InvalidMove:
        """Return the refusal of a text that names no cell, or of one that names several."""
        if self._outcome is not None:
            return InvalidMove("The game is over")
        example = self._centre() or self.example()
        if not is_one:
            return InvalidMove("A move is one cell, like {move}", move=example)
        row = text.strip().rstrip(".")
        in_row = (move for move in self.legal_moves() if move[1:] == row)
        advice = message(
            "Name one cell by its column and row, like {move}", move=next(in_row, example)
        )
        return unreadable(advice, part_of_cell(text, self._centre_in_words()))

    def _check(self, move: str) -> None:
        board, place = self._cells[move]
        if self._outcome is not None:
            raise IllegalMove("The game is over")
        if (self._x | self._o) >> 9 * board + place & 1:
            raise IllegalMove("{cell} is taken", cell=move)
        if self._allowed >> board & 1:
            return
        if self._closed >> board & 1:
            # Translators: {board} is a name such as “top left board”.
            raise IllegalMove(
                "{cell} is in the {board}, which is closed", cell=move, board=self.board_name(board)
            )
        # Translators: {board} and {target} are names such as “top left board”.
        raise IllegalMove(
            "{cell} is in the {board}, but you were sent to the {target}",
            cell=move,
            board=self.board_name(board),
            target=self._destination(),
        )

    def marked_by(self, move: str) -> tuple[str, ...]:
        """Return the cell of the move."""
        return (move,)

    def narration(self, move: str) -> Message:
        """Return the move, and the local board that it won, if any."""
        board, _ = self._cells[move]
        after = self.play(move)
        won = after.x_boards | after.o_boards
        if not won & ~(self._x_boards | self._o_boards):
            return only(move)
        # Translators: a move and what it did, as a noun: “You have just played e5, which won the
        # centre board.” {board} is a name such as “top left board”.
        return in_context(
            "a move that was made",
            "{move}, which won the {board}",
            move=move,
            board=self.board_name(board),
        )

    def _spans(self, cells: Iterable[str], area: Area, first: int) -> Iterator[Span]:
        """Yield where these cells are drawn, of the big board at an area.

        `first` is the first local board of that big board. A local board that has been won is one
        large mark, which takes the place of its cells.
        """
        closed_by_win = self._x_boards | self._o_boards
        for name in cells:
            board, place = self._cells[name]
            if not first <= board < first + 9:
                continue
            top = area.top + 4 * ((board - first) // 3)
            left = area.left + 8 * ((board - first) % 3)
            if closed_by_win >> board & 1:
                yield Span(top + 1, left, left + 4)
            else:
                column = left + 2 * (place % 3)
                yield Span(top + place // 3, column, column)

    def _rows(self, board: int, style: Style) -> Sequence[str]:
        """Return the three text rows of a local board."""
        if self._x_boards >> board & 1:
            return style.large_x
        if self._o_boards >> board & 1:
            return style.large_o
        is_free = self._outcome is None and self._allowed >> board & 1
        empty = style.free if is_free else style.empty
        return _drawn(self._x >> 9 * board & FULL, self._o >> 9 * board & FULL, empty)

    def _band(self, first: int, style: Style) -> Sequence[str]:
        """Return the three text rows of a row of local boards, whose first one is `first`."""
        drawings = [self._rows(board, style) for board in range(first, first + 3)]
        return ["   ".join(rows) for rows in zip(*drawings, strict=True)]

    def _words(self, board: int) -> Message:
        """Return the sentence that says what a local board holds."""
        name = self.board_name(board)
        for side, boards in ((Side.X, self._x_boards), (Side.O, self._o_boards)):
            if boards >> board & 1:
                # Translators: {board} is a name such as “top left board”.
                return message("The {board} is won by {side}.", board=name, side=side)
        x, o = self._x >> 9 * board & FULL, self._o >> 9 * board & FULL
        if x | o == FULL:
            # Translators: {board} is a name such as “top left board”.
            return message("The {board} is full and counts for nobody.", board=name)
        if not x | o:
            # Translators: {board} is a name such as “top left board”.
            return message("The {board} is empty.", board=name)
        x_cells = tuple(_NAMES[board][place] for place in places(x))
        o_cells = tuple(_NAMES[board][place] for place in places(o))
        if not o:
            # Translators: {board} is a name such as “top left board”, {x} a list of cells.
            return message("In the {board} X has {x}.", board=name, x=x_cells)
        if not x:
            # Translators: {board} is a name such as “top left board”, {o} a list of cells.
            return message("In the {board} O has {o}.", board=name, o=o_cells)
        # Translators: {board} is a name such as “top left board”, {x} and {o} are lists of cells.
        return message("In the {board} X has {x} and O has {o}.", board=name, x=x_cells, o=o_cells)


@lru_cache(maxsize=4096)
def _drawn(x: int, o: int, empty: str) -> Sequence[str]:
    """Return the three text rows of a local board with these marks; most boards recur."""
    marks = ["X" if x >> place & 1 else "O" if o >> place & 1 else empty for place in range(9)]
    return tuple(" ".join(marks[row : row + 3]) for row in (0, 3, 6))


def place_names(boards: int) -> tuple[Message, ...]:
    """Return the places of a set of local boards of one big board.

    >>> [str(place) for place in place_names(0b000_010_001)]
    ['top left', 'centre']
    """
    return tuple(PLACES[board] for board in places(boards))


def ends_of_lines(boards: int, area: Area) -> list[tuple[str, int]]:
    """Return the directions of the complete lines of won local boards, for `with_ends`.

    `area` is where their big board is drawn: each local board has three rows and five columns of
    text there, and is one row or three columns from the next.
    """
    first = {"row": area.top + 1, "column": area.left + 2}
    step = {"row": 4, "column": 8}
    return [
        (run, first.get(run, 0) + step.get(run, 0) * number)
        for (run, number), mask in zip(LINE_RUNS, LINE_MASKS, strict=True)
        if boards & mask == mask
    ]
