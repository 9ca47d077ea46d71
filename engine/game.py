"""What every variant has in common: sides, positions, moves, outcomes and the words for them.

A move is its canonical notation, a string. A game is its variant and its moves. Everything here is
immutable: playing a move returns a new position.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING

from engine.style import ASCII

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from engine.style import Style


class Side(Enum):
    """One of the two players; X moves first in every variant."""

    X = "X"
    O = "O"  # noqa: E741 - the mark's own name

    @property
    def other(self) -> Side:
        """The opponent's side."""
        return Side.O if self is Side.X else Side.X

    def __str__(self) -> str:
        return self.value


@dataclass(frozen=True)
class Message:
    """A sentence for people: an English template and the values that fill its braces.

    A value may be a message itself, or a tuple of words and messages, which is read out with
    commas, so that each part can be translated on its own.

    >>> str(Message("{cells} are taken", {"cells": ("e5", "e6")}))
    'e5, e6 are taken'
    """

    text: str
    values: Mapping[str, object] = field(default_factory=dict)

    def render(self, translate: Callable[[str], str] = str) -> str:
        """Return the sentence, every template in it put through `translate`."""

        def spoken(value: object) -> str:
            if isinstance(value, Message):
                return value.render(translate)
            if isinstance(value, tuple):
                return ", ".join(spoken(part) for part in value)
            return str(value)

        values = {name: spoken(value) for name, value in self.values.items()}
        return translate(self.text).format(**values)

    def __str__(self) -> str:
        return self.render()

    def __hash__(self) -> int:
        return hash((self.text, tuple(sorted(self.values))))


def message(text: str, /, **values: object) -> Message:
    """Return the `Message` of a template and its values; this call marks a text for translation.

    >>> str(message("{side} wins", side=Side.X))
    'X wins'
    """
    return Message(text, values)


class MoveError(ValueError):
    """A move that cannot be played; `message` says why, in words that a player can act on."""

    message: Message

    def __init__(self, text: str, /, **values: object) -> None:
        super().__init__(text)
        self.message = Message(text, values)

    def __str__(self) -> str:
        return str(self.message)


class InvalidMove(MoveError):
    """The text cannot be read as a move of this variant."""


class IllegalMove(MoveError):
    """The text is a move, but the rules forbid it in this position."""


@dataclass(frozen=True)
class Outcome:
    """How the rules ended a game.

    `winner` is None in a draw, `reason` says what decided it ("three in a row: a1 b2 c3") and
    `points` are X's and O's, each 0, 0.5 or 1.
    """

    winner: Side | None
    reason: Message
    points: tuple[float, float]


def won_by(side: Side, reason: Message) -> Outcome:
    """Return the outcome of a game that `side` won outright: 1 point to 0."""
    return Outcome(side, reason, (1, 0) if side is Side.X else (0, 1))


def drawn(reason: Message) -> Outcome:
    """Return the outcome of a draw: half a point each."""
    return Outcome(None, reason, (0.5, 0.5))


@dataclass(frozen=True)
class View:
    """What a page shows of a board, which may be too wide to be shown whole.

    `drawing` is the board or a part of it, and `is_moved` tells that the reader chose the part. Of
    a part, `explanation` says which one it is, `overview` is the whole in small and `key` says how
    to read it; `ways` lead on, each with the cell to look at from there.
    """

    drawing: str
    is_moved: bool = False
    explanation: Message | None = None
    overview: str | None = None
    key: Message | None = None
    ways: tuple[tuple[Message, str], ...] = ()


class Position(ABC):
    """One state of a game: immutable and hashable.

    `turn` is the side that moves, also in a finished game, where it is the side that would have.
    `outcome` is None while the game goes on.
    """

    __slots__ = ()

    turn: Side
    outcome: Outcome | None

    @abstractmethod
    def legal_moves(self) -> Iterable[str]:
        """Return the moves in canonical notation; none exactly when `outcome` is not None."""

    @abstractmethod
    def parse(self, text: str) -> str:
        """Return the canonical notation of a legal move that a person typed.

        Raises `InvalidMove` where the text cannot be read, `IllegalMove` where the rules forbid it.
        """

    @abstractmethod
    def play(self, move: str) -> Position:
        """Return the position after `move`, which is in canonical notation.

        Raises `InvalidMove` or `IllegalMove` as `parse` does; a text that `parse` would have to
        put in order first is an `InvalidMove` here.
        """

    @abstractmethod
    def diagram(self, style: Style = ASCII) -> str:
        """Return the whole board, lines joined by newlines, none at the end.

        It is plain ASCII with rulers, unless another style is asked for.
        """

    @abstractmethod
    def describe(self) -> tuple[Message, ...]:
        """Return the position in words, a sentence each: every fact that the diagram shows."""

    @abstractmethod
    def instruction(self) -> Message:
        """Return the sentence that tells the side to move what it may do, or how the game ended."""

    def example(self) -> str:
        """Return a move as it may be typed now, in a position that is not over."""
        return next(iter(self.legal_moves()))

    def effect(self, move: str) -> Message | None:  # noqa: ARG002 - for variants that need it
        """Return what a legal move would bring about, where the move's name does not say it."""
        return None

    def close_up(self, style: Style = ASCII) -> str:
        """Return the part of the board where the play is, at most 64 columns wide.

        In a finished game both ends of the line that won are marked, outside the board.
        """
        return self.diagram(style)

    def view(
        self,
        around: str | None = None,  # noqa: ARG002 - for variants that need it
        style: Style = ASCII,
    ) -> View:
        """Return what a page shows of the board: the close-up, or what is around a cell.

        `around` may be any text; what names no cell of a wide board counts as None.
        """
        return View(self.close_up(style))

    def stages(self, move: str, style: Style = ASCII) -> tuple[str, ...]:
        """Return the boards that show what a legal move does, from before it to after it."""
        return self.diagram(style), self.play(move).close_up(style)


@dataclass(frozen=True)
class Variant:
    """A game: `key` names it in URLs and records, `name` on a game's page, `title` in full.

    `draw_points` are what a draw is worth to X and to O, also one that the players agree on.
    """

    key: str
    name: str
    title: str
    start: Position
    draw_points: tuple[float, float] = (0.5, 0.5)

    def replay(self, moves: Iterable[str]) -> Position:
        """Return the position after `moves` from the start.

        Raises the error of the first move that cannot be played, with its number and notation.
        """
        position = self.start
        for number, move in enumerate(moves, start=1):
            try:
                position = position.play(move)
            except MoveError as error:
                raise type(error)(
                    "Move {number}, {move}: {reason}",
                    number=number,
                    move=move,
                    reason=error.message,
                ) from error
        return position
