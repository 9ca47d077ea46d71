"""Quantum tic-tac-toe (Allan Goff): a move is in two squares at once until a measurement.

Two squares that share a move are entangled. A move that closes a cycle of entangled squares calls
for a measurement: the opponent chooses in which of its squares that move's mark settles, and all
marks entangled with it settle by force. The marks of move n carry the subscript n.

Squares that hang together without a cycle are one more than the moves that join them. The move that
closes a cycle evens the numbers, so a measurement fills each of these squares with one mark.
"""

from __future__ import annotations

from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, NamedTuple

from engine.boards.classical_marks import mark_name, mask_of, outcome_of, side_of
from engine.boards.grid import FULL, LINE_MASKS, LINE_RUNS, NINE, places
from engine.cells import cell_name, cells_in
from engine.drawing.text import Area, trimmed, with_ends
from engine.game import (
    IllegalMove,
    InvalidMove,
    Message,
    Outcome,
    Position,
    Side,
    Variant,
    message,
)
from engine.style import ASCII

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.style import Style


_SQUARES: dict[str, int] = {name: place for place, name in enumerate(NINE)}
_PAIRS: dict[str, int] = {
    f"{NINE[first]}+{NINE[second]}": 1 << first | 1 << second
    for first in range(9)
    for second in range(first + 1, 9)
}
_PLACEMENTS: tuple[tuple[str, ...], ...] = tuple(
    tuple(name for name, pair in _PAIRS.items() if not pair & taken) for taken in range(FULL + 1)
)
"""For the mask of the settled squares: every pair of the other squares."""

_AREA = Area(top=1, bottom=13, left=5, right=45)
_SPOTS = (2, 6, 10)


class _State(NamedTuple):
    spooky: tuple[int, ...]
    settled: tuple[int, ...]
    measuring: bool
    turn: Side
    outcome: Outcome | None


class QuantumPosition(_State, Position):
    """A position of quantum tic-tac-toe.

    `spooky` has an entry for each move made: the bitmask of its two squares, 0 once it has settled.
    `settled` has an entry for each square: the subscript of its classical mark, 0 for none.
    `measuring` tells that the latest move closed a cycle and `turn` must choose where it settles.
    """

    __slots__ = ()

    @property
    def choices(self) -> tuple[str, ...]:
        """The two squares where the mark that closed a cycle may settle; () in other positions."""
        return _names(self.spooky[-1]) if self.measuring else ()

    @property
    def latest(self) -> str:
        """The name of the latest move's mark: in a measurement, the one that closed the cycle."""
        return mark_name(len(self.spooky))

    def measurement(self, choice: str) -> tuple[tuple[str, str], ...]:
        """Return what `choice`, one of `choices`, settles: pairs of a square and a mark's name.

        The mark that closed the cycle comes first, then the others as each forces the next. Raises
        `InvalidMove` or `IllegalMove`, as `play` does, for anything but one of the choices.
        """
        if not self.measuring:
            raise IllegalMove("There is nothing to measure")
        if choice not in self.choices:
            self._refuse(choice)
        return tuple(
            (NINE[place], mark_name(number)) for number, place in self._settling(_SQUARES[choice])
        )

    def effect(self, move: str) -> Message | None:
        """Return what a choice would settle; None for any other move."""
        if not self.measuring:
            return None
        return message("settles {marks}", marks=self._settled_by(move))

    def _settled_by(self, choice: str) -> tuple[Message, ...]:
        return tuple(
            message("{mark} in {square}", mark=mark, square=square)
            for square, mark in self.measurement(choice)
        )

    def legal_moves(self) -> Sequence[str]:
        """Return the two choices of a measurement, the pairs of open squares or the last square."""
        if self.outcome is not None:
            return ()
        if self.measuring:
            return self.choices
        taken = self._taken()
        return _PLACEMENTS[taken] or (NINE[places(FULL & ~taken)[0]],)

    def parse(self, text: str) -> str:
        """Return the move that was typed, as "a1+c3", "C3 A1" or "a1,c3", or a single "b2"."""
        cells = cells_in(text)
        if cells is None:
            raise self._unreadable()
        names = [cell_name(*cell) for cell in cells]
        for name in names:
            if name not in _SQUARES:
                raise InvalidMove(
                    "{square} is not on the board, which goes from a1 to c3", square=name
                )
        if len(names) > 2 or len(set(names)) < len(names):
            raise self._unreadable()
        move = "+".join(sorted(names, key=_SQUARES.__getitem__))
        self._check(move)
        return move

    def play(self, move: str) -> QuantumPosition:
        """Return the position after two spooky marks, a measurement's choice or the last mark."""
        pair = _PAIRS.get(move)
        if pair is None:
            return self._play_square(move)
        spooky, settled, measuring, turn, outcome = self
        first, second = places(pair)
        if measuring or outcome is not None or settled[first] or settled[second]:
            self._check(move)
        closes = _entangled(spooky, 1 << first) & pair == pair
        return _position(QuantumPosition, ((*spooky, pair), settled, closes, turn.other, None))

    def _play_square(self, move: str) -> QuantumPosition:
        if move not in self.legal_moves():
            self._refuse(move)
        place = _SQUARES[move]
        spooky, settled, turn = [*self.spooky], [*self.settled], self.turn
        if self.measuring:
            for number, where in self._settling(place):
                spooky[number - 1] = 0
                settled[where] = number
        else:
            spooky.append(0)
            settled[place] = len(spooky)
            turn = turn.other
        return QuantumPosition(
            tuple(spooky), tuple(settled), measuring=False, turn=turn, outcome=outcome_of(settled)
        )

    def _settling(self, choice: int) -> Sequence[tuple[int, int]]:
        """Return the subscript and the place of each mark that settles when `choice` is chosen."""
        spooky = [*self.spooky]
        spooky[-1] = 0
        settling = [(len(spooky), choice)]
        for _, taken in settling:  # grows while it is read: each mark drives others from its square
            for number, pair in enumerate(spooky, start=1):
                if pair >> taken & 1:
                    spooky[number - 1] = 0
                    settling.append((number, places(pair & ~(1 << taken))[0]))
        return settling

    def _taken(self) -> int:
        return sum(1 << place for place, number in enumerate(self.settled) if number)

    def _refuse(self, move: str) -> None:
        canonical = self.parse(move)
        raise InvalidMove("Write the move as {move}", move=canonical)

    def _unreadable(self) -> InvalidMove:
        moves = self.legal_moves()
        if self.measuring:
            return InvalidMove(
                "Name the square where {mark} settles: {choices}",
                mark=self.latest,
                choices=self._either(),
            )
        if len(moves) == 1 and moves[0] in _SQUARES:
            return InvalidMove("Only one square is left: name just {square}", square=moves[0])
        return InvalidMove(
            "Name two different squares, like {move}", move=moves[0] if moves else "a1+c3"
        )

    def _check(self, move: str) -> None:
        """Raise `IllegalMove` where the rules forbid `move`, which is in canonical notation."""
        if self.outcome is not None:
            raise IllegalMove("The game is over")
        moves = self.legal_moves()
        if move in moves:
            return
        if self.measuring:
            if move in _PAIRS:
                raise IllegalMove(
                    "A measurement comes first: choose where {mark} settles, {choices}",
                    mark=self.latest,
                    choices=self._either(),
                )
            raise IllegalMove(
                "{mark} can settle in {choices}, not in {square}",
                mark=self.latest,
                choices=self._either(),
                square=move,
            )
        if moves[0] in _SQUARES:
            raise IllegalMove("Only one square is left: name just {square}", square=moves[0])
        if move in _SQUARES:
            raise IllegalMove("A move marks two different squares, like {move}", move=moves[0])
        square = next(name for name in move.split("+") if self.settled[_SQUARES[name]])
        raise IllegalMove(
            "{square} has settled as {mark} and takes no more marks",
            square=square,
            mark=mark_name(self.settled[_SQUARES[square]]),
        )

    def diagram(self, style: Style = ASCII) -> str:
        """Return the nine squares as boxes.

        The marks of move n stand at spot n of both their squares, spots being counted as on a
        keypad. A settled square holds one large mark. Brackets mark the mark to be measured.
        """
        return trimmed(self._drawn(style), _AREA.left, style)

    def _drawn(self, style: Style) -> str:
        edge, down = style.across * 13, style.down
        upper, inner, lower = (
            f"    {corners[0]}{edge}{corners[1]}{edge}{corners[1]}{edge}{corners[2]}"
            for corners in style.frame
        )
        rows = ["          a             b             c", upper]
        for row in range(3):
            boxes = [self._box(3 * row + column, style) for column in range(3)]
            for line in range(3):
                ruler = f" {row + 1}  " if line == 1 else "    "
                rows.append(f"{ruler}{down}{down.join(box[line] for box in boxes)}{down}")
            rows.append(inner if row < 2 else lower)
        return "\n".join(rows)

    def close_up(self, style: Style = ASCII) -> str:
        """Return the diagram, both ends of every three in a row marked."""
        text = {"row": (3, 7, 11), "column": (10, 24, 38)}
        sides = [mask_of(self.settled, side) for side in Side]
        ends = [
            (run, text.get(run, (0,))[number])
            for (run, number), mask in zip(LINE_RUNS, LINE_MASKS, strict=True)
            if any(own & mask == mask for own in sides)
        ]
        return trimmed(with_ends(self._drawn(style), _AREA, ends, style), _AREA.left, style)

    def _box(self, place: int, style: Style) -> Sequence[str]:
        if number := self.settled[place]:
            return _large_mark(number, style)
        rows = [[" "] * 13 for _ in range(3)]
        for number, pair in enumerate(self.spooky, start=1):
            if pair >> place & 1:
                row, spot = rows[(number - 1) // 3], _SPOTS[(number - 1) % 3]
                row[spot : spot + 2] = mark_name(number)
                if self.measuring and number == len(self.spooky):
                    row[spot - 1], row[spot + 2] = "[", "]"
        return ["".join(row) for row in rows]

    def describe(self) -> tuple[Message, ...]:
        """Return a sentence for each settled square and each spooky mark, then how they hang.

        In a measurement both choices are read out with all that they would settle.
        """
        settled = (
            message(
                "{square} holds {side} with subscript {number}.",
                square=NINE[place],
                side=side_of(number),
                number=number,
            )
            for place, number in enumerate(self.settled)
            if number
        )
        spooky = (
            message(
                "{mark} is in {first} and {second} at once.",
                mark=mark_name(number),
                first=NINE[places(pair)[0]],
                second=NINE[places(pair)[1]],
            )
            for number, pair in enumerate(self.spooky, start=1)
            if pair
        )
        return (
            *settled,
            *spooky,
            *self._entanglement_words(),
            *self._empty_words(),
            *self._measurement_words(),
            self.instruction(),
        )

    def _entanglement_words(self) -> Sequence[Message]:
        parts = {_entangled(self.spooky, pair): None for pair in self.spooky if pair}
        return [
            message(
                "{marks} entangle the squares {squares}.",
                marks=tuple(
                    mark_name(number) for number, pair in enumerate(self.spooky, 1) if pair & part
                ),
                squares=_names(part),
            )
            for part in parts
            if part.bit_count() > 2
        ]

    def _empty_words(self) -> Sequence[Message]:
        squares = _names(FULL & ~reduce(or_, self.spooky, self._taken()))
        return [message("Empty squares: {squares}.", squares=squares)] if squares else []

    def _measurement_words(self) -> Sequence[Message]:
        if not self.measuring:
            return []
        return [
            message(
                "{mark} closes the cycle {squares}: everything entangled with it settles now.",
                mark=self.latest,
                squares=tuple(NINE[place] for place in self._cycle()),
            ),
            *(
                message(
                    "Choosing {choice} settles {marks}.",
                    choice=choice,
                    marks=self._settled_by(choice),
                )
                for choice in self.choices
            ),
        ]

    def _either(self) -> Message:
        first, second = self.choices
        return message("{first} or {second}", first=first, second=second)

    def _cycle(self) -> Sequence[int]:
        """Return the places of the cycle that the latest move closed, from one to the next."""
        *others, closing = self.spooky
        first, last = places(closing)
        trails: list[tuple[int, ...]] = [(first,)]
        for trail in trails:  # grows while it is read; without the closing move there is one way
            for pair in others:
                if pair >> trail[-1] & 1:
                    (place,) = places(pair & ~(1 << trail[-1]))
                    if place not in trail:
                        trails.append((*trail, place))
        return next(trail for trail in trails if trail[-1] == last)

    def instruction(self) -> Message:
        """Return what the side to move must choose or may mark, or how the game ended."""
        if self.outcome is not None:
            return message("The game is over: {reason}.", reason=self.outcome.reason)
        if self.measuring:
            return message(
                "Choose where {mark} settles: {choices}.", mark=self.latest, choices=self._either()
            )
        mark = mark_name(len(self.spooky) + 1)
        squares = _names(FULL & ~self._taken())
        if len(squares) == 9:
            return message("Put {mark} in any two squares.", mark=mark)
        if len(squares) == 1:
            return message("Put {mark} in {square}, the last square.", mark=mark, square=squares[0])
        return message("Put {mark} in two of these squares: {squares}.", mark=mark, squares=squares)


def _large_mark(number: int, style: Style) -> Sequence[str]:
    """Return the three text rows of a settled square: a large mark with its subscript."""
    if side_of(number) is Side.X:
        falling, rising = style.large_x[0][0], style.large_x[0][-1]
        return (
            f"   {falling}     {rising}   ",
            f"     X {number}     ",
            f"   {rising}     {falling}   ",
        )
    top, middle, bottom = style.large_o
    return f"    {top}    ", f"    {middle[:2]}{number}{middle[3:]}    ", f"    {bottom}    "


def _names(mask: int) -> tuple[str, ...]:
    return tuple(NINE[place] for place in places(mask))


def _entangled(spooky: Sequence[int], squares: int) -> int:
    """Return the mask of `squares` and all that are entangled with them, also by way of others."""
    before = 0
    while before != squares:
        before = squares
        for pair in spooky:
            if pair & squares:
                squares |= pair
    return squares


_position = tuple.__new__

QUANTUM = Variant(
    key="quantum",
    name="Quantum",
    title="Quantum Tic-Tac-Toe",
    start=QuantumPosition((), (0,) * 9, measuring=False, turn=Side.X, outcome=None),
    draw_points=(0, 0),
)
