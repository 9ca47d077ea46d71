"""Numeric tic-tac-toe: odd numbers against even ones, and a line that makes exactly 15 wins.

The rules are those of Jesse Squire's "Numeric Tic-Tac-Toe". Side X is called Odd, side O Even. A
position made by hand may have any numbers on the board and in the players' hands.
"""

from collections.abc import Collection, Iterable, Sequence

from engine.boards.cell_and_number import cell_and_number
from engine.boards.grid import LINE_RUNS, LINES, NINE, PLACE_OF
from engine.boards.line_names import IN_LINE
from engine.boards.symmetry import images
from engine.boards.unreadable import centre_words, part_of_cell, unreadable
from engine.cells import cell_name, cells_in
from engine.drawing.text import Area, Span, bracketed, trimmed, with_ends
from engine.game import (
    IllegalMove,
    InvalidMove,
    Outcome,
    Side,
    SlottedPosition,
    Variant,
    View,
    drawn,
    over,
    won_by,
)
from engine.messages import Message, in_context, message
from engine.style import ASCII, Style

TARGET = 15
"""The sum that the three numbers of a winning line make."""

SIDE_NAMES: dict[Side, Message] = {
    # Translators: the name of a side, like that of a player: “Odd makes 15”, “Odd to move”. In some
    # sentences it stands in the place of X or O.
    Side.X: in_context("a side", "Odd"),
    Side.O: in_context("a side", "Even"),
}
"""The names of the sides in this game."""

# Looking a member up on its enumeration costs more than any other step of a move.
_X, _O = Side.X, Side.O

_LEFT = 5
"""The column of text where the board begins."""


class NumericPosition(SlottedPosition):
    """A position of numeric tic-tac-toe; `set_up` makes one by hand."""

    __slots__ = ("_cells", "_even", "_odd", "_outcome", "_turn")

    def __init__(
        self,
        cells: tuple[int | None, ...],
        odd: tuple[int, ...],
        even: tuple[int, ...],
        turn: Side,
        outcome: Outcome | None = None,
    ) -> None:
        self._cells = cells
        self._odd = odd
        self._even = even
        self._turn = turn
        self._outcome = outcome

    @property
    def cells(self) -> tuple[int | None, ...]:
        """The nine cells in reading order, a number or None each."""
        return self._cells

    @property
    def odd(self) -> tuple[int, ...]:
        """The numbers that Odd still holds, in ascending order."""
        return self._odd

    @property
    def even(self) -> tuple[int, ...]:
        """The numbers that Even still holds, likewise."""
        return self._even

    @classmethod
    def set_up(
        cls, cells: Sequence[int | None], odd: Iterable[int], even: Iterable[int], turn: Side
    ) -> "NumericPosition":
        """Return a position made by hand.

        Args:
            cells: The contents of the nine cells, in reading order; None is an empty cell.
            odd: the numbers that Odd still holds, in any order; they may be any whole numbers.
            even: the same for Even.
            turn: the side to move.

        A line that makes 15 is taken to be the work of the other side, which moved last.

        Raises `ValueError` if there are not nine cells, something is no whole number, or a
        number is there twice.

        >>> NumericPosition.set_up([8, 1, 6] + 6 * [None], [3, 5], [2, 4], Side.X).won
        True
        """
        if len(cells) != len(NINE):
            raise ValueError(f"A board has nine cells, not {len(cells)}")
        hands = tuple(odd), tuple(even)
        numbers = [number for number in cells if number is not None] + [*hands[0], *hands[1]]
        for number in numbers:
            if type(number) is not int:
                raise ValueError(f"{number!r} is no whole number")
            if numbers.count(number) > 1:
                raise ValueError(f"There is only one {number}, on the board or in one hand")
        if turn not in tuple(Side):
            raise ValueError(f"The side to move is Side.X or Side.O, not {turn!r}")
        return _made(tuple(cells), tuple(sorted(hands[0])), tuple(sorted(hands[1])), turn)

    @property
    def won(self) -> bool:
        """Whether the game has been won: whether some line of three numbers makes 15."""
        return self._outcome is not None and self._outcome.winner is not None

    @property
    def hand(self) -> tuple[int, ...]:
        """The numbers that the side to move still holds, in ascending order."""
        return self._odd if self._turn is _X else self._even

    def legal_moves(self) -> Sequence[str]:
        """Return the moves, cells in reading order, numbers in ascending order."""
        if self._outcome is not None:
            return ()
        return tuple(
            f"{cell}={number}"
            for cell, holds in zip(NINE, self._cells, strict=True)
            if holds is None
            for number in self.hand
        )

    def parse(self, text: str) -> str:
        """Return the move that was typed, as "b2=5", "B2 = 5", "5 b2", "b25", "b2-5" or "5@b2"."""
        read = cell_and_number(text, (*self._cells, *self._odd, *self._even))
        if read is None:
            raise self._unreadable(text)
        cell, number = read
        if cell not in NINE:
            raise InvalidMove("{cell} is not on the board, which goes from a1 to c3", cell=cell)
        self._check(cell, number)
        return f"{cell}={number}"

    def _unreadable(self, text: str) -> InvalidMove:
        if self._outcome is not None:
            return InvalidMove("The game is over")
        typed = " ".join(text.lower().split()).rstrip(".")
        cells = cells_in(text)
        cell = cell_name(*cells[0]) if cells is not None and len(cells) == 1 else None
        meant = part_of_cell(text, centre_words("b2") if self._cells[4] is None else None)
        if cell in NINE:
            meant = message("{cell} is a cell without a number", cell=cell)
        elif typed in map(str, range(100)):
            meant = message("{number} is a number without a cell", number=typed)
        # The example goes on from what was typed, if that is possible.
        moves = self.legal_moves()
        near = (move for move in moves if typed in move.split("=") or move.startswith(f"{cell}="))
        advice = message(
            "Name an empty cell and one of your numbers, like {move}", move=next(near, moves[0])
        )
        return unreadable(advice, meant)

    def _check(self, cell: str, number: str) -> None:
        if self._outcome is not None:
            raise IllegalMove("The game is over")
        if self._cells[PLACE_OF[cell]] is not None:
            raise IllegalMove("{cell} is taken", cell=cell)
        if number in map(str, self.hand):
            return
        if number in map(str, self._cells):
            # Translators: {numbers} is a list of numbers.
            raise IllegalMove(
                "{number} is on the board already. You still hold {numbers}",
                number=number,
                numbers=self.hand,
            )
        if number in map(str, self._odd + self._even):
            # Translators: {numbers} is a list of numbers, {side} is Odd or Even.
            raise IllegalMove(
                "{number} belongs to {side}. You still hold {numbers}",
                number=number,
                side=SIDE_NAMES[self._turn.other],
                numbers=self.hand,
            )
        # Translators: {numbers} is a list of numbers.
        raise IllegalMove(
            "There is no {number} in this game. You still hold {numbers}",
            number=number,
            numbers=self.hand,
        )

    def play(self, move: str) -> "NumericPosition":
        """Return the position after a number is placed, as `move` says."""
        cell, _, digits = move.partition("=")
        place, hand = PLACE_OF.get(cell), self.hand
        try:
            number = hand.index(int(digits))
        except ValueError:
            place = None
        if place is None or str(hand[number]) != digits:
            raise InvalidMove("Write the move as {move}", move=self.parse(move))
        if self._outcome is not None or self._cells[place] is not None:
            self._check(cell, digits)
        cells = (*self._cells[:place], hand[number], *self._cells[place + 1 :])
        left = (*hand[:number], *hand[number + 1 :])
        if self._turn is _X:
            return _made(cells, left, self._even, _O)
        return _made(cells, self._odd, left, _X)

    def with_turn(self, side: Side) -> "NumericPosition":
        """Return this position with `side` to move."""
        return self if side is self._turn else _made(self._cells, self._odd, self._even, side)

    def images(self, move: str) -> Sequence[str]:
        """Return the move with the board turned and mirrored in each of the eight ways."""
        cell, _, number = move.partition("=")
        return [f"{image}={number}" for (image,) in images([cell], 3)]

    def diagram(self, style: Style = ASCII) -> str:
        """Return the board; `~` is an empty cell."""
        return trimmed(self._drawn(style), _LEFT, style)

    def _drawn(self, style: Style) -> str:
        texts = [style.free if number is None else str(number) for number in self._cells]
        width = max(map(len, texts))
        rows = [" ".join(f"{text:>{width}}" for text in texts[row : row + 3]) for row in (0, 3, 6)]
        ruler = " ".join(f"{column:>{width}}" for column in "abc")
        return "\n".join(
            [f"     {ruler}", *(f" {row}   {text}" for row, text in enumerate(rows, start=1))]
        )

    def marked_by(self, move: str) -> tuple[str, ...]:
        """Return the cell of the move."""
        return (move.partition("=")[0],)

    def close_up(self, style: Style = ASCII, latest: Collection[str] = ()) -> str:
        """Return the diagram, every line that makes 15 and the last move marked."""
        return trimmed(self._closer(style, latest), _LEFT, style)

    def view(
        self, around: str | None = None, style: Style = ASCII, latest: Collection[str] = ()
    ) -> View:
        """Return the close-up, and below it the numbers that Odd holds, then those of Even."""
        del around
        # Without a word, since a drawing is the same in every language.
        hands = [
            " " * _LEFT + (" ".join(map(str, hand)) or style.across)
            for hand in (self._odd, self._even)
        ]
        drawing = "\n".join([self._closer(style, latest), "", *hands])
        return View(trimmed(drawing, _LEFT, style), marks_line=self.won)

    def _closer(self, style: Style, latest: Collection[str]) -> str:
        drawing = self._drawn(style)
        columns = [drawing.index(column) for column in "abc"]
        widths = [len(style.free if number is None else str(number)) for number in self._cells]
        cells = (PLACE_OF[cell] for cell in latest)
        spans = (
            Span(1 + place // 3, columns[place % 3] - widths[place] + 1, columns[place % 3])
            for place in cells
        )
        drawing = bracketed(drawing, spans, style)
        text = {"row": (1, 2, 3), "column": columns}
        runs = (LINE_RUNS[index] for index in _lines_of_15(self._cells))
        ends = [(run, text.get(run, (0,))[number]) for run, number in runs]
        area = Area(top=1, bottom=3, left=_LEFT, right=columns[-1])
        return with_ends(drawing, area, ends, style)

    def describe(self) -> tuple[Message, ...]:
        """Return a sentence for each row, the numbers that each side holds, and the task."""
        return (
            *(self._row_words(row) for row in range(3)),
            *(
                # Translators: {side} is Odd or Even, {numbers} a list of numbers.
                message("{side} still holds {numbers}.", side=SIDE_NAMES[side], numbers=hand)
                if hand
                # Translators: {side} is Odd or Even.
                else message("{side} holds no number.", side=SIDE_NAMES[side])
                for side, hand in ((Side.X, self._odd), (Side.O, self._even))
            ),
            self.instruction(),
        )

    def _row_words(self, row: int) -> Message:
        places = range(3 * row, 3 * row + 3)
        if all(self._cells[place] is None for place in places):
            return message("Row {row} is empty.", row=row + 1)
        cells = tuple(
            # Translators: part of a list of three cells: “Row 2: a2 is empty, b2 holds 5, c2 is
            # empty.”
            in_context("a row of cells", "{cell} is empty", cell=NINE[place])
            if self._cells[place] is None
            else in_context(
                "a row of cells",
                "{cell} holds {number}",
                cell=NINE[place],
                number=self._cells[place],
            )
            for place in places
        )
        # Translators: {cells} is a list such as “a2 is empty, b2 holds 5, c2 is empty”.
        return message("Row {row}: {cells}.", row=row + 1, cells=cells)

    def instruction(self) -> Message:
        """Return which numbers the side to move may place, or how the game ended."""
        if self._outcome is not None:
            return over(self._outcome)
        if len(self.hand) == 1:
            return message("Place {number} in an empty cell.", number=self.hand[0])
        # Translators: {numbers} is a list of numbers.
        return message("Place one of {numbers} in an empty cell.", numbers=self.hand)


def _made(
    cells: tuple[int | None, ...], odd: tuple[int, ...], even: tuple[int, ...], turn: Side
) -> NumericPosition:
    hand = odd if turn is _X else even
    return NumericPosition(cells, odd, even, turn, _outcome(cells, hand, turn))


def _outcome(cells: tuple[int | None, ...], hand: tuple[int, ...], turn: Side) -> Outcome | None:
    lines = _lines_of_15(cells)
    if lines:
        side = SIDE_NAMES[turn.other]
        words = tuple(_line_words(cells, index) for index in lines)
        # Translators: {side} is Odd or Even; {lines} have the context “in a line”, each with its
        # sum.
        made = in_context("why a game ended", "{side} makes 15 in {lines}", side=side, lines=words)
        return won_by(turn.other, made)
    if None not in cells:
        return drawn(in_context("why a game ended", "the board is full and no line makes 15"))
    if not hand:
        return drawn(
            # Translators: {side} is Odd or Even.
            in_context(
                "why a game ended", "{side} has no number left to place", side=SIDE_NAMES[turn]
            )
        )
    return None


def _lines_of_15(cells: tuple[int | None, ...]) -> Sequence[int]:
    """Return which lines win, as places in `LINES`; it takes three numbers to win."""
    return [
        index
        for index, (first, second, third) in enumerate(LINES)
        if (one := cells[first]) is not None
        and (two := cells[second]) is not None
        and (three := cells[third]) is not None
        and one + two + three == TARGET
    ]


def _line_words(cells: tuple[int | None, ...], index: int) -> Message:
    numbers = " + ".join(str(cells[place]) for place in LINES[index])
    # Translators: {line} has the context “in a line”, {numbers} is a sum such as “7 + 6 + 2”.
    return in_context("in a line", "{line}: {numbers}", line=IN_LINE[index], numbers=numbers)


NUMERIC = Variant(
    key="numeric",
    # Translators: the name of a game on its pages, and then its full name.
    name=in_context("a game", "Numeric").text,
    title=in_context("a game", "Numeric Tic-Tac-Toe").text,
    start=NumericPosition.set_up([None] * 9, (1, 3, 5, 7, 9), (2, 4, 6, 8), Side.X),
    side_names=SIDE_NAMES,
    tagline=message(
        "Odd numbers against even ones. Make 15 in a line. Your opponent's numbers count, too."
    ),
    about=message(
        "Numeric Tic-Tac-Toe is noughts and crosses with the numbers 1 to 9, odd against even."
    ),
    summary=(
        message("Odd has 1, 3, 5, 7 and 9. Even has 2, 4, 6 and 8. Odd begins."),
        message("On your turn, put one of your unused numbers in any empty cell."),
        message(
            "You win if you complete a row, a column or a diagonal that adds up to exactly 15."
        ),
        message("Your opponent's numbers count towards it just like yours."),
        message("If the board is full and no line makes 15, the game is a draw."),
    ),
    notation=message("b2=5 puts the number 5 on b2."),
    origin=message(
        "Numeric tic-tac-toe has been used to practise arithmetic. We follow the rules that Jesse "
        "Squire wrote down."
    ),
)
