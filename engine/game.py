"""The interface of all variants: sides, positions, moves, outcomes and the words for them.

A move is its canonical notation, a string. A game is its variant and its moves. Everything here is
immutable: playing a move returns a new position.
"""

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from operator import attrgetter
from random import Random
from typing import TYPE_CHECKING, ClassVar, Self, TypeAlias

from engine.messages import (
    ENGLISH,
    LIST,
    Message,
    Translations,
    Words,
    in_context,
    message,
    only,
    plural,
    plural_in_context,
)
from engine.style import ASCII, Style

__all__ = [
    "ENGLISH",
    "LIST",
    "IllegalMove",
    "InvalidMove",
    "Message",
    "MoveError",
    "Outcome",
    "Position",
    "Side",
    "SideNames",
    "SlottedPosition",
    "Translations",
    "Variant",
    "View",
    "Words",
    "drawn",
    "in_context",
    "message",
    "only",
    "over",
    "plural",
    "plural_in_context",
    "won_by",
]


class Side(Enum):
    """One of the two players; X moves first in every variant."""

    X = "X"
    O = "O"  # noqa: E741 - the mark's own name

    @property
    def other(self) -> "Side":
        """The opponent's side."""
        return Side.O if self is Side.X else Side.X

    def __str__(self) -> str:
        return self.value


class MoveError(ValueError):
    """A move that cannot be played; `message` says why, in words that a player can act on."""

    message: Message

    def __init__(self, text: str | Message, /, **values: object) -> None:
        super().__init__(text)
        self.message = text.filled(**values) if isinstance(text, Message) else Message(text, values)

    def __str__(self) -> str:
        return str(self.message)


class InvalidMove(MoveError):
    """The text cannot be read as a move of this variant."""


class IllegalMove(MoveError):
    """The text is a move, but the rules forbid it in this position."""


@dataclass(frozen=True)
class Outcome:
    """The end of a game by the rules.

    `winner` is None in a draw, `reason` says what decided it ("three in a row: a1 b2 c3") and
    `points` are X's and O's, each 0, 0.5 or 1.
    """

    winner: Side | None
    reason: Message
    points: tuple[float, float]

    def value_for(self, side: Side) -> float:
        """Return a side's result from 0 (lost) to 1 (won).

        The difference of the sides' points decides, so that a draw is 0.5 in any variant.

        >>> won_by(Side.O, message("three in a row")).value_for(Side.X)
        0.0
        """
        x, o = self.points
        return (1 + x - o) / 2 if side is Side.X else (1 + o - x) / 2


def won_by(side: Side, reason: Message) -> Outcome:
    """Return the outcome of a game that `side` won outright: 1 point to 0."""
    return Outcome(side, reason, (1, 0) if side is Side.X else (0, 1))


def drawn(reason: Message) -> Outcome:
    """Return the outcome of a draw: half a point each."""
    return Outcome(None, reason, (0.5, 0.5))


def over(outcome: Outcome) -> Message:
    """Return the instruction for a game that has ended, with the reason for its end.

    >>> print(over(drawn(message("all cells are full"))))
    The game is over: all cells are full.
    """
    # Translators: {reason} is a clause with the context “why a game ended”. It begins with a small
    # letter, since it also follows “A draw:”, “You won:” or “Then”.
    return message("The game is over: {reason}.", reason=outcome.reason)


SideNames: TypeAlias = Mapping[Side, Message | Side]
"""The names of the sides."""


@dataclass(frozen=True)
class View:
    """The view of a board on a page: the whole board, or a part of a wide one.

    `drawing` is the board or the part, and `is_moved` says whether the reader chose the part. Of a
    part, `explanation` says which it is, `overview` is a small map of the board, `key` explains the
    map, and `ways` are links to other parts, each with the cell around which to look. `marks_line`
    says whether signs outside the board mark both ends of the winning line, in the drawing or in
    the overview.
    """

    drawing: str
    is_moved: bool = False
    marks_line: bool = False
    explanation: Message | None = None
    overview: str | None = None
    key: Message | None = None
    ways: tuple[tuple[Message, str], ...] = ()


class Position(ABC):
    """A position of a game: immutable, hashable, and equal to the same position of that game.

    A frozen dataclass with the fields `turn` and `outcome` and the abstract methods below is a
    complete position. The other methods have defaults, which a game overrides if it needs its own
    drawing, search or wording. A class of positions belongs to one variant.
    """

    __slots__ = ()

    may_never_end: ClassVar[bool] = False
    """Whether the rules allow a game that never ends."""

    may_move_twice: ClassVar[bool] = False
    """Whether the rules let one side make two moves in a row."""

    has_countless_moves: ClassVar[bool] = False
    """Whether `legal_moves` is too long to enumerate; a search then uses `promising_moves`."""

    effects_judge_moves: ClassVar[bool] = False
    """Whether `effect` also says how good a move is, which a puzzle must not give away."""

    marks_lines: ClassVar[bool] = False
    """Whether `close_up` marks both ends of the winning line, outside the board."""

    # Properties for the type checker alone, so that a position may have them as fields.
    if TYPE_CHECKING:

        @property
        def turn(self) -> Side:
            """The side to move; in a finished game, the side that would have moved."""

        @property
        def outcome(self) -> Outcome | None:
            """The outcome, None while the game is running."""

    @property
    def size(self) -> int:
        """The side length, in cells, of a grid that grows; 0 for a board of fixed size."""
        return 0

    def __str__(self) -> str:
        return self.diagram()

    @classmethod
    def of(cls, position: "Position") -> Self:
        """Narrow a position to this class; raises `TypeError` for a position of another game."""
        if not isinstance(position, cls):
            raise TypeError(f"This takes a {cls.__name__}, not a {type(position).__name__}")
        return position

    @abstractmethod
    def legal_moves(self) -> Iterable[str]:
        """Return the moves in canonical notation; none exactly when `outcome` is not None."""

    @abstractmethod
    def parse(self, text: str) -> str:
        """Return the canonical notation of a legal move that a person typed.

        Raises `InvalidMove` if the text cannot be read, `IllegalMove` if the rules forbid it.
        """

    @abstractmethod
    def play(self, move: str) -> "Position":
        """Return the position after `move`, which is in canonical notation.

        Raises `InvalidMove` or `IllegalMove` as `parse` does; a text that is not in canonical
        notation is an `InvalidMove` here, even if `parse` reads it.
        """

    @abstractmethod
    def diagram(self, style: Style = ASCII) -> str:
        """Return the whole board as lines joined by newlines, without a newline at the end.

        It is plain ASCII with rulers, unless another style is given.
        """

    @abstractmethod
    def describe(self) -> tuple[Message, ...]:
        """Return sentences that state every fact shown by the diagram."""

    @abstractmethod
    def instruction(self) -> Message:
        """Return a sentence that instructs the side to move, or says that the game is over."""

    def with_turn(self, side: Side) -> "Position | None":
        """Return this position with `side` to move, None if the rules allow no such position.

        A game that is over stays over.
        """
        return self if side is self.turn else None

    def images(self, move: str) -> Sequence[str]:
        """Return the image of a move in this position under each symmetry, itself first.

        The symmetries have the same order for every move of a game, so that the images of its moves
        at one index are a game with the same course and result.
        """
        return (move,)

    def identity(self) -> str:
        """Return a text that two positions of a game share if and only if they are equal.

        It is the same in every process, so that data about a position can be stored under it.
        """
        return repr(self)

    def random_move(self, rng: Random) -> str:
        """Return any legal move of a position that is not over."""
        return rng.choice(tuple(self.legal_moves()))

    def promising_moves(self, limit: int, rng: Random) -> Sequence[str]:  # noqa: ARG002 - for variants that need it
        """Return the moves that a search should try: all of them, unless they are countless.

        If they are countless, return the immediate wins and some others, up to `limit` in all.
        """
        return tuple(self.legal_moves())

    def example(self) -> str:
        """Return a move as it may be typed now, in a position that is not over."""
        return next(iter(self.legal_moves()))

    def effect(self, move: str) -> Message | None:  # noqa: ARG002 - for variants that need it
        """Return the effect of a legal move in words, None if its notation says everything."""
        return None

    def brief_effect(self, move: str) -> Message | None:
        """Return the effect of a legal move in a few words, for a list on a narrow screen."""
        return self.effect(move)

    def marked_by(self, move: str) -> tuple[str, ...]:  # noqa: ARG002 - for variants that need it
        """Return the cells that a legal move marks, with their names in the position after it."""
        return ()

    def narration(self, move: str) -> Message:
        """Return a legal move and its effect in words, as a report of a move that was made."""
        return only(move)

    def close_up(
        self,
        style: Style = ASCII,
        latest: Collection[str] = (),  # noqa: ARG002 - for variants that need it
    ) -> str:
        """Return the part of the board where the play is, no wider than the style allows.

        The `latest` cells, which the last move marked, are in brackets.
        """
        return self.diagram(style)

    def view(
        self,
        around: str | None = None,  # noqa: ARG002 - for variants that need it
        style: Style = ASCII,
        latest: Collection[str] = (),
    ) -> View:
        """Return the view of the board for a page: the close-up, or the part around a cell.

        `around` may be any text; it counts as None unless it names a cell of a wide board.
        """
        is_won = self.outcome is not None and self.outcome.winner is not None
        return View(self.close_up(style, latest), marks_line=self.marks_lines and is_won)

    def stages(self, move: str, style: Style = ASCII) -> tuple[str, ...]:
        """Return the boards that show the effect of a legal move, from before it to after it.

        The cells that the move marks are in brackets.
        """
        return self.diagram(style), self.play(move).close_up(style, self.marked_by(move))


class SlottedPosition(Position):
    """A position with its fields in private slots, behind read-only properties.

    It is created faster than a frozen dataclass, which matters to a search that creates millions. A
    subclass has one slot for each parameter of its constructor, with the same name after an
    underscore; `_turn` and `_outcome` are among them.
    """

    __slots__ = ()

    _turn: Side
    _outcome: Outcome | None

    _slots: ClassVar[tuple[str, ...]]
    _values: ClassVar["attrgetter[tuple[object, ...]]"]

    @property
    def turn(self) -> Side:
        """The side to move; in a finished game, the side that would have moved."""
        return self._turn

    @property
    def outcome(self) -> Outcome | None:
        """The outcome, None while the game is running."""
        return self._outcome

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        classes = (vars(each) for each in reversed(cls.__mro__))
        cls._slots = tuple(slot for each in classes for slot in each.get("__slots__", ()))
        cls._values = attrgetter(*cls._slots)

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return self._values(self) == self._values(other)

    def __hash__(self) -> int:
        return hash(self._values(self))

    def __repr__(self) -> str:
        fields = zip(self._slots, self._values(self), strict=True)
        values = ", ".join(f"{slot[1:]}={value!r}" for slot, value in fields)
        return f"{type(self).__name__}({values})"


@dataclass(frozen=True)
class Variant:
    """A game: its rules, its name and its description.

    Attributes:
        key: names the game in addresses and records, a lower-case word.
        name: its name on a game's page, in English; messages that show it translate it.
        title: its full name, in English and translated likewise.
        start: the position in which every game begins.
        draw_points: the points of X and of O in a draw, including a draw by agreement.
        side_names: what the sides are called, if not X and O.
        tagline: a sentence or two that invite players to the game, for a list of games.
        about: a definition of the game that names it and stands on its own.
        summary: the rules in about five sentences, for a player's first game.
        notation: the form of a move, in a sentence that continues the name of the game.
        origin: where the game comes from, in a sentence.
        points_note: how its points differ from 1, ½ and 0, in a sentence.
    """

    key: str
    name: str
    title: str
    start: Position
    draw_points: tuple[float, float] = (0.5, 0.5)
    side_names: SideNames = field(default_factory=lambda: {side: side for side in Side}, hash=False)
    tagline: Message | None = None
    about: Message | None = None
    summary: tuple[Message, ...] = ()
    notation: Message | None = None
    origin: Message | None = None
    points_note: Message | None = None

    def __post_init__(self) -> None:
        # Plug-ins may give plain strings; a frozen dataclass allows no ordinary assignment.
        for field_name in ("name", "title"):
            words = Words(Message(getattr(self, field_name), context="a game"))
            object.__setattr__(self, field_name, words)

    @property
    def may_never_end(self) -> bool:
        """Whether the rules allow a game that never ends."""
        return self.start.may_never_end

    def side_name(self, side: Side) -> Message:
        """Return what a side is called in this game."""
        name = self.side_names[side]
        return name if isinstance(name, Message) else only(name)

    def replay(self, moves: Iterable[str]) -> Position:
        """Return the position after `moves` from the start.

        Raises the error of the first move that cannot be played, with its number and notation.
        """
        position = self.start
        for number, move in enumerate(moves, start=1):
            try:
                position = position.play(move)
            except MoveError as error:
                # Translators: {reason} says what is wrong with the move.
                words = message("Move {number}, {move}: {reason}", reason=error.message)
                raise type(error)(words, number=number, move=move) from error
        return position
