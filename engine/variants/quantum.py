"""Quantum tic-tac-toe (Allan Goff): a move is in two squares at once until a measurement.

Two squares that share a move are entangled. A move that closes a cycle of entangled squares calls
for a measurement: the opponent chooses in which of its squares that move's mark settles, and all
marks entangled with it settle by force. The marks of move n carry the subscript n.

Squares that are connected without a cycle are one more than the moves that connect them. The move
that closes a cycle makes both numbers equal, so a measurement fills each of these squares with one
mark.
"""

from collections.abc import Collection, Sequence
from typing import ClassVar

from engine.boards import quantum_squares as squares
from engine.boards.classical_marks import mark_name, outcome_of, settled_mask
from engine.boards.entanglement import entangled, latest_cycle, settling
from engine.boards.grid import FULL, NINE, PLACE_OF, names_of, places
from engine.boards.quantum_words import words_on_marks
from engine.boards.symmetry import images
from engine.boards.unreadable import centre_words, part_of_cell, unreadable
from engine.cells import cell_name, cells_in
from engine.game import IllegalMove, InvalidMove, Outcome, Side, SlottedPosition, Variant, over
from engine.messages import Message, in_context, message, only
from engine.style import ASCII, Style

_PAIRS: dict[str, int] = {
    f"{NINE[first]}+{NINE[second]}": 1 << first | 1 << second
    for first in range(9)
    for second in range(first + 1, 9)
}
_PLACEMENTS: tuple[tuple[str, ...], ...] = tuple(
    tuple(name for name, pair in _PAIRS.items() if not pair & taken) for taken in range(FULL + 1)
)
"""For the mask of the settled squares: every pair of the other squares."""

# Looking a member up on its enumeration costs more than any other step of a move.
_X, _O = Side.X, Side.O


class QuantumPosition(SlottedPosition):
    """A position of quantum tic-tac-toe."""

    __slots__ = ("_measuring", "_outcome", "_settled", "_spooky", "_turn")

    may_move_twice: ClassVar[bool] = True
    marks_lines: ClassVar[bool] = True

    def __init__(
        self,
        spooky: tuple[int, ...],
        settled: tuple[int, ...],
        measuring: bool,  # noqa: FBT001 - by its place it is quicker to hand over
        turn: Side,
        outcome: Outcome | None = None,
    ) -> None:
        self._spooky = spooky
        self._settled = settled
        self._measuring = measuring
        self._turn = turn
        self._outcome = outcome

    @property
    def spooky(self) -> tuple[int, ...]:
        """For each move made, the bitmask of its two squares, 0 once it has settled."""
        return self._spooky

    @property
    def settled(self) -> tuple[int, ...]:
        """For each square, the subscript of its classical mark, 0 for none."""
        return self._settled

    @property
    def measuring(self) -> bool:
        """Whether the latest move closed a cycle, and `turn` must choose where it settles."""
        return self._measuring

    @property
    def choices(self) -> tuple[str, ...]:
        """The two squares where the mark that closed a cycle may settle; () in other positions."""
        return names_of(self._spooky[-1]) if self._measuring else ()

    @property
    def latest(self) -> str:
        """The name of the latest move's mark: in a measurement, the mark that closed the cycle."""
        return mark_name(len(self._spooky))

    def measurement(self, choice: str) -> tuple[tuple[str, str], ...]:
        """Return what `choice`, one of `choices`, settles: pairs of a square and a mark's name.

        The mark that closed the cycle comes first, then the others as each forces the next. Raises
        `InvalidMove` or `IllegalMove`, as `play` does, for anything but one of the choices.
        """
        if not self._measuring:
            raise IllegalMove("There is nothing to measure")
        if choice not in self.choices:
            self._refuse(choice)
        return tuple(
            (NINE[place], mark_name(number))
            for number, place in settling(self._spooky, PLACE_OF[choice])
        )

    def effect(self, move: str) -> Message | None:
        """Return what a choice would settle; None for any other move."""
        if not self._measuring:
            return None
        # Translators: {marks} is a list such as “x1 in a1, o2 in b2”. The subject is the choice.
        return in_context("what a move does", "settles {marks}", marks=self.settled_by(move))

    def settled_by(self, choice: str) -> tuple[Message, ...]:
        """Return what a choice would settle, in words: "x1 in a1" and so on."""
        return tuple(
            # Translators: a mark and the cell where it settles, such as “x1 in a1”.
            in_context("a mark that settles", "{mark} in {cell}", mark=mark, cell=square)
            for square, mark in self.measurement(choice)
        )

    def legal_moves(self) -> Sequence[str]:
        """Return the two choices of a measurement, the pairs of open squares or the last square."""
        if self._outcome is not None:
            return ()
        if self._measuring:
            return self.choices
        taken = settled_mask(self._settled)
        return _PLACEMENTS[taken] or (NINE[places(FULL & ~taken)[0]],)

    def parse(self, text: str) -> str:
        """Return the move that was typed, as "a1+c3", "C3 A1" or "a1/c3", or a single "b2"."""
        cells = cells_in(text)
        if cells is None:
            raise self._unreadable(text)
        names = [cell_name(*cell) for cell in cells]
        for name in names:
            if name not in PLACE_OF:
                raise InvalidMove("{cell} is not on the board, which goes from a1 to c3", cell=name)
        if len(names) > 2 or len(set(names)) < len(names):
            raise self._unreadable(text)
        move = "+".join(sorted(names, key=PLACE_OF.__getitem__))
        self._check(move)
        return move

    def play(self, move: str) -> "QuantumPosition":
        """Return the position after two spooky marks, a measurement's choice or the last mark."""
        pair = _PAIRS.get(move)
        if pair is None:
            return self._play_square(move)
        spooky, settled = self._spooky, self._settled
        first, second = places(pair)
        is_settled = settled[first] or settled[second]
        if is_settled or self._measuring or self._outcome is not None:
            self._check(move)
        closes = entangled(spooky, 1 << first) & pair == pair
        turn = _O if self._turn is _X else _X
        return QuantumPosition((*spooky, pair), settled, closes, turn)

    def _play_square(self, move: str) -> "QuantumPosition":
        if move not in self.legal_moves():
            self._refuse(move)
        place = PLACE_OF[move]
        spooky, settled, turn = [*self._spooky], [*self._settled], self._turn
        if self._measuring:
            for number, where in settling(self._spooky, place):
                spooky[number - 1] = 0
                settled[where] = number
        else:
            spooky.append(0)
            settled[place] = len(spooky)
            turn = turn.other
        return QuantumPosition(
            tuple(spooky), tuple(settled), measuring=False, turn=turn, outcome=outcome_of(settled)
        )

    def images(self, move: str) -> Sequence[str]:
        """Return the move with the square turned and mirrored in each of the eight ways."""
        return ["+".join(squares) for squares in images(move.split("+"), 3)]

    def _refuse(self, move: str) -> None:
        canonical = self.parse(move)
        raise InvalidMove("Write the move as {move}", move=canonical)

    def _unreadable(self, text: str) -> InvalidMove:
        if self._outcome is not None:
            return InvalidMove("The game is over")
        moves = self.legal_moves()
        if self._measuring:
            # Translators: {mark} is a mark such as “x3”, {choices} is “a1 or b2”.
            return InvalidMove(
                "Name the cell where {mark} settles: {choices}",
                mark=self.latest,
                choices=self._either(),
            )
        if len(moves) == 1 and moves[0] in PLACE_OF:
            return InvalidMove("Only one cell is left: name just {cell}", cell=moves[0])
        advice = message("Name two different cells, like {move}", move=moves[0])
        centre = None if self._settled[PLACE_OF["b2"]] else centre_words("b2")
        return unreadable(advice, part_of_cell(text, centre))

    def _check(self, move: str) -> None:
        """Raise `IllegalMove` if the rules forbid `move`, which is in canonical notation."""
        if self._outcome is not None:
            raise IllegalMove("The game is over")
        moves = self.legal_moves()
        if move in moves:
            return
        if self._measuring:
            if move in _PAIRS:
                # Translators: {mark} is a mark such as “x3”, {choices} is “a1 or b2”.
                raise IllegalMove(
                    "A measurement comes first. Choose where {mark} settles: {choices}",
                    mark=self.latest,
                    choices=self._either(),
                )
            # Translators: {mark} is a mark such as “x3”, {choices} is “a1 or b2”.
            raise IllegalMove(
                "{mark} can settle in {choices}, not in {cell}",
                mark=self.latest,
                choices=self._either(),
                cell=move,
            )
        if moves[0] in PLACE_OF:
            raise IllegalMove("Only one cell is left: name just {cell}", cell=moves[0])
        if move in PLACE_OF:
            raise IllegalMove("A move marks two different cells, like {move}", move=moves[0])
        square = next(name for name in move.split("+") if self._settled[PLACE_OF[name]])
        # Translators: {mark} is a mark such as “x3”.
        raise IllegalMove(
            "{mark} has settled in {cell}, which takes no more marks",
            cell=square,
            mark=mark_name(self._settled[PLACE_OF[square]]),
        )

    def diagram(self, style: Style = ASCII) -> str:
        """Return the nine squares as boxes.

        The marks of move n are at spot n of both their squares, spots being counted as on a keypad.
        A settled square holds one large mark. Brackets mark the mark to be measured.
        """
        return squares.drawn(self._spooky, self._settled, self.choices, style)

    def marked_by(self, move: str) -> tuple[str, ...]:
        """Return the squares of the spooky marks, of what a choice settles, or of the last mark."""
        if self._measuring:
            return tuple(square for square, _ in self.measurement(move))
        return tuple(move.split("+"))

    def narration(self, move: str) -> Message:
        """Return the move; of a choice also what it settled."""
        if not self._measuring:
            return only(move)
        *others, last = self.settled_by(move)
        # Translators: a choice and what it did, as a noun: “You have just played a1, which settled
        # x3 in a1, o2 in b2 and x1 in c3.” {others} is a list of one or more such marks.
        return in_context(
            "a move that was made",
            "{move}, which settled {others} and {last}",
            move=move,
            others=tuple(others),
            last=last,
        )

    def close_up(self, style: Style = ASCII, latest: Collection[str] = ()) -> str:
        """Return the diagram, both ends of every three in a row and the last move marked."""
        return squares.drawn_with_lines(
            self._spooky, self._settled, (*latest, *self.choices), style
        )

    def describe(self) -> tuple[Message, ...]:
        """Return a sentence for each settled square and spooky mark, then what is entangled.

        In a measurement both choices are read out with all that they would settle.
        """
        return (
            *words_on_marks(self._spooky, self._settled),
            *self._measurement_words(),
            self.instruction(),
        )

    def _measurement_words(self) -> Sequence[Message]:
        if not self._measuring:
            return []
        return [
            # Translators: {mark} is a mark such as “x3”, {cells} is a list of cells.
            message(
                "{mark} closes the cycle {cells}, and everything entangled with it settles.",
                mark=self.latest,
                cells=tuple(NINE[place] for place in latest_cycle(self._spooky)),
            ),
            *(
                # Translators: {choice} is a cell, {marks} a list such as “x1 in a1, o2 in b2”.
                message(
                    "Choosing {choice} settles {marks}.",
                    choice=choice,
                    marks=self.settled_by(choice),
                )
                for choice in self.choices
            ),
        ]

    def _either(self) -> Message:
        first, second = self.choices
        # Translators: two cells to choose from.
        return in_context("two cells", "{first} or {second}", first=first, second=second)

    def instruction(self) -> Message:
        """Return what the side to move must choose or may mark, or how the game ended."""
        if self._outcome is not None:
            return over(self._outcome)
        if self._measuring:
            # Translators: {mark} is a mark such as “x3”, {choices} is “a1 or b2”.
            return message(
                "Choose where {mark} settles: {choices}.", mark=self.latest, choices=self._either()
            )
        mark = mark_name(len(self._spooky) + 1)
        cells = names_of(FULL & ~settled_mask(self._settled))
        if len(cells) == 9:
            # Translators: {mark} is a mark such as “x3”.
            return message("Put {mark} in any two cells.", mark=mark)
        if len(cells) == 1:
            # Translators: {mark} is a mark such as “x3”.
            return message("Put {mark} in {cell}, the last cell.", mark=mark, cell=cells[0])
        # Translators: {mark} is a mark such as “x3”, {cells} is a list.
        return message("Put {mark} in two of these cells: {cells}.", mark=mark, cells=cells)


QUANTUM = Variant(
    key="quantum",
    # Translators: the name of a game on its pages, and then its full name.
    name=in_context("a game", "Quantum").text,
    title=in_context("a game", "Quantum Tic-Tac-Toe").text,
    start=QuantumPosition((), (0,) * 9, measuring=False, turn=Side.X),
    draw_points=(0, 0),
    points_note=message("Of two lines the later one scores ½, and a draw scores nothing."),
    tagline=message("Every move is in two cells at once, until a measurement settles it in one."),
    about=message(
        "Quantum Tic-Tac-Toe is noughts and crosses in which each move is in two cells at once. "
        "When moves form a ring, each must settle in one of its cells."
    ),
    summary=(
        message("X and O take turns. A move puts a small mark in each of two cells."),
        message(
            "A move links its two cells. A move that completes a ring of links closes a cycle."
        ),
        message(
            "Then your opponent chooses one of that move's two cells, and it settles there. Every "
            "move linked to it settles, too, one to a cell."
        ),
        message("You win with three settled marks in a row, a column or a diagonal."),
        message("If one measurement gives both players a line, the older line wins by 1 to ½."),
    ),
    notation=message(
        "a1+c3 is a move in two cells. In a measurement, b2 is where the mark settles."
    ),
    origin=message(
        "Allan Goff invented quantum tic-tac-toe to teach what quantum theory does to common sense."
    ),
)
