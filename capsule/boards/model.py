"""Boards as addressed: a position, the moves to it, and the first illegal one."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from capsule.ui.boards import board_address, fits, linked_moves
from engine import IllegalMove, Message, Position, Variant


@dataclass(frozen=True, slots=True)
class GameAtPly:
    """A game after its first `ply` moves, where a board begins; `is_running` if it is not over."""

    game_id: str
    ply: int
    is_running: bool

    @property
    def name(self) -> str:
        """The name for its moves in an address."""
        return f"~{self.game_id}.{self.ply}"


@dataclass(frozen=True, slots=True)
class Board:
    """A position that moves lead to: `line`, after those of a game if there is one.

    `before` is the position before the last move, or None where it is unknown.
    """

    variant: Variant
    position: Position
    line: tuple[str, ...] = ()
    game: GameAtPly | None = None
    before: Position | None = None

    @property
    def ply(self) -> int:
        """The number of moves from the start."""
        return len(self.line) + (self.game.ply if self.game else 0)

    @property
    def address(self) -> str:
        return self._address_with(self.line)

    @property
    def line_as_written(self) -> str:
        """The part of the address after the variant."""
        beginning = (self.game.name,) if self.game else ()
        return ",".join((*beginning, *self.line))

    @property
    def prompt(self) -> str:
        """The address at which a move is typed."""
        return f"{self.address.rstrip('/')}/move"

    @property
    def back(self) -> str | None:
        """The address of the board one move before, None at the start."""
        if self.line:
            return self._address_with(self.line[:-1])
        if self.game is None or self.game.ply == 0:
            return None
        return board_address(self.variant.key, [replace(self.game, ply=self.game.ply - 1).name])

    def after(self, move: str) -> str:
        """Return the address of the board after a legal move."""
        return self._address_with((*self.line, move))

    def may_grow(self, origin: str) -> bool:
        """Return whether the address of the next board is short enough to be asked for."""
        return fits(origin, self.address)

    def played(self, move: str) -> "Board":
        """Return the board after a move in canonical notation; raises the engine's errors."""
        after = self.position.play(move)
        return replace(self, position=after, line=(*self.line, move), before=self.position)

    @property
    def move_links(self) -> Sequence[str]:
        """The legal moves if they are few enough for links, else none."""
        return linked_moves(self.position)

    @property
    def latest(self) -> Sequence[str]:
        """The cells that the last move has marked, by their names in the position."""
        if self.before is None or not self.line:
            return ()
        return self.before.marked_by(self.line[-1])

    @property
    def numbered(self) -> str:
        """The moves of the line with their numbers, as a record has them."""
        first = self.ply - len(self.line) + 1
        return " ".join(f"{number}. {move}" for number, move in enumerate(self.line, first))

    def _address_with(self, line: tuple[str, ...]) -> str:
        beginning = (self.game.name,) if self.game else ()
        return board_address(self.variant.key, (*beginning, *line))


@dataclass(frozen=True, slots=True)
class BrokenLine:
    """Moves that the rules forbid from one on: the last good board, that move, and why not."""

    board: Board
    move: str
    reason: Message

    @property
    def number(self) -> int:
        """The number of the move that fails."""
        return self.board.ply + 1


def follow(board: Board, moves: Sequence[str]) -> Board | BrokenLine:
    """Return the board that moves lead to from another, or the first illegal one.

    The moves may be typed in any way that can be read; raises `InvalidMove` if one cannot.
    """
    for typed in moves:
        try:
            board = board.played(board.position.parse(typed))
        except IllegalMove as error:
            return BrokenLine(board, typed, error.message)
    return board


@dataclass(frozen=True, slots=True)
class Tally:
    """The number of times people and bots were to move in a position, or made a move there.

    Beside each number stand the points that they scored. `x_value` is what best play from then on
    brings X, None if that is not known.
    """

    people: int = 0
    people_points: float = 0.0
    bots: int = 0
    bots_points: float = 0.0
    x_value: float | None = None

    def __add__(self, other: "Tally") -> "Tally":
        """Return both together."""
        return Tally(
            self.people + other.people,
            self.people_points + other.people_points,
            self.bots + other.bots,
            self.bots_points + other.bots_points,
            other.x_value if self.x_value is None else self.x_value,
        )

    def __neg__(self) -> "Tally":
        """Return the tally that undoes this one."""
        return Tally(-self.people, -self.people_points, -self.bots, -self.bots_points, self.x_value)

    @property
    def times(self) -> int:
        """The number of times in all."""
        return self.people + self.bots

    @property
    def percent(self) -> int:
        """The average score, in per cent of a win."""
        points = self.people_points + self.bots_points
        return round(100 * points / self.times) if self.times else 0


Place = tuple[int, str]
"""A position, by its number, and a move made there, "" for the position itself."""

Explored = tuple[Tally, Mapping[str, Tally]]
"""The statistics of a position: how often it was reached, and its next moves by name."""
