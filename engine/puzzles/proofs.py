"""The provers of puzzles, one for each game."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import Protocol

from engine.game import Position
from engine.messages import Message, message
from engine.puzzles.model import Proof, Puzzle, Refutation, Task, Value
from engine.puzzles.registry import sources_of


@dataclass(frozen=True)
class Proven:
    """A prover's result for a position that makes a puzzle; the fields are those of `Puzzle`.

    Attributes:
        task: what the solver is asked for.
        turns: of `Task.WIN_IN`, how many own turns it takes.
        solutions: the right moves; every other legal move is worth strictly less.
        line: a whole solution, from the first right move to where it is decided.
        before: what the position is worth to the side to move.
        proof: how all of this is known.
        look: how many own turns one must look ahead to see that the right move is right.
        tempting: how many wrong moves look right: the reply at once does not refute them.
        refutations: the lines that refute wrong moves, of those that are stored with the puzzle
            since finding them again would take long.
    """

    task: Task
    turns: int | None
    solutions: tuple[str, ...]
    line: tuple[str, ...]
    before: Value | float
    proof: Proof
    look: int
    tempting: int
    refutations: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


class Prover(Protocol):
    """Proves puzzles of one game. The same position always has the same proof.

    A prover inherits from this class, since `images` has a default.
    """

    def prove(self, position: Position) -> Proven | None:
        """Return what is proven of a position, or None without a puzzle in it."""

    def refutation(self, puzzle: Puzzle, position: Position, move: str) -> Refutation:
        """Return why a legal move that is no solution is wrong, within milliseconds.

        `position` is that of the puzzle.
        """

    def fault(self, position: Position, move: str, better: str) -> tuple[Message, ...]:
        """Return what is wrong with a legal move if another is better, in sentences.

        By default there are none. It takes a second at most.
        """
        del position, move, better
        return ()

    def idea(self, puzzle: Puzzle, position: Position) -> Message:
        """Return a first hint in a sentence: what to look for, without the moves that do it."""
        # Translators: {other} is X or O, or Odd or Even.
        return message(
            "Ask of each move what {other} would reply.",
            other=puzzle.side_name(position.turn.other),
        )

    def area(self, puzzle: Puzzle, position: Position) -> Message:
        """Return a second hint in a sentence: where on the board the right move is.

        By default this is its column, for games whose moves are cells.
        """
        del position
        column = puzzle.solutions[0].rstrip("0123456789")
        # Translators: {column} is the letter of a column.
        return message("The right move is in column {column}.", column=column)

    def images(self, position: Position, move: str) -> Sequence[str]:
        """Return the image of a move under each symmetry that makes puzzles the same, itself first.

        By default these are the symmetries of the game, as `Position.images` returns them.
        """
        return position.images(move)

    def state(self, position: Position) -> Hashable:
        """Return what counts of a position from here on: positions alike in it are one puzzle.

        By default this is the position itself.
        """
        return position


def prover_of(variant: str) -> Prover:
    """Return the prover of a game, by its key; `ValueError` if it has none."""
    prover: Prover = import_module(sources_of(variant).prover).PROVER
    return prover
