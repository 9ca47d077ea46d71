"""Extreme tic-tac-toe: ultimate on two big boards, with a bonus move for a won small board.

The rules are those of Xtreme-TicTacToe by Akhil Singh. Both big boards are side by side: columns a
to i are board 1, columns j to r board 2. A small board is a local board of
`engine.boards.local_boards`.
"""

from collections.abc import Collection, Mapping, Sequence
from functools import cache
from typing import TypeAlias

from engine.boards.grid import FULL, HAS_LINE, PLACES, completed_lines
from engine.boards.local_boards import LocalBoardsPosition, cells_of, ends_of_lines, place_names
from engine.boards.symmetry import TWO_BOARDS, images
from engine.drawing.text import Area, bracketed, trimmed, with_ends
from engine.game import InvalidMove, Outcome, Side, Variant, drawn, over, won_by
from engine.messages import Message, in_context, message
from engine.style import ASCII, Style

ALL = FULL << 9 | FULL
"""All 18 small boards."""

_CELLS = cells_of(18)
_LEFT = 3
_AREA = Area(top=1, bottom=11, left=_LEFT, right=_LEFT + 20)
_BESIDE = Area(top=1, bottom=11, left=_LEFT + 26, right=_LEFT + 46)
"""The position of the second big board in the drawing, if there is room beside the first."""

_COLUMNS = 52
"""The columns of text that both big boards side by side take, marks outside included."""

_GAP = " " * 5
_RULERS = "a b c   d e f   g h i", "j k l   m n o   p q r"
_FEW = 9
"""The number of open small boards that are named one by one, if both big boards have some."""

_DESTINATIONS: tuple[int, ...] = tuple(1 << place | 1 << 9 + place for place in range(9))
"""For a place: the small boards at that place of either big board."""
# Looking a member up on its enumeration costs more than any other step of a move.
_X, _O = Side.X, Side.O


def _arrangement(style: Style) -> Sequence[Sequence[int]]:
    """Return which big boards are drawn side by side, from the top."""
    return [(0, 1)] if style.columns >= _COLUMNS else [(0,), (1,)]


def _labelled(drawing: str, bigs: Sequence[int], style: Style) -> str:
    """Return the drawing of one big board or both; without rulers, their numbers stand above."""
    bare = trimmed(drawing, _LEFT, style)
    if style.rulers:
        return bare
    # Without a word, since a drawing is the same in every language.
    labels = "".join(str(big + 1).ljust(_BESIDE.left - _AREA.left) for big in bigs)
    return f"  {labels.rstrip()}\n{bare}"


class ExtremePosition(LocalBoardsPosition):
    """A position of extreme tic-tac-toe: marks of 162 bits, sets of eighteen small boards."""

    __slots__ = ()

    may_move_twice = True
    board_count = 18

    @property
    def _cells(self) -> Mapping[str, tuple[int, int]]:
        return _CELLS

    def board_name(self, board: int) -> Message:
        """Return what a small board is called, as "centre board of board 2"."""
        # Translators: a small board of one of two big boards, a name without an article: “Play in
        # the centre board of board 2.” {place} is “top left” and so on, {number} is 1 or 2.
        return in_context(
            "a small board",
            "{place} board of board {number}",
            place=PLACES[board % 9],
            number=board // 9 + 1,
        )

    def _destination(self) -> Message:
        board = self._allowed.bit_length() - 1
        if not self._allowed & self._allowed - 1:
            return self.board_name(board)
        # Translators: either of two small boards, a name without an article: “Play in the centre
        # board of board 1 or of board 2.” {place} is “top left” and so on.
        return in_context(
            "a small board", "{place} board of board 1 or of board 2", place=PLACES[board % 9]
        )

    def play(self, move: str) -> "ExtremePosition":
        """Return the position after a mark in the cell that `move` names.

        The turn passes unless the move earned a bonus move: it won a small board, was no bonus move
        itself, and did not end the game.
        """
        try:
            board, place = _CELLS[move]
        except KeyError:
            raise InvalidMove("Write the move as {move}", move=self.parse(move)) from None
        turn, outcome = self._turn, self._outcome
        is_taken = (self._x | self._o) >> 9 * board + place & 1
        if is_taken or outcome is not None or not self._allowed >> board & 1:
            self._check(move)
        x, o, x_boards, o_boards, closed = self._marked(board, place)
        earned = False
        if closed != self._closed:
            own_boards = x_boards if turn is _X else o_boards
            big = board // 9
            if HAS_LINE[own_boards >> 9 * big & FULL]:
                outcome = _win(turn, big, own_boards >> 9 * big & FULL)
            elif closed == ALL:
                outcome = _DRAW
            else:
                earned = not self._bonus and own_boards >> board & 1 == 1
        if not earned:
            turn = _O if turn is _X else _X
        allowed = _DESTINATIONS[place] & ~closed or ALL & ~closed
        return ExtremePosition(x, o, x_boards, o_boards, closed, allowed, turn, outcome, earned)

    def images(self, move: str) -> Sequence[str]:
        """Return the move with both boards turned and mirrored alike, and with them exchanged."""
        return [cell for (cell,) in images([move], 9, TWO_BOARDS)]

    def diagram(self, style: Style = ASCII) -> str:
        """Return both big boards, one below the other if the style is a narrow one.

        `~` is an empty cell open to the side to move.
        """
        return "\n\n".join(
            _labelled(self._drawn(bigs, style), bigs, style) for bigs in _arrangement(style)
        )

    def _drawn(self, bigs: Sequence[int], style: Style) -> str:
        """Return one big board or both, side by side."""
        rows = [" " * _LEFT + _GAP.join(_RULERS[big] for big in bigs)]
        for band in range(3):
            boards = [self._band(9 * big + 3 * band, style) for big in bigs]
            rows += [
                f"{3 * band + row}".ljust(_LEFT) + _GAP.join(parts).rstrip()
                for row, parts in enumerate(zip(*boards, strict=True), start=1)
            ]
            rows += [""] if band < 2 else []
        return "\n".join(rows)

    def close_up(self, style: Style = ASCII, latest: Collection[str] = ()) -> str:
        """Return the diagram, both ends of a line of won small boards and the last move marked."""
        return "\n\n".join(self._closer(bigs, style, latest) for bigs in _arrangement(style))

    def _closer(self, bigs: Sequence[int], style: Style, latest: Collection[str]) -> str:
        drawing = self._drawn(bigs, style)
        areas = [(big, area) for big, area in zip(bigs, (_AREA, _BESIDE), strict=False)]
        for big, area in areas:
            drawing = bracketed(drawing, self._spans(latest, area, 9 * big), style)
        for big, area in areas:
            for boards in (self._x_boards, self._o_boards):
                lines = ends_of_lines(boards >> 9 * big & FULL, area)
                drawing = with_ends(drawing, area, lines, style)
        return _labelled(drawing, bigs, style)

    def describe(self) -> tuple[Message, ...]:
        """Return a sentence for each small board that is not empty, the empty ones, and the task.

        The small boards of board 1 come first.
        """
        sentences: list[Message] = []
        for big in range(2):
            boards = range(9 * big, 9 * big + 9)
            empty = sum(1 << board % 9 for board in boards if self._is_empty(board))
            sentences += [self._words(board) for board in boards if not self._is_empty(board)]
            if empty == FULL:
                sentences.append(message("Board {number} is empty.", number=big + 1))
            elif empty:
                sentences.append(
                    # Translators: {boards} is a list of places such as “top left, centre”.
                    message(
                        "Empty boards of board {number}: {boards}.",
                        number=big + 1,
                        boards=place_names(empty),
                    )
                )
        return (*sentences, self.instruction())

    def _is_empty(self, board: int) -> bool:
        return not (self._x | self._o) >> 9 * board & FULL

    def instruction(self) -> Message:
        """Return where the side to move may play, whether as a bonus, or how the game ended."""
        if self._outcome is not None:
            return over(self._outcome)
        if self._allowed == ALL:
            return message("Play anywhere.")
        return self._open_boards()

    def _open_boards(self) -> Message:
        first, second = self._allowed & FULL, self._allowed >> 9
        here = first | second
        if not here & here - 1:
            return _IN_ONE_BOARD[self._bonus].filled(board=self._destination())
        if not first or not second:
            return _ON_ONE_BIG_BOARD[self._bonus].filled(
                number=1 if first else 2, boards=place_names(first or second)
            )
        if self._allowed.bit_count() > _FEW:
            return _ANYWHERE_OPEN[self._bonus]
        return _ON_BOTH[self._bonus].filled(first=place_names(first), second=place_names(second))


_Instructions: TypeAlias = tuple[Message, Message]
"""The instructions for a usual move and for a bonus move."""

_IN_ONE_BOARD: _Instructions = (
    # Translators: {board} is a name such as “top left board of board 2”.
    message("Play in the {board}."),
    # Translators: {board} is a name such as “top left board of board 2”.
    message("Bonus move: play in the {board}."),
)
_ON_ONE_BIG_BOARD: _Instructions = (
    # Translators: {boards} is a list of places such as “top left, centre”; {number} is 1 or 2.
    message("Play in any open board of board {number}: {boards}."),
    # Translators: {boards} is a list of places such as “top left, centre”; {number} is 1 or 2.
    message("Bonus move: play in any open board of board {number}: {boards}."),
)
_ANYWHERE_OPEN: _Instructions = (
    message("Play in any open board of board 1 or of board 2."),
    message("Bonus move: play in any open board of board 1 or of board 2."),
)
_ON_BOTH: _Instructions = (
    # Translators: {first} and {second} are lists of places such as “top left, centre”.
    message("Play in any open board of board 1 ({first}) or of board 2 ({second})."),
    # Translators: {first} and {second} are lists of places such as “top left, centre”.
    message("Bonus move: play in any open board of board 1 ({first}) or of board 2 ({second})."),
)

_DRAW = drawn(
    in_context("why a game ended", "all 18 small boards are closed and nobody has three in a row")
)


@cache
def _win(side: Side, big: int, boards: int) -> Outcome:
    line = completed_lines(boards)[0]
    return won_by(
        side,
        # Translators: {boards} is a list of places such as “top left, centre”; {number} is 1 or 2.
        in_context(
            "why a game ended",
            "{side} has three small boards in a row on board {number}: {boards}",
            side=side,
            number=big + 1,
            boards=tuple(PLACES[board] for board in line),
        ),
    )


EXTREME = Variant(
    key="extreme",
    # Translators: the name of a game on its pages, and then its full name.
    name=in_context("a game", "Extreme").text,
    title=in_context("a game", "Extreme Tic-Tac-Toe").text,
    start=ExtremePosition(0, 0, 0, 0, 0, ALL, Side.X),
    tagline=message(
        "Ultimate on two big boards side by side, with a second move for every small board you win."
    ),
    about=message(
        "Extreme Tic-Tac-Toe is Ultimate Tic-Tac-Toe on two big boards at once. If you win a small "
        "board, you move again."
    ),
    summary=(
        message("One game is played on two big boards, each of nine small boards."),
        message(
            "The place of your cell in its small board names the small board where your opponent "
            "plays, on either big board."
        ),
        message("Three in a row win a small board and earn you one bonus move."),
        message("If both boards you are sent to are closed, play in any open board."),
        message("Three small boards in a row on one big board win the game."),
    ),
    notation=message("e5 is on the first big board, n5 on the second."),
    origin=message("Extreme tic-tac-toe was set as a contest for student programmers."),
)
