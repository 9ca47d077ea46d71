"""Puzzles: a position, a task, the only right move or line, and its proof.

A puzzle is a variant, the moves that lead to its position, and what was proven of it. It knows no
page and no player: those are the capsule's.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple

from engine.game import Position, Side
from engine.messages import Message, in_context, message, plural, plural_in_context
from engine.variants import VARIANTS


class Value(Enum):
    """The result of best play for the side to move."""

    WIN = "win"
    DRAW = "draw"
    LOSS = "loss"


class Proof(Enum):
    """The kind of a puzzle's proof: a solver of the game, or an exhaustive search."""

    EXACT = "exact"
    SEARCH = "search"


class Task(Enum):
    """The task of a puzzle, by the value that it has in a puzzle's file."""

    WIN = "win"
    """Win, however long it takes."""

    WIN_IN = "win-in"
    """Win within `Puzzle.turns` own turns, whatever the other side does."""

    SAVE = "save"
    """Find the only move that does not lose."""

    WIN_POINTS = "win-points"
    """Win by half a point, in a game that knows halves."""

    SAVE_POINTS = "save-points"
    """Find the only move that loses by half a point and no more."""

    WIN_INSIDE = "win-inside"
    """Win within `Puzzle.turns` own turns, unless the other side goes to the edge; in tinc.

    In two turns: leave a line ready. In three: leave more lines one turn from ready than the other
    side can stop without the edge.
    """

    FORK = "fork"
    """Leave more lines ready than the other side can stop at the edge; in tinc."""

    HOLD = "hold"
    """Survive, and stop for good the lines that are ready against the solver; in tinc."""


@dataclass(frozen=True)
class Puzzle:
    """A position with one right way on.

    Attributes:
        variant: the key of the game.
        number: which of the game's puzzles it is, from 1, by grade: the first are the easiest.
        moves: the moves from the start that lead to the position.
        side: the side to move there, which is the solver's.
        task: what the solver is asked for.
        turns: of `Task.WIN_IN`, how many own turns it takes.
        solutions: the right moves; every other legal move is worth strictly less.
        line: a whole solution, from the first right move to where it is decided.
        grade: how hard it is, from 1 to 5; `engine.puzzles.grading` says how that is counted.
        before: what the position is worth to the side to move: a value, or, if that is none
            of the three, points; in tinc also the pressure that `engine.puzzles.tinc` defines.
        proof: how all of this is known.
        refutations: for a wrong move the line that refutes it, from the refuting reply on, if
            it is stored; `engine.puzzles.refutation_of` finds the others.
    """

    variant: str
    number: int
    moves: tuple[str, ...]
    side: Side
    task: Task
    turns: int | None
    solutions: tuple[str, ...]
    line: tuple[str, ...]
    grade: int
    before: Value | float
    proof: Proof
    refutations: Mapping[str, tuple[str, ...]] = field(default_factory=dict, hash=False)

    def position(self) -> Position:
        """Return the position that the puzzle is about."""
        return VARIANTS[self.variant].replay(self.moves)

    def sentence(self) -> Message:
        """Return the task in a sentence."""
        return self._in_words(_words(self).sentence)

    def theme(self) -> Message:
        """Return the kind of the task in a few words, for puzzles of one kind together."""
        return _words(self).theme.filled(count=self.turns)

    @property
    def is_conditional(self) -> bool:
        """Whether the line ends in a win that the other side could have stopped."""
        return self.task is Task.WIN_INSIDE

    def conclusion(self) -> Message:
        """Return the result of the line, for where the end of the game does not say it."""
        return self._in_words(_CONCLUSIONS[self.task])

    def side_name(self, side: Side) -> Message:
        """Return what a side is called in the puzzle's game."""
        return VARIANTS[self.variant].side_name(side)

    def _in_words(self, template: Message) -> Message:
        side, other = self.side_name(self.side), self.side_name(self.side.other)
        count = len(self.solutions) if self.task is Task.HOLD else self.turns
        return template.filled(side=side, other=other, count=count)


@dataclass(frozen=True)
class Refutation:
    """The reason why a wrong move is wrong.

    `line` begins with the reply that refutes the move and ends where that is decided; it is empty
    if the move itself ended the game. `sentences` say all of it in words: what the reply is and
    what it does, addressed to the solver as "you".
    """

    move: str
    line: tuple[str, ...]
    sentences: tuple[Message, ...]

    @property
    def reply(self) -> str | None:
        """The move that refutes, None if the wrong move itself ended the game."""
        return self.line[0] if self.line else None


class _Words(NamedTuple):
    """A task in a sentence, and as a theme in a few words, with what they name left open."""

    sentence: Message
    theme: Message


def _words(puzzle: Puzzle) -> _Words:
    """Return the task of a puzzle in words."""
    if puzzle.task is Task.WIN:
        if VARIANTS[puzzle.variant].points_note is not None:  # others may win less than a point
            return _Words(
                message("{side} to move: find the only move that wins the whole point."),
                in_context("a kind of puzzle", "Win the whole point"),
            )
        if len(puzzle.solutions) > 1:
            return _Words(
                message("{side} to move: find a move that wins."),
                in_context("a kind of puzzle", "Win"),
            )
    if puzzle.task is Task.WIN_IN and puzzle.turns == 1:
        if len(puzzle.line) > 1:
            return _Words(
                message("{side} to move: win in this turn, with its bonus move."),
                in_context("a kind of puzzle", "Win in one turn, with its bonus move"),
            )
        return _Words(
            message("{side} to move: win at once."), in_context("a kind of puzzle", "Win at once")
        )
    if puzzle.task is Task.WIN_INSIDE and puzzle.turns == 2:
        return _Words(
            message("{side} to move: leave a line ready. Then {other} must run to the edge."),
            in_context("a kind of puzzle", "Leave a line ready"),
        )
    return _WORDS[puzzle.task]


_WORDS: Mapping[Task, _Words] = {
    # Translators: in the tasks of puzzles {side} and {other} are X and O, or Odd and Even.
    Task.WIN: _Words(
        message("{side} to move: find the only move that wins."),
        in_context("a kind of puzzle", "Win"),
    ),
    Task.WIN_IN: _Words(
        plural("{side} to move: win in {count} turn.", "{side} to move: win in {count} turns."),
        plural_in_context("a kind of puzzle", "Win in {count} turn", "Win in {count} turns"),
    ),
    Task.SAVE: _Words(
        message("{side} to move: find the only move that does not lose."),
        in_context("a kind of puzzle", "Avoid the loss"),
    ),
    Task.WIN_POINTS: _Words(
        message("{side} to move: find the only move that wins, by half a point."),
        in_context("a kind of puzzle", "Win by half a point"),
    ),
    Task.SAVE_POINTS: _Words(
        message("{side} to move: every move loses. Find the only one that keeps half a point."),
        in_context("a kind of puzzle", "Keep half a point"),
    ),
    Task.WIN_INSIDE: _Words(
        message(
            "{side} to move: leave more lines one turn from ready than {other} can stop without"
            " the edge."
        ),
        in_context("a kind of puzzle", "Leave more lines one turn from ready than can be stopped"),
    ),
    Task.FORK: _Words(
        message(
            "{side} to move: leave at least three lines ready. Then {other} must run to the edge"
            " twice."
        ),
        in_context("a kind of puzzle", "Leave at least three lines ready"),
    ),
    Task.HOLD: _Words(
        # Translators: {count} moves of {side} solve the puzzle.
        plural(
            "{side} to move: {other} has two lines ready. Stop both for good. {count} move does"
            " that.",
            "{side} to move: {other} has two lines ready. Stop both for good. {count} moves do"
            " that.",
        ),
        in_context("a kind of puzzle", "Stop two ready lines"),
    ),
}

# Translators: {side} and {other} are X and O, or Odd and Even.
_WINS = message("From here {side} wins, whatever {other} plays.")

_CONCLUSIONS: Mapping[Task, Message] = {
    Task.WIN: _WINS,
    Task.WIN_IN: _WINS,
    Task.SAVE: message("With best play it is a draw from here."),
    Task.WIN_POINTS: message("With best play {side} wins by half a point."),
    Task.SAVE_POINTS: message("With best play {side} loses by half a point and no more."),
    Task.WIN_INSIDE: message(
        "{other} could have escaped at the edge, but never goes there in this line."
    ),
    Task.FORK: message(
        "At the edge {other} could stop only two lines. The third is ready again, and {other} must"
        " go back to the edge."
    ),
    Task.HOLD: message("Both lines are closed to {other} for good, however far the grid grows."),
}
