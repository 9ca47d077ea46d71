"""Ultimate tic-tac-toe: nine local boards in a global one; each move sends the opponent to a board.

A cell of the 9×9 grid is a local board (its place in the global board) and a place in that board.
"""

from collections.abc import Collection, Mapping, Sequence
from functools import cache

from engine.boards.grid import FULL, HAS_LINE, PLACES, completed_lines
from engine.boards.local_boards import LocalBoardsPosition, cells_of, ends_of_lines, place_names
from engine.boards.symmetry import images
from engine.drawing.text import Area, bracketed, trimmed, with_ends
from engine.game import InvalidMove, Outcome, Side, Variant, drawn, over, won_by
from engine.messages import Message, in_context, message
from engine.style import ASCII, Style

_CELLS = cells_of(9)
_AREA = Area(top=1, bottom=11, left=6, right=26)
# Looking a member up on its enumeration costs more than any other step of a move.
_X, _O = Side.X, Side.O


class UltimatePosition(LocalBoardsPosition):
    """A position of ultimate tic-tac-toe: marks of 81 bits, sets of nine local boards."""

    __slots__ = ()

    board_count = 9

    @property
    def _cells(self) -> Mapping[str, tuple[int, int]]:
        return _CELLS

    def board_name(self, board: int) -> Message:
        """Return what a local board is called, as "centre board"."""
        # Translators: a name without an article: “Play in the top left board.” {place} is “top
        # left” and so on.
        return in_context("a small board", "{place} board", place=PLACES[board])

    def _destination(self) -> Message:
        return self.board_name(self._allowed.bit_length() - 1)

    def play(self, move: str) -> "UltimatePosition":
        """Return the position after a mark in the cell that `move` names."""
        try:
            board, place = _CELLS[move]
        except KeyError:
            raise InvalidMove("Write the move as {move}", move=self.parse(move)) from None
        turn, outcome = self._turn, self._outcome
        is_taken = (self._x | self._o) >> 9 * board + place & 1
        if is_taken or outcome is not None or not self._allowed >> board & 1:
            self._check(move)
        x, o, x_boards, o_boards, closed = self._marked(board, place)
        if closed != self._closed:
            own_boards = x_boards if turn is _X else o_boards
            if HAS_LINE[own_boards]:
                outcome = _win(turn, own_boards)
            elif closed == FULL:
                outcome = _DRAW
        allowed = FULL & ~closed if closed >> place & 1 else 1 << place
        turn = _O if turn is _X else _X
        return UltimatePosition(x, o, x_boards, o_boards, closed, allowed, turn, outcome)

    def images(self, move: str) -> Sequence[str]:
        """Return the move in the grid turned and mirrored in each of the eight ways."""
        return [cell for (cell,) in images([move], 9)]

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

    def close_up(self, style: Style = ASCII, latest: Collection[str] = ()) -> str:
        """Return the diagram, both ends of a line of won local boards and the last move marked."""
        won = self._x_boards if HAS_LINE[self._x_boards] else self._o_boards
        drawing = bracketed(self._drawn(style), self._spans(latest, _AREA, 0), style)
        drawing = with_ends(drawing, _AREA, ends_of_lines(won, _AREA), style)
        return trimmed(drawing, _AREA.left, style)

    def describe(self) -> tuple[Message, ...]:
        """Return a sentence for each local board, then the task."""
        return (*(self._words(board) for board in range(9)), self.instruction())

    def instruction(self) -> Message:
        """Return where the side to move may play, or how the game ended."""
        if self._outcome is not None:
            return over(self._outcome)
        if self._allowed == FULL:
            return message("Play anywhere.")
        if not self._allowed & self._allowed - 1:
            # Translators: {board} is a name such as “top left board”.
            return message("Play in the {board}.", board=self._destination())
        # Translators: {boards} is a list of places such as “top left, centre”.
        return message("Play in any open board: {boards}.", boards=place_names(self._allowed))


_DRAW = drawn(
    in_context("why a game ended", "all nine small boards are closed and nobody has three in a row")
)


@cache
def _win(side: Side, boards: int) -> Outcome:
    line = completed_lines(boards)[0]
    return won_by(
        side,
        # Translators: {boards} is a list of places such as “top left, centre”.
        in_context(
            "why a game ended",
            "{side} has three small boards in a row: {boards}",
            side=side,
            boards=tuple(PLACES[board] for board in line),
        ),
    )


ULTIMATE = Variant(
    key="ultimate",
    # Translators: the name of a game on its pages, and then its full name.
    name=in_context("a game", "Ultimate").text,
    title=in_context("a game", "Ultimate Tic-Tac-Toe").text,
    start=UltimatePosition(0, 0, 0, 0, 0, FULL, Side.X),
    tagline=message(
        "Nine boards in one. Each move decides in which board your opponent must play."
    ),
    about=message(
        "Ultimate Tic-Tac-Toe is noughts and crosses on nine boards at once. Each move also "
        "decides in which board your opponent must play next."
    ),
    summary=(
        message("Nine small boards of noughts and crosses make up a big one."),
        message("The place of your cell in its board names the board where your opponent plays."),
        message("Three in a row win a small board. A board that is won or full is closed."),
        message("If you are sent to a closed board, play in any open one."),
        message("Three small boards in a row win the game."),
    ),
    notation=message("e5 is the cell in the middle."),
    origin=message(
        "Ultimate tic-tac-toe is played in many places. Nobody knows for sure who was first."
    ),
)
