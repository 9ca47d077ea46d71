"""Lessons: steps with a board and a task, and an answer to every legal move.

A lesson is data. What a learner has done is in the address alone, so nothing is stored.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Generic, TypeAlias, TypeVar

from capsule.languages.numbers import in_words
from engine import Message, Position, Variant
from engine.game import in_context

P = TypeVar("P", bound=Position)


@dataclass(frozen=True)
class TriedMove(Generic[P]):
    """A legal move that a learner tried, with the positions before and after it.

    `named` are the words for it in its lesson's answers, by their names there.
    """

    before: P
    move: str
    after: P
    named: Mapping[str, object] = field(default_factory=dict)


Moves: TypeAlias = Collection[str] | Callable[[TriedMove[P]], bool]
"""Some of a step's moves: by name, or by what they do."""

Words: TypeAlias = Message | Callable[[TriedMove[P]], Message]
"""The answer to a move: a sentence that may name it, or one made of its effect."""


@dataclass(frozen=True)
class Reply(Generic[P]):
    """The answer to some of a step's moves, and whether they are right."""

    moves: Moves[P]
    words: Words[P]
    is_right: bool = False

    def is_to(self, attempt: TriedMove[P]) -> bool:
        """Return whether this is the answer to a move."""
        if callable(self.moves):
            return self.moves(attempt)
        return attempt.move in self.moves


def right(moves: Moves[P], words: Words[P]) -> Reply[P]:
    """Return the answer to the moves that do what the task asks."""
    return Reply(moves, words, is_right=True)


def wrong(moves: Moves[P], words: Words[P]) -> Reply[P]:
    """Return the answer to moves of one kind that do not."""
    return Reply(moves, words)


@dataclass(frozen=True)
class Feedback(Generic[P]):
    """An attempt, whether it does what the task asks, and the sentences that say why."""

    attempt: TriedMove[P]
    is_right: bool
    words: Message


@dataclass(frozen=True)
class Step(Generic[P]):
    """One step of a lesson.

    Attributes:
        title: what it is about, in a few words.
        moves: what has been played on its board.
        teaching: a paragraph that teaches a rule.
        task: The learner's task.
        replies: the answers, of which a move gets the first that is meant for it.
        otherwise: the answer to any other move, all of which are wrong.
    """

    title: Message
    moves: tuple[str, ...]
    teaching: Message
    task: Message
    replies: tuple[Reply[P], ...]
    otherwise: Words[P]

    def judge(self, attempt: TriedMove[P]) -> Feedback[P]:
        """Return the feedback on a legal move."""
        for reply in self.replies:
            if reply.is_to(attempt):
                return Feedback(attempt, reply.is_right, _said(reply.words, attempt))
        return Feedback(attempt, is_right=False, words=_said(self.otherwise, attempt))


def _said(words: Words[P], attempt: TriedMove[P]) -> Message:
    return words.filled(**attempt.named) if isinstance(words, Message) else words(attempt)


def wins(attempt: TriedMove[Any]) -> bool:
    """Return whether an attempt ends the game."""
    return attempt.after.outcome is not None


def named_by_move(attempt: TriedMove[Any]) -> Mapping[str, object]:
    """Return the words for an attempt where a cell is all that a move names."""
    return {"move": attempt.move, "cell": attempt.move}


@dataclass(frozen=True)
class Lesson(Generic[P]):
    """The steps in which a game is learned; `kind` is the class of its positions.

    `names` returns the words for an attempt that its answers have in braces.
    """

    variant: Variant
    kind: type[P]
    steps: tuple[Step[P], ...]
    names: Callable[[TriedMove[P]], Mapping[str, object]] = named_by_move

    @property
    def count(self) -> Message:
        """The number of steps, in words."""
        return in_words(len(self.steps))

    def position(self, step: Step[P]) -> P:
        """Return the position of a step.

        Raises the engine's errors if its moves cannot be played.
        """
        return self._own(self.variant.replay(step.moves))

    def attempt(self, step: Step[P], typed: str) -> TriedMove[P]:
        """Return the attempt of a typed move.

        Raises `InvalidMove` or `IllegalMove` if it cannot be played.
        """
        before = self.position(step)
        move = before.parse(typed)
        attempt = TriedMove(before, move, self._own(before.play(move)))
        return replace(attempt, named=self.names(attempt))

    def _own(self, position: Position) -> P:
        if not isinstance(position, self.kind):
            raise TypeError(f"{position!r} is no position of {self.variant.key}")
        return position


CELL_PLACES: tuple[Message, ...] = (
    # Translators: a cell by its place in its small board, as in “b2 is the centre cell of its small
    # board”.
    in_context("a cell", "top left cell"),
    in_context("a cell", "top centre cell"),
    in_context("a cell", "top right cell"),
    in_context("a cell", "middle left cell"),
    in_context("a cell", "centre cell"),
    in_context("a cell", "middle right cell"),
    in_context("a cell", "bottom left cell"),
    in_context("a cell", "bottom centre cell"),
    in_context("a cell", "bottom right cell"),
)
