"""Plain noughts and crosses: a sixth variant, as a plug-in, to show that there is room for more."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from engine import ASCII, Style, variants
from engine.boards.grid import LINES, NINE
from engine.boards.symmetry import images
from engine.cells import cell_name, cells_in
from engine.drawing.text import trimmed
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

TEMPLATES = Path(__file__).parent / "templates"
"""The folder of its templates, which has the rules page."""


@dataclass(frozen=True)
class NoughtsPosition(Position):
    """The nine cells in reading order, each X, O or ~ where it is empty."""

    cells: str = 9 * "~"
    turn: Side = Side.X
    outcome: Outcome | None = None

    def legal_moves(self) -> Sequence[str]:
        return () if self.outcome is not None else self._cells_of("~")

    def parse(self, text: str) -> str:
        cells = cells_in(text)
        if cells is None or len(cells) > 1:
            if self.outcome is not None:
                raise InvalidMove("The game is over")
            raise InvalidMove(
                "Name one cell by its column and row, like {move}", move=self.example()
            )
        move = cell_name(*cells[0])
        if move not in NINE:
            raise InvalidMove("{cell} is not on the board, which goes from a1 to c3", cell=move)
        if self.outcome is not None:
            raise IllegalMove("The game is over")
        if move not in self._cells_of("~"):
            raise IllegalMove("{cell} is taken", cell=move)
        return move

    def play(self, move: str) -> "NoughtsPosition":
        canonical = self.parse(move)
        if move != canonical:
            raise InvalidMove("Write the move as {move}", move=canonical)
        place = NINE.index(move)
        cells = self.cells[:place] + self.turn.value + self.cells[place + 1 :]
        return NoughtsPosition(cells, self.turn.other, outcome_of(cells, self.turn))

    def diagram(self, style: Style = ASCII) -> str:
        signs = self.cells.replace("~", style.free)
        rows = [f" {row + 1}   {' '.join(signs[3 * row : 3 * row + 3])}" for row in range(3)]
        return trimmed("\n".join(["     a b c", *rows]), 5, style)

    def describe(self) -> tuple[Message, ...]:
        marked = [(side, self._cells_of(side.value)) for side in Side]
        held = [message("{side} has {cells}.", side=side, cells=own) for side, own in marked if own]
        return (*held, self.instruction())

    def instruction(self) -> Message:
        if self.outcome is not None:
            return message("The game is over: {reason}.", reason=self.outcome.reason)
        return message(
            "Put {side} in an empty cell: {cells}.", side=self.turn, cells=self._cells_of("~")
        )

    def images(self, move: str) -> Sequence[str]:
        return [cell for (cell,) in images([move], 3)]

    def _cells_of(self, sign: str) -> tuple[str, ...]:
        return tuple(cell for cell, mark in zip(NINE, self.cells, strict=True) if mark == sign)


def outcome_of(cells: str, side: Side) -> Outcome | None:
    """Return how a game has ended in which `side` moved last, None where it has not."""
    for line in LINES:
        if {cells[place] for place in line} == {side.value}:
            names = tuple(NINE[place] for place in line)
            return won_by(
                side, message("{side} has three in a row: {cells}", side=side, cells=names)
            )
    return (
        None if "~" in cells else drawn(message("the board is full, and nobody has three in a row"))
    )


NOUGHTS = Variant(
    key="noughts",
    name="Noughts",
    title="Noughts and Crosses",
    start=NoughtsPosition(),
    tagline=message("Three in a row: where it all began."),
    notation=message("b2 is the cell in the middle."),
    origin=message("Noughts and crosses is as old as the hills."),
)


def register() -> None:
    """Add the variant to those of the engine; a search plays it."""
    variants.register(NOUGHTS)


def unregister() -> None:
    """Take it back."""
    variants.unregister(NOUGHTS.key)
